import type { Locator, Page } from 'playwright-core';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { type ConsoleBrowser, noViolations, screenshots, signIn } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The console for developers', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const newKey = async (name: string, scopes: string[]) =>
    (await client.post('/api-keys', { name, scopes })).body as { id: string; key: string; prefix: string };
  const choose = async (dialog: Locator, purpose: string) => {
    await dialog.getByLabel('Purpose').click();
    await dialog.page().getByRole('option', { name: purpose }).click();
  };
  const meOf = (key: string) => client.get('/me', { key });

  describe('Senders', () => {
    const ownAccount = async () => ((await client.get('/accounts')).body as { items: { id: string }[] }).items[0]!;

    it('shows the pace, messaging limit and quality of a number', async () => {
      const { id } = await ownAccount();
      await client.call('PATCH', `/accounts/${id}`, { body: { sender: { messagingTier: '250' } } });
      await client.post('/send-template', { to: '4915112345678', templateName: 'hello_world' });
      const page = await browser.signedIn(service, '/senders');
      await heading(page, 'Senders').waitFor();
      const tier = page.getByRole('figure', { name: 'New conversations in 24 hours' });
      await tier.getByText('of 250 allowed').waitFor();
      expect(await tier.getByRole('row').allInnerTexts()).toEqual([
        'Used\t1',
        'Limit (messaging tier)\t250',
        'Remaining\t249',
      ]);
      const pace = page.getByRole('figure', { name: 'Messages per second now' });
      await pace.getByText('up to 1,000/s').waitFor();
      expect(await pace.getByRole('row').allInnerTexts()).toEqual(['Now\t0/s', 'Limit\t1,000/s']);
      expect(await pace.locator('.gauge-used').count()).toBe(0);
      await page.getByText('Ready', { exact: true }).waitFor();
      await page.getByText(/^Updated/).waitFor();
      await noViolations(page);
      await screenshots(page, 'senders');
    });

    it('shows what a number sends now, and that it is ready while its job waits', async () => {
      const { id } = await ownAccount();
      await client.call('PATCH', `/accounts/${id}`, { body: { sender: { messagesPerSecond: 2 } } });
      const rows = Array.from({ length: 60 }, (_, row) => `4915112${String(345000 + row)}`);
      const file = { name: 'list.csv', content: `phone\n${rows.join('\n')}` };
      const started = await client.upload(file, { templateName: 'hello_world' });
      const jobId = started.body.jobId as string;
      const page = await browser.signedIn(service, '/senders');
      await page.getByText('Sending', { exact: true }).waitFor();
      const pace = page.getByRole('figure', { name: 'Messages per second now' });
      await pace.locator('.gauge-used').waitFor();
      await pace.getByText('up to 2/s').waitFor();
      await noViolations(page);
      await screenshots(page, 'senders-sending');
      await client.post(`/bulk-jobs/${jobId}/pause`);
      await page.getByText('Ready', { exact: true }).first().waitFor();
      await pace.locator('.gauge-used').waitFor({ state: 'detached' });
      await client.post(`/bulk-jobs/${jobId}/cancel`);
      await client.call('PATCH', `/accounts/${id}`, { body: { sender: { messagesPerSecond: 1000 } } });
    });

    it('is not ready once its messaging limit is reached', async () => {
      const page = await browser.signedIn(service, '/');
      const { items } = (await client.get('/senders')).body as { items: object[] };
      const json = { items: items.map((one) => ({ ...one, messagingTier: '250', tierUsed: 250 })) };
      await page.route('**/api/v1/messaging/senders', (route) => route.fulfill({ json }));
      await page.goto('/console/senders');
      await page.locator('.badge[data-tone=warning]', { hasText: 'Limit reached' }).waitFor();
      expect(await page.getByText('Ready', { exact: true }).count()).toBe(0);
    });

    it('says of a number that WhatsApp slows, and of one whose jobs the key cannot read', async () => {
      const { key } = await newKey('Reads messages', ['messaging:read']);
      const { items } = (await client.get('/senders')).body as { items: object[] };
      const page = await browser.signedIn(service, '/', { key });
      await page.route('**/api/v1/messaging/senders', (route) =>
        route.fulfill({ json: { items: items.map((one) => ({ ...one, rateNow: 680 })) } }),
      );
      await page.goto(`${service.url}/console/senders`);
      const pace = page.getByRole('figure', { name: 'Messages per second now' });
      await pace.getByText('up to 680/s, slowed by WhatsApp from 1,000/s').waitFor();
      expect(await pace.getByRole('row').allInnerTexts()).toEqual(['Now\t–', 'Limit now\t680/s', 'Limit\t1,000/s']);
      expect(await page.getByText('Ready', { exact: true }).count()).toBe(0);
      await noViolations(page);
    });

    it('shows stopped sending and an unlimited messaging tier', async () => {
      const { id } = await ownAccount();
      const body = { sendingPaused: true, sender: { messagingTier: 'Unlimited' } };
      await client.call('PATCH', `/accounts/${id}`, { body });
      const { key } = await newKey('Reader', ['jobs:read']);
      const page = await browser.signedIn(service, '/senders', { key });
      await page.getByText('Sending stopped').waitFor();
      await page.getByText('WhatsApp does not limit new conversations').waitFor();
      expect(await page.getByRole('button', { name: 'Refresh limits' }).count()).toBe(0);
      await noViolations(page);
      await client.call('PATCH', `/accounts/${id}`, { body: { sendingPaused: false } });
      // Refetched automatically.
      await page.getByText('up to 1,000/s').waitFor();
    });

    it('syncs the limits on click, and reports a rejected access token', async () => {
      const { id } = await ownAccount();
      const { key } = await newKey('Sender', ['messaging:send']);
      const page = await browser.signedIn(service, '/senders', { key });
      const button = page.getByRole('button', { name: 'Refresh limits' });
      await button.click();
      await page.getByText('Limits updated').waitFor();
      await noViolations(page);
      const token = (accessToken: string) =>
        client.call('PATCH', `/accounts/${id}`, { body: { sender: { accessToken }, skipCheck: true } });
      await token('expired');
      await button.click();
      await page.getByRole('alert').getByText('The platform refuses the access token').waitFor();
      await page.getByText('of this number: nothing can be sent.').waitFor();
      await noViolations(page);
      await token(SANDBOX_CREDENTIALS.accessToken);
      await button.click();
      await page.getByText('of this number: nothing can be sent.').waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it('offers no link to the account without the operator scope', async () => {
      const { body } = await client.post('/accounts', { name: 'No number yet', plan: 'Free' });
      const made = await client.post(`/accounts/${body.id}/api-keys`, { name: 'K', scopes: ['jobs:read'] });
      const page = await browser.signedIn(service, '/senders', { key: made.body.key as string });
      await page.getByText('No phone number yet').waitFor();
      expect(await page.getByRole('link', { name: 'Open account' }).count()).toBe(0);
      await noViolations(page);
    });
  });

  describe('API keys', () => {
    it('are created with a working secret that is shown once', async () => {
      const page = await browser.signedIn(service, '/keys');
      await heading(page, 'API keys').waitFor();
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create API key' });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      await dialog.getByLabel('Name').fill('Ladensystem für Überweisungen שלום 🎉');
      await choose(dialog, 'Choose scopes');
      await dialog.getByRole('checkbox', { name: 'messaging:send' }).uncheck();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Select at least one.').waitFor();
      await dialog.getByRole('checkbox', { name: 'messaging:send' }).check();
      await dialog.getByRole('checkbox', { name: 'groups:read' }).check();
      await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1\n300.1.1.1');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Enter one address').waitFor();
      expect(await dialog.getByText('allowedIps').count()).toBe(0);
      await noViolations(page);
      await screenshots(page, 'keys-create');
      await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1');
      await dialog.getByRole('button', { name: 'Create key' }).dblclick();
      const secret = await page.getByLabel('API key', { exact: true }).innerText();
      await noViolations(page);
      expect((await meOf(secret)).body.scopes).toEqual(['messaging:send', 'groups:read']);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('row', { name: /Ladensystem/ }).waitFor();
      expect(await page.content()).not.toContain(secret);
      const { items } = (await client.get('/api-keys')).body as { items: { name: string }[] };
      expect(items.filter(({ name }) => name.startsWith('Ladensystem'))).toHaveLength(1);
    });

    it('have the scopes of a task, which the form lists', async () => {
      const page = await browser.signedIn(service, '/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create API key' });
      const listed = dialog.getByRole('list', { name: 'Scopes' }).getByRole('code');
      expect(await listed.allInnerTexts()).toEqual(['messaging:send']);
      expect(await dialog.getByRole('checkbox').count()).toBe(0);
      await choose(dialog, 'Everything in the account');
      expect(await listed.count()).toBe(11);
      expect(await listed.allInnerTexts()).not.toContain('accounts:manage');
      await noViolations(page);
      await screenshots(page, 'keys-preset');
      await choose(dialog, 'Read only');
      await dialog.getByLabel('Name').fill('Reports');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const secret = await page.getByLabel('API key', { exact: true }).innerText();
      expect((await meOf(secret)).body.scopes).toEqual([
        'messaging:read',
        'templates:read',
        'jobs:read',
        'groups:read',
      ]);
    });

    it('show their scopes and last use', async () => {
      const page = await browser.signedIn(service, '/keys');
      const own = page.getByRole('row', { name: /Current key/ });
      await own.waitFor();
      await own.getByText('accounts:manage').waitFor();
      await noViolations(page);
      await screenshots(page, 'keys');
      await own.getByRole('button', { name: /^Actions/ }).click();
      expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Rotate secret']);
    });

    it('are rotated, with the old secret valid for a while', async () => {
      const { key } = await newKey('Rotated', ['jobs:read']);
      const page = await browser.signedIn(service, '/keys');
      await page.getByRole('button', { name: 'Actions: Rotated' }).click();
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      const renewed = await page.getByLabel('API key', { exact: true }).innerText();
      expect([(await meOf(key)).status, (await meOf(renewed)).status]).toEqual([200, 200]);
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name: /Rotated.*old secret valid until/ }).waitFor();
    });

    it('are revoked by keyboard after a confirmation, which ends their sessions', async () => {
      const { key, id } = await newKey('To be revoked', ['jobs:read', 'messaging:read']);
      const other = await browser.signedIn(service, '/senders', { key });
      await heading(other, 'Senders').waitFor();
      const page = await browser.signedIn(service, '/keys');
      await page.getByRole('button', { name: 'Actions: To be revoked' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: /Revoke/ });
      await dialog.waitFor();
      await noViolations(page);
      await page.keyboard.press('Escape');
      expect((await meOf(key)).status).toBe(200);
      await page.getByRole('button', { name: 'Actions: To be revoked' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
      await dialog.getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByText('Key revoked').first().waitFor();
      await page.getByRole('row', { name: /To be revoked/ }).waitFor({ state: 'detached' });
      expect((await meOf(key)).status).toBe(401);
      const { items } = (await client.get('/api-keys')).body as { items: { id: string }[] };
      expect(items.map((one) => one.id)).not.toContain(id);
      // The senders screen polls, and gets a 401.
      await heading(other, 'Messaging console').waitFor();
      await signIn(other);
      await heading(other, 'Senders').waitFor();
    });

    it('are hidden from keys without the scope, also in the navigation', async () => {
      const { key } = await newKey('Only reads', ['jobs:read', 'messaging:read']);
      const page = await browser.signedIn(service, '/keys', { key });
      await page.getByText('Your key has no access').waitFor();
      await page.getByText('keys:manage').waitFor();
      for (const name of ['API keys', 'Webhooks', 'Audit log', 'Operator', 'Accounts']) {
        expect(await page.getByRole('navigation').getByRole('link', { name }).count()).toBe(0);
      }
      await noViolations(page);
    });

    it('cannot have scopes that the creating key lacks', async () => {
      const { key } = await newKey('Keys and jobs', ['keys:manage', 'jobs:manage']);
      const page = await browser.signedIn(service, '/keys', { key });
      await page.getByRole('button', { name: 'Create key' }).click();
      // None of the presets is within its scopes.
      expect(await page.getByRole('dialog').getByLabel('Purpose').innerText()).toBe('Choose scopes');
      const boxes = page.getByRole('dialog').getByRole('checkbox');
      await boxes.first().waitFor();
      expect(await boxes.count()).toBe(3);
    });

    it('show the request id of a failed request, and load on retry', async () => {
      const page = await browser.signedIn(service, '/senders');
      await heading(page, 'Senders').waitFor();
      // Not an error that is repeated by itself, which could load the keys before the click.
      const refuse = {
        status: 409,
        json: { statusCode: 409, code: 'conflict', message: 'No.', requestId: 'r-7' },
      };
      await page.route('**/api-keys?*', (route) => route.fulfill(refuse));
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByText('r-7').waitFor();
      await noViolations(page);
      await page.unroute('**/api-keys?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('row', { name: /Current key/ }).waitFor();
    });
  });

  describe('Audit log', () => {
    it('lists changes and sign-ins', async () => {
      const { prefix } = await newKey('For the log', ['jobs:read']);
      const page = await browser.signedIn(service, '/audit');
      await heading(page, 'Audit log').waitFor();
      await page
        .getByRole('row', { name: /Signed in to the console/ })
        .first()
        .waitFor();
      // Names and words, without ids and fields of the API.
      const created = page.getByRole('row', { name: /API key created.*For the log/s });
      await created.waitFor();
      expect((await created.getByRole('cell').allInnerTexts()).slice(1)).toEqual([
        expect.stringMatching(/^API key created\s+Name, Scopes, Expiry, Allowed IP addresses$/),
        ...['First key', '127.0.0.1', 'For the log', 'Default'],
      ]);
      expect(await page.content()).not.toContain(prefix);
      await noViolations(page);
      await screenshots(page, 'audit');
      const inGerman = await browser.signedIn(service, '/audit', { locale: 'de-DE' });
      await inGerman.getByText('Name, Berechtigungen, Ablauf, Erlaubte IP-Adressen').first().waitFor();
    });

    it('keeps its filters in the URL, and loads more', async () => {
      const { id } = (await client.post('/accounts', { name: 'Another account', plan: 'Free' })).body;
      for (let n = 0; n < 55; n++) await client.call('PATCH', `/accounts/${id}`, { body: { name: `Another ${n}` } });
      const page = await browser.signedIn(service, `/audit?account=${id}`);
      await page.getByText('50 entries').waitFor();
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByText('56 entries (all)').waitFor();
      await page.getByRole('combobox', { name: 'When' }).click();
      await page.getByRole('option', { name: 'Last 24 hours' }).click();
      await page.waitForURL(/period=24/);
      await page.getByText('50 entries').waitFor();
      await page.reload();
      await page.getByText('50 entries').waitFor();
      await page.getByRole('button', { name: 'Show all accounts' }).click();
      await page.waitForURL((url) => !url.search.includes('account='));
      await noViolations(page);
    });

    it('names what is not on the first page of its list', async () => {
      const { id } = (await client.post('/accounts', { name: 'Seldom seen', plan: 'Free' })).body;
      for (let n = 0; n < 20; n++) await client.post('/accounts', { name: `Later ${n}`, plan: 'Free' });
      expect(JSON.stringify((await client.get('/accounts')).body)).not.toContain('Seldom seen');
      const page = await browser.signedIn(service, `/audit?account=${id}`);
      await page
        .getByRole('row', { name: /Account created/ })
        .getByRole('link', { name: 'Seldom seen' })
        .first()
        .waitFor();
    });
  });
});
