import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from '../support/console/browser';
import { newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Accepted, Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

describe('A send whose answer was lost', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lost-answers-'));
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(async () => {
    await stopConsole();
    await rm(folder, { recursive: true });
  });

  /** Cuts the connection once the service has answered the next request to `path`. */
  async function loseNextAnswer(page: Page, path: string): Promise<void> {
    const devTools = await page.context().newCDPSession(page);
    devTools.once('Fetch.requestPaused', ({ requestId }) => {
      void devTools
        .send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
        .then(() => devTools.detach());
    });
    await devTools.send('Fetch.enable', { patterns: [{ urlPattern: `*${path}`, requestStage: 'Response' }] });
  }

  const restored = (page: Page) => page.getByText('Your draft was restored.');
  const countOf = async (list: string) => ((await client.get(list)).body.items as Json[]).length;

  it('is not sent again as one message from its restored draft, but the same message later is', async () => {
    const [to] = phones(1, 100) as [string];
    const page = await browser.signedIn(service, '/send/one');
    const fillAndSend = async () => {
      await page.getByLabel('Phone number').fill(`+${to}`);
      await page.getByRole('button', { name: 'Send message' }).click();
    };
    await page.getByRole('button', { name: /^hello_world / }).click();
    await loseNextAnswer(page, '/send-template');
    await fillAndSend();
    await page.getByRole('alert').waitFor();
    await page.reload();
    await restored(page).waitFor();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('region', { name: 'Message status' }).waitFor();
    expect(await countOf(`/messages?to=${to}`)).toBe(1);
    await page.getByRole('button', { name: /another/i }).click();
    await fillAndSend();
    await page.getByRole('region', { name: 'Message status' }).waitFor();
    expect(await countOf(`/messages?to=${to}`)).toBe(2);
  });

  /** The number of a new person who wrote, and the page of the conversation. */
  async function openConversation(): Promise<{ phone: string; page: Page }> {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Mira Aydın' });
    await writesOn(platform, phone, 'Do you have it in blue?');
    const search = `/conversations?search=${phone}`;
    await until(async () => (await countOf(search)) === 1, 10_000, 'the message has arrived');
    const [conversation] = (await client.get(search)).body.items as Json[];
    return { phone, page: await browser.signedIn(service, `/conversations?id=${conversation!.id}`) };
  }
  const repliesTo = async (phone: string) =>
    ((await platform.ledger()) as (Accepted & { type: string })[]).filter(
      ({ to, type }) => to.endsWith(phone) && type !== 'template',
    );

  it('is not sent again as a reply', async () => {
    const { phone, page } = await openConversation();
    await loseNextAnswer(page, '/messages');
    await page.getByLabel('Your reply').fill('Yes');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('form', { name: 'Reply' }).getByRole('alert').waitFor();
    await page.reload();
    await page.getByLabel('Your reply').waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('Yes');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator(':disabled')).waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
  });

  it('is not sent again as a reply with a file and no text', async () => {
    const path = join(folder, 'price-list.pdf');
    await writeFile(path, '%PDF-1.7');
    const { phone, page } = await openConversation();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await page.getByLabel('Attachment').setInputFiles(path);
    await loseNextAnswer(page, '/messages');
    await send.click();
    await page.getByRole('form', { name: 'Reply' }).getByRole('alert').waitFor();
    // A caption that was removed again leaves the same reply.
    await page.getByLabel('Your reply').fill('Our');
    await page.getByLabel('Your reply').fill('');
    await page.reload();
    await page.getByText('Choose price-list.pdf again: files are not kept.').waitFor();
    await page.getByLabel('Attachment').setInputFiles(path);
    await send.click();
    await send.and(page.locator(':disabled')).waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
  });

  it('is not sent again as a campaign with the file chosen again', async () => {
    const path = join(folder, 'people.csv');
    await writeFile(path, ['Phone', ...phones(2, 200)].join('\n'));
    const page = await browser.signedIn(service, '/send/campaign');
    await page.getByRole('button', { name: /^hello_world / }).click();
    await page.getByLabel('Campaign name').fill('Only once');
    const confirm = async () => {
      await page.getByLabel('Drop your spreadsheet here').setInputFiles(path);
      await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    };
    const send = page.getByRole('button', { name: 'Send 2 messages' });
    await confirm();
    await loseNextAnswer(page, '/bulk-import-messages');
    await send.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.reload();
    await restored(page).waitFor();
    await confirm();
    await send.click();
    await page.waitForURL(/\/console\/jobs\//);
    expect(await countOf('/bulk-jobs?search=once')).toBe(1);
  });
});
