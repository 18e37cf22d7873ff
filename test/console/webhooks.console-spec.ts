import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';
import { WebhookReceiver } from '../support/webhook-receiver';

describe('Webhooks in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }));
    receiver = await new WebhookReceiver().start();
  });

  beforeEach(() => (receiver.status = 204));

  afterAll(async () => {
    await stopConsole();
    await receiver?.close();
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const newEndpoint = async (path: string): Promise<string> => {
    const body = { url: receiver.url + path, events: ['contact.opted_out', 'contact.opted_in'] };
    return (await client.post('/webhook-endpoints', body)).body.id as string;
  };
  const optOut = (phone: string) => client.post('/opt-outs', { phone });

  it('are added, with a secret that shows once', async () => {
    const page = await browser.signedIn(service, '/webhooks');
    await heading(page, 'Webhooks').waitFor();
    await page.getByText('Nobody is told yet').waitFor();
    await noViolations(page);
    await screenshots(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Check at least one.').waitFor();
    await dialog.getByLabel('Address').fill(`${receiver.url}/added`);
    await dialog.getByRole('checkbox', { name: 'contact.opted_out' }).check();
    await noViolations(page);
    await screenshots(page, 'webhooks-add');
    await dialog.getByRole('button', { name: 'Add endpoint' }).dblclick();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: `${receiver.url}/added` }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect((await client.get('/webhook-endpoints')).body.totalCount).toBe(1);
    await noViolations(page);
    await screenshots(page, 'webhooks');
  });

  it('are tried with a test event, whose failure says why', async () => {
    const page = await browser.signedIn(service, `/webhooks/${await newEndpoint('/tried')}`);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event arrived').first().waitFor();
    await page.getByRole('row', { name: /Delivered.*204.*test/ }).waitFor();
    receiver.status = 500;
    await page.getByRole('button', { name: 'Send test event' }).click();
    const dialog = page.getByRole('dialog', { name: 'The test event did not arrive' });
    await dialog.getByText('Your server answered 500').waitFor();
    await noViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Failed.*500.*test/ }).waitFor();
  });

  it('show what was delivered with its body, and deliver it again', async () => {
    const id = await newEndpoint('/delivered');
    await optOut('4915112340001');
    const page = await browser.signedIn(service, `/webhooks/${id}`);
    const row = page.getByRole('row', { name: /contact.opted_out.*Delivered/ });
    await row.waitFor();
    await page.getByRole('button', { name: 'contact.opted_out' }).click();
    const dialog = page.getByRole('dialog', { name: 'contact.opted_out' });
    await dialog.getByLabel('Body').getByText('"type": "contact.opted_out"').waitFor();
    await noViolations(page);
    await screenshots(page, 'webhooks-delivery');
    const before = receiver.received.length;
    await dialog.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('It will be delivered again').first().waitFor();
    await page
      .getByRole('row', { name: /contact.opted_out/ })
      .nth(1)
      .waitFor();
    expect(receiver.received.length).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Deliver again since …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click();
    await page
      .getByText(/^Delivering again/)
      .first()
      .waitFor();
    await noViolations(page);
    await page.getByRole('combobox', { name: 'Which' }).click();
    await page.getByRole('option', { name: 'Those that failed' }).click();
    await page.getByText('None of these failed').waitFor();
  });

  it('show those that failed, kept in the address', async () => {
    receiver.status = 503;
    const id = await newEndpoint('/failing');
    await optOut('4915112340002');
    const page = await browser.signedIn(service, `/webhooks/${id}?show=failed`);
    await page
      .getByRole('row', { name: /contact.opted_out.*Retrying.*503/ })
      .first()
      .waitFor();
    await page.getByText(/Every delivery has failed since/).waitFor();
    await noViolations(page);
    await screenshots(page, 'webhooks-failing');
    await page.getByRole('combobox', { name: 'Which' }).click();
    await page.getByRole('option', { name: 'All attempts' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  it('get another secret, are disabled and enabled, and are deleted after a question', async () => {
    const id = await newEndpoint('/changed');
    const page = await browser.signedIn(service, `/webhooks/${id}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('New secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('still signs, too').waitFor();
    await choose('Disable');
    await page.getByText('It gets nothing.').waitFor();
    expect((await client.get(`/webhook-endpoints/${id}`)).body.status).toBe('Disabled');
    await choose('Enable');
    await page.getByText('It gets nothing.').waitFor({ state: 'detached' });
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Webhooks').waitFor();
    expect((await client.get(`/webhook-endpoints/${id}`)).status).toBe(404);
    await page.getByRole('link', { name: /\/changed$/ }).waitFor({ state: 'detached' });
    await noViolations(page);
  });
});
