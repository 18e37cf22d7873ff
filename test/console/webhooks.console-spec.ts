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

  it('are added, with a secret that is shown once', async () => {
    const page = await browser.signedIn(service, '/webhooks');
    await heading(page, 'Webhooks').waitFor();
    await page.getByText('No endpoints yet').waitFor();
    await noViolations(page);
    await screenshots(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Select at least one.').waitFor();
    await dialog.getByLabel('URL').fill(`${receiver.url}/added`);
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

  it('send a test event, and report why it failed', async () => {
    const page = await browser.signedIn(service, `/webhooks/${await newEndpoint('/tried')}`);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Test event delivered').first().waitFor();
    await page.getByRole('row', { name: /Delivered.*204.*test/ }).waitFor();
    receiver.status = 500;
    await page.getByRole('button', { name: 'Send test event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test event failed' });
    await dialog.getByText('Your server responded with 500').waitFor();
    await noViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Failed.*500.*test/ }).waitFor();
  });

  it('show deliveries with their bodies, and redeliver them', async () => {
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
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Redelivery scheduled').first().waitFor();
    await page
      .getByRole('row', { name: /contact.opted_out/ })
      .nth(1)
      .waitFor();
    expect(receiver.received.length).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Redeliver events…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page
      .getByText(/^Redelivery started/)
      .first()
      .waitFor();
    await noViolations(page);
    await page.getByRole('combobox', { name: 'Filter deliveries' }).click();
    await page.getByRole('option', { name: 'Failed attempts' }).click();
    await page.getByText('No failed attempts').waitFor();
  });

  it('filter failed deliveries, and keep the filter in the URL', async () => {
    receiver.status = 503;
    const id = await newEndpoint('/failing');
    await optOut('4915112340002');
    const page = await browser.signedIn(service, `/webhooks/${id}?show=failed`);
    await page
      .getByRole('row', { name: /contact.opted_out.*Retrying.*503/ })
      .first()
      .waitFor();
    await page.getByText(/All deliveries have failed since/).waitFor();
    await noViolations(page);
    await screenshots(page, 'webhooks-failing');
    await page.getByRole('combobox', { name: 'Filter deliveries' }).click();
    await page.getByRole('option', { name: 'All attempts' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  it('are rotated, disabled and enabled, and deleted after a confirmation', async () => {
    const id = await newEndpoint('/changed');
    const page = await browser.signedIn(service, `/webhooks/${id}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('also valid until').waitFor();
    await choose('Disable');
    await page.getByText('Not receiving events.').waitFor();
    expect((await client.get(`/webhook-endpoints/${id}`)).body.status).toBe('Disabled');
    await choose('Enable');
    await page.getByText('Not receiving events.').waitFor({ state: 'detached' });
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Webhooks').waitFor();
    expect((await client.get(`/webhook-endpoints/${id}`)).status).toBe(404);
    await page.getByRole('link', { name: /\/changed$/ }).waitFor({ state: 'detached' });
    await noViolations(page);
  });
});
