import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

const NAME = 'Donaudampfschifffahrtsgesellschaft מסעדה 🚢 with a name that is very long indeed';

describe('Accounts in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
    id = (await client.post('/accounts', { name: NAME, plan: 'Growth' })).body.id as string;
  });

  afterAll(stopConsole);

  const accountOf = async () => (await client.get(`/accounts/${id}`)).body as { sendingPaused: boolean };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  it('are listed with their status', async () => {
    const page = await browser.signedIn(service, '/accounts');
    await heading(page, 'Accounts').waitFor();
    await page.getByRole('row', { name: /Yours/ }).getByText('Active').waitFor();
    await noViolations(page);
    await screenshots(page, 'accounts');
    await page.getByRole('link', { name: NAME }).click();
    await heading(page, NAME).waitFor();
    await page.getByText('This account has no phone number').waitFor();
  });

  it('stop sending immediately after a confirmation, and resume', async () => {
    const page = await browser.signedIn(service, `/accounts/${id}`);
    await page.getByRole('button', { name: 'Stop sending' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop all sending for this account?' });
    await dialog.waitFor();
    await noViolations(page);
    await page.keyboard.press('Escape');
    expect((await accountOf()).sendingPaused).toBe(false);
    await page.getByRole('button', { name: 'Stop sending' }).click();
    await dialog.getByRole('button', { name: 'Stop sending' }).click();
    await page.getByText('no messages are sent until').waitFor();
    expect((await accountOf()).sendingPaused).toBe(true);
    await noViolations(page);
    await screenshots(page, 'account-stopped');
    await page.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByText('no messages are sent until').waitFor({ state: 'detached' });
    expect((await accountOf()).sendingPaused).toBe(false);
  });

  it('are suspended after typing their name, and activated again', async () => {
    const made = await client.post(`/accounts/${id}/api-keys`, { name: 'Theirs', scopes: ['jobs:read'] });
    const page = await browser.signedIn(service, `/accounts/${id}`);
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog', { name: 'Suspend this account?' });
    const suspend = dialog.getByRole('button', { name: 'Suspend' });
    expect(await suspend.isDisabled()).toBe(true);
    await dialog.getByLabel('Account name').fill(NAME);
    await noViolations(page);
    await suspend.click();
    await page.getByText('The account is suspended: its requests are rejected').waitFor();
    expect((await client.get('/me', { key: made.body.key as string })).status).toBe(403);
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The account is suspended: its requests are rejected').waitFor({ state: 'detached' });
    expect((await client.get('/me', { key: made.body.key as string })).status).toBe(200);
  });

  it('get keys from the operator, without operator scopes, which can be revoked', async () => {
    const page = await browser.signedIn(service, `/accounts/${id}`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByLabel('Name').fill('Customer key');
    await dialog.getByLabel('Purpose').click();
    await page.getByRole('option', { name: 'Choose scopes' }).click();
    expect(await dialog.getByRole('checkbox', { name: 'accounts:manage' }).count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'keys:manage' }).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    expect((await client.get('/me', { key })).body.account.id).toBe(id);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Actions: Customer key' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    // Toasts have the role dialog, too, so select by name.
    const question = page.getByRole('dialog', { name: 'Revoke “Customer key”?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    // While the dialog is open, the rows behind it are hidden from the accessibility tree.
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Customer key/ }).waitFor({ state: 'detached' });
    expect((await client.get('/me', { key })).status).toBe(401);
    await noViolations(page);
  });

  it('cannot suspend their own account, and are hidden without the scope', async () => {
    const { items } = (await client.get('/accounts')).body as { items: { id: string }[] };
    const own = items.find((one) => one.id !== id)!;
    const page = await browser.signedIn(service, `/accounts/${own.id}`);
    await page.getByRole('button', { name: 'Stop sending' }).waitFor();
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
    await screenshots(page, 'account');
    const { body } = await client.post('/api-keys', { name: 'No operator', scopes: ['keys:manage'] });
    const other = await browser.signedIn(service, `/accounts/${id}`, { key: body.key as string });
    await other.getByText('Your key has no access').waitFor();
    await noViolations(other);
  });

  it('show all their phone numbers, if they have several', async () => {
    const made = await client.post('/accounts', { name: 'Two numbers', plan: 'Growth' });
    const several = made.body.id as string;
    const page = await browser.signedIn(service, `/accounts/${several}`);
    await page.getByText('This account has no phone number').waitFor();
    for (const phoneNumberId of ['700000000000061', '700000000000062']) {
      const sender = { phoneNumberId, businessAccountId: '800000000000006', messagingTier: '1000', skipCheck: true };
      expect((await client.post(`/accounts/${several}/senders`, sender)).status).toBe(201);
    }
    expect(await page.getByRole('table', { name: 'Phone numbers of the account' }).count()).toBe(0);
    await page.reload();
    const rows = page.getByRole('table', { name: 'Phone numbers of the account' }).getByRole('row');
    await rows.filter({ hasText: '700000000000061' }).getByText('Default', { exact: true }).waitFor();
    const second = rows.filter({ hasText: '700000000000062' });
    await second.getByText('1,000 new conversations per 24 hours').waitFor();
    expect(await second.getByText('Default', { exact: true }).count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'account-senders');
  });
});
