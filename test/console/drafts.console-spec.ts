import type { Page, Route } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf, screenshots, signIn } from '../support/console/browser';
import { dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('Drafts in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const newKey = async (fields: object = {}): Promise<{ id: string; key: string }> => {
    const scopes = ['messaging:send', 'messaging:read', 'templates:manage', 'groups:read'];
    return (await client.post('/api-keys', { name: 'Mira', scopes, ...fields })).body as { id: string; key: string };
  };
  const choose = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
  const restored = (page: Page) => page.getByText('Your draft was restored.');
  const name = (page: Page) => page.getByLabel('Campaign name');
  const draftsOf = (page: Page) =>
    page.evaluate<string[]>(`Object.keys(sessionStorage).filter((key) => key.startsWith('console.draft.'))`);

  it('of a campaign survive a reload, leaving and a revoked key, until it is sent', async () => {
    const { id, key } = await newKey();
    const page = await browser.signedIn(service, '/send/campaign', { key });
    await choose(page, 'hello_world');
    await name(page).fill('Summer in Köln');
    await dropSpreadsheet(page, ['Phone', ...phones(2, 100)]);
    await page.getByRole('switch', { name: 'Limit sending hours' }).click();
    await page.getByLabel('Until', { exact: true }).fill('18:15');

    await page.reload();
    await restored(page).waitFor();
    await page.getByText('Choose people.csv again: files are not kept.').waitFor();
    expect(await name(page).inputValue()).toBe('Summer in Köln');
    await noViolations(page);
    await screenshots(page, 'campaign-draft');

    // A restored draft that was not changed can be left without a question.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'New campaign' }).click();
    await restored(page).waitFor();
    await page.getByText('hello_world').first().waitFor();

    await name(page).fill('Summer in Bonn');
    await page.getByRole('link', { name: 'Overview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await dialog.waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-leave');
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await name(page).inputValue()).toBe('Summer in Bonn');
    await page.getByRole('link', { name: 'Overview' }).click();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goBack();
    expect(await name(page).inputValue()).toBe('Summer in Bonn');

    await client.call('DELETE', `/api-keys/${id}`);
    await dropSpreadsheet(page, ['Phone', ...phones(2, 100)]);
    await page.getByText('You were signed out because your API key was revoked.').waitFor();
    await page.getByText('What you typed is kept.').waitFor();
    await noViolations(page);
    await screenshots(page, 'sign-in-ended');
    await signIn(page, (await newKey()).key);
    await restored(page).waitFor();
    expect(await name(page).inputValue()).toBe('Summer in Bonn');
    await dropSpreadsheet(page, ['Phone', ...phones(2, 100)]);
    expect(await page.getByLabel('Until', { exact: true }).inputValue()).toBe('18:15');
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    await page.getByRole('button', { name: 'Send 2 messages' }).click();
    await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'Summer in Bonn' }).waitFor();
    expect(await draftsOf(page)).toEqual([]);
    const [job] = (await client.get('/bulk-jobs?search=bonn')).body.items as Json[];
    expect(job).toMatchObject({ name: 'Summer in Bonn', totalRecipients: 2 });
    expect(problemsOf(page)).toEqual([]);
  });

  it('keep an uploaded header file, and say if its upload was not complete', async () => {
    const [to] = phones(1, 400) as [string];
    const invoice = { name: 'invoice-7.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj') };
    const page = await browser.signedIn(service, '/send/one');
    await choose(page, 'invoice_ready');
    await page.route('**/media', () => undefined);
    await page.getByLabel('Drop the header document here').setInputFiles(invoice);
    await page.getByText('invoice-7.pdf').first().waitFor();
    await page.reload();
    await page.getByText('Choose invoice-7.pdf again: its upload was not complete.').waitFor();
    await page.getByLabel('Phone number').fill(`+${to}`);
    await page.getByLabel('{{1}}', { exact: true }).fill('Mira');
    await page.getByLabel('{{2}}', { exact: true }).fill('R-7');
    const send = page.getByRole('button', { name: 'Send message' });
    expect(await send.isDisabled()).toBe(true);

    await page.unroute('**/media');
    await page.getByLabel('Drop the header document here').setInputFiles(invoice);
    await page.locator('button:enabled', { hasText: 'Send message' }).waitFor();
    await page.reload();
    await page.getByText('invoice-7.pdf was uploaded earlier and is used').waitFor();
    await page.getByRole('article', { name: 'Message' }).getByText('invoice-7.pdf').waitFor();
    await noViolations(page);
    await screenshots(page, 'send-one-kept-file');
    await send.click();
    await page.getByRole('region', { name: 'Message status' }).waitFor();
    expect((await client.get(`/messages?to=${to}`)).body.items).toHaveLength(1);
  });

  it('of a send to groups keep name, values and groups', async () => {
    const { body: group } = await client.post('/groups', { name: 'Regulars' });
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: phones(1, 300)[0] }] });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await choose(page, 'order_update');
    await name(page).fill('Regulars in May');
    await page.getByLabel('Text for {{1}}').fill('you');
    await page.goto('/console/send/group');
    await restored(page).waitFor();
    expect(await name(page).inputValue()).toBe('Regulars in May');
    expect(await page.getByLabel('Text for {{1}}').inputValue()).toBe('you');
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('list', { name: 'Approved templates' }).waitFor();
    expect(await name(page).inputValue()).toBe('');
    expect(await draftsOf(page)).toEqual([]);
  });

  it('of one message are kept, each link to a person with its own, and removed when it is sent', async () => {
    const [to, other] = phones(2, 500);
    const page = await browser.signedIn(service, '/send/one');
    await choose(page, 'order_update');
    await page.getByLabel('Phone number').fill(`+${to}`);
    await page.getByLabel('{{1}}').fill('Mira');
    await page.goto(`/console/send/one?to=${other}`);
    await page.getByRole('list', { name: 'Approved templates' }).waitFor();
    expect(await restored(page).count()).toBe(0);
    await page.goto('/console/send/one');
    await restored(page).waitFor();
    expect(await page.getByLabel('Phone number').inputValue()).toBe(`+${to}`);
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Mira');
    await page.getByLabel('{{2}}').fill('PK-1');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('region', { name: 'Message status' }).waitFor();
    expect(await draftsOf(page)).toEqual([]);
  });

  it('of a template are kept, and deleted with a deliberate sign-out, in every tab', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    const tab = await page.context().newPage();
    await tab.goto('/console/send/campaign');
    await name(tab).fill('In the other tab');
    await page.getByLabel('Name', { exact: true }).fill('summer_sale');
    await page.getByLabel('Body text').fill('Hello {{1}}, summer starts.');
    await page.reload();
    await restored(page).waitFor();
    expect(await page.getByLabel('Body text').inputValue()).toBe('Hello {{1}}, summer starts.');
    await noViolations(page);
    await screenshots(page, 'template-draft');

    await page.getByRole('combobox', { name: 'Header' }).click();
    await page.getByRole('option', { name: 'Document' }).click();
    const example = { name: 'Price list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
    await page.getByLabel('Drop an example here').setInputFiles(example);
    await page.reload();
    await page.getByText('Your draft was restored. Choose Price list.pdf again: files are not kept.').waitFor();
    await page.getByRole('article', { name: 'Message' }).getByText('Price list.pdf').waitFor();

    await page.getByLabel('Footer').fill('Until Sunday');
    await page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await dialog.getByText('Signing out deletes 2 drafts in this browser:').waitFor();
    const both = ['Template: summer_sale', 'Campaign: In the other tab'];
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(both);
    await dialog.getByRole('button', { name: 'Stay here' }).and(page.locator(':focus')).waitFor();
    await page.route('**/console/session', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Delete and sign out' }).click();
    await page.getByText('You are still signed in').first().waitFor();
    expect(await draftsOf(page)).toHaveLength(1);
    await page.unroute('**/console/session');
    // Drafts are not on the screen either.
    await page.getByRole('link', { name: 'Jobs' }).click();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await dialog.getByRole('button', { name: 'Delete and sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Messaging console' }).waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
    await tab.getByRole('heading', { level: 1, name: 'Messaging console' }).waitFor();
    const lost = 'You signed out in another tab. This deleted a draft of this tab: Campaign: In the other tab.';
    await tab.getByText(lost).waitFor();
    expect([await draftsOf(page), await draftsOf(tab)]).toEqual([[], []]);
    await signIn(page);
    await page.goto('/console/templates/new');
    await page.getByLabel('Body text').waitFor();
    expect(await page.getByLabel('Body text').inputValue()).toBe('');
  });

  it('of one message that is being sent: leaving says so, until the answer comes', async () => {
    const [to] = phones(1, 700) as [string];
    const page = await browser.signedIn(service, '/send/one');
    await choose(page, 'hello_world');
    await page.getByLabel('Phone number').fill(`+${to}`);
    const held: Route[] = [];
    await page.route('**/send-template', (route) => void held.push(route));
    const send = page.getByRole('button', { name: 'Send message' });
    const sending = page.getByRole('dialog', { name: 'Leave while it is being sent?' });
    const unsent = page.getByRole('dialog', { name: 'Leave without sending?' });
    const overview = page.getByRole('link', { name: 'Overview' });
    await send.click();
    await overview.click();
    await sending.getByText('If you leave, it may still be sent.').waitFor();
    expect(await sending.getByRole('button', { name: 'Discard draft' }).count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'leave-sending');
    await held.pop()!.abort();
    await unsent.waitFor();
    await unsent.getByRole('button', { name: 'Stay here' }).click();
    await send.click();
    await overview.click();
    await sending.waitFor();
    await held.pop()!.continue();
    await page.getByRole('region', { name: 'Message status' }).waitFor();
    await sending.waitFor({ state: 'hidden' });
    await overview.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('ask before the tab is closed', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await name(page).fill('Unsent');
    const asked = page.waitForEvent('dialog');
    const closed = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await closed;
  });
});
