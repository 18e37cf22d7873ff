import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { ended, phones } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The message of a job in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const [stopped, mira] = phones(2, 100);
  const importParcels = async (fields: object) => {
    const rows = `phone,name,parcel\n12,Nobody,A-0\n${stopped},Tom,A-1\n${mira},Mira,A-2\n`;
    const file = new File([rows], 'parcels.csv');
    return (await client.messaging().importFile({ file, templateName: 'order_update', ...fields })).jobId;
  };
  const message = (page: Page) => page.getByRole('region', { name: 'Message' });

  it('is that to the first recipient who got it, with a link to its template', async () => {
    await client.post('/opt-outs', { phone: stopped });
    const jobId = await importParcels({ name: 'Parcels' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    const bubble = message(page).getByRole('article', { name: 'Message' });
    await bubble.getByText('Mira').waitFor();
    await bubble.getByText('A-2').waitFor();
    await message(page)
      .getByText(/^To \+49/)
      .waitFor();
    await noViolations(page);
    await screenshots(page, 'job-message');
    await message(page).getByRole('link', { name: 'order_update' }).click();
    await page.getByRole('heading', { level: 1, name: 'order_update' }).waitFor();
  });

  it('is shown before it is sent, to a key that may not read messages too', async () => {
    const jobId = await importParcels({ hold: 'true' });
    const { body } = await client.post('/api-keys', { name: 'Jobs', scopes: ['jobs:read', 'templates:read'] });
    const page = await browser.signedIn(service, `/jobs/${jobId}`, { key: body.key as string });
    // Who has opted out is known when it is sent.
    await message(page).getByRole('article', { name: 'Message' }).getByText('Tom').waitFor();
    expect(await page.getByRole('link', { name: 'Use again' }).count()).toBe(0);
    const reader = await client.post('/api-keys', { name: 'Jobs only', scopes: ['jobs:read'] });
    const other = await browser.signedIn(service, `/jobs/${jobId}`, { key: reader.body.key as string });
    await other.getByRole('region', { name: 'Details' }).waitFor();
    expect(await message(other).count()).toBe(0);
  });

  it('has its values below the number in the list of recipients on a phone', async () => {
    const jobId = await importParcels({ hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}/recipients`, { width: 360 });
    const row = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem').filter({ hasText: 'Mira · A-2' });
    const values = (await row.getByText('Mira · A-2').boundingBox())!;
    const number = (await row.locator('.recipient-phone').boundingBox())!;
    expect(values.y).toBeGreaterThanOrEqual(number.y + number.height);
    expect(values.height).toBeGreaterThan(0);
    await noViolations(page);
    await screenshots(page, 'job-recipients-phone');
  });

  it('can be used again, with the name of the job', async () => {
    const jobId = await importParcels({ name: 'Parcels, Köln', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Use again' }).click();
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    await page.getByText('Drop your spreadsheet here').waitFor();
    const name = page.getByRole('textbox', { name: 'Campaign name' });
    expect(await name.inputValue()).toBe('Parcels, Köln');
    // Nothing was typed: leaving does not ask, and nothing is restored.
    await page.goto('/console/send/campaign');
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    expect([await name.inputValue(), await page.getByText('Your draft was restored').count()]).toEqual(['', 0]);
    await page.goBack();
    await name.fill('Parcels, Bonn');
    await page.reload();
    await page.getByText('Your draft was restored').waitFor();
    expect(await name.inputValue()).toBe('Parcels, Bonn');
  });

  it('can be used again beside an unsent draft, which stays as it is', async () => {
    const jobId = await importParcels({ name: 'Parcels in May', hold: 'true' });
    const page = await browser.signedIn(service, '/send/campaign');
    await page.getByRole('button', { name: /^hello_world / }).click();
    const name = page.getByRole('textbox', { name: 'Campaign name' });
    await name.fill('Videos');
    for (const [typed, restored] of [
      ['Parcels in May', 0],
      ['Parcels in June', 1],
    ] as const) {
      await page.goto(`/console/jobs/${jobId}`);
      await page.getByRole('link', { name: 'Use again' }).click();
      await page.getByRole('button', { name: 'Choose another' }).waitFor();
      expect([await name.inputValue(), await page.getByText('Your draft was restored').count()]).toEqual([
        typed,
        restored,
      ]);
      await name.fill('Parcels in June');
    }
    await page.getByRole('navigation').getByRole('link', { name: 'New campaign' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.getByText('Your draft was restored').waitFor();
    expect(await name.inputValue()).toBe('Videos');
    await page.getByRole('article', { name: 'Message' }).getByText('Hello World').waitFor();
  });

  it('to a group leads to the groups again', async () => {
    const { body: group } = await client.post('/groups', { name: 'VIP' });
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: mira }] });
    const send = { groupId: group.id as string, templateName: 'hello_world', name: 'To VIPs', hold: true };
    const { jobId } = (await client.post('/send-template-to-group', send)).body;
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Use again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Send to a group' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Campaign name' }).inputValue()).toBe('To VIPs');
    await page.getByText('VIP (1 contact)').first().waitFor();
  });
});
