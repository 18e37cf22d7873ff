import type { Locator, Page } from 'playwright-core';
import {
  type ConsoleBrowser,
  noViolations,
  nothingCutOff,
  problemsOf,
  readmeImage,
  screenshots,
} from '../support/console/browser';
import { chooseColumn } from '../support/console/columns';
import { csvFile, dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import { type Service, until } from '../support/process/service';

const SOON = 20_000;

describe('A campaign in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const jobs = async (name: string): Promise<Json[]> =>
    (await client.get(`/bulk-jobs?search=${name}`)).body.items as Json[];
  const csv = (name: string, lines: readonly string[]) => csvFile(lines, name);
  const chooseTemplate = (page: Page, name: string) =>
    page
      .getByRole('list', { name: 'Approved templates' })
      .getByRole('button', { name: new RegExp(`^${name} `) })
      .click();
  /** The previewed header, text and footer, joined like `renderedText`. */
  const bubbleText = async (page: Page, label: string) => {
    const parts = page.getByRole('article', { name: label }).locator('.bubble-header, .bubble-body, .bubble-footer');
    return (await parts.allInnerTexts()).join('\n\n');
  };

  it('creates one job from a dropped file, with the previewed messages, even on a double click', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    await page.getByText(/unavailable templates?$/).click();
    await page.getByText('In review by WhatsApp').waitFor();
    await page.getByText('Has parts that this service cannot send.').waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-template');
    await chooseTemplate(page, 'parcel_tracking');
    await page.getByText('Drop your spreadsheet here').waitFor();
    await page.getByRole('article', { name: 'Message' }).waitFor();
    await screenshots(page, 'campaign-file');

    const people = phones(24);
    const rows = people.map((phone, index) => `${phone},PK-${index},Zoë ${index} 🎉,Donnerstag,pk-${index}`);
    const lines = [
      'Phone,Parcel,Name,Day,Link,Note',
      ...rows,
      rows[3]!,
      '12,PK-x,Nobody,Freitag,x',
      `${phones(1, 90)[0]},PK-y,,Freitag,y`,
    ];
    await client.post('/opt-outs', { phone: people[5] });
    const text = JSON.stringify(lines.join('\n'));
    const name = JSON.stringify('Kundinnen und Kunden – Paketbenachrichtigungen Donnerstag.csv');
    const drop = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${text}], ${name})); return data; })()`,
    );
    await page.dispatchEvent('.file-drop', 'drop', { dataTransfer: drop });

    await page.getByText(/^No column for/).waitFor();
    expect(await page.getByRole('button', { name: /^Send to / }).count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'campaign-columns-missing');
    const columns = [
      ['{{1}} in the header', 'Parcel'],
      ['{{1}}', 'Name'],
      ['{{2}}', 'Day'],
      ['Link suffix of “Track”', 'Link'],
    ];
    for (const [field, header] of columns) await chooseColumn(page, field!, header!);

    await page.getByText('Invalid rows by reason').waitFor();
    // The first row that is sent, then the others, and last those that are not sent.
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    await page.getByText('1 of 22 to preview, 3 of them not sent').waitFor();
    expect(await page.getByRole('button', { name: 'Previous message' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Previewed row' }).click();
    await page.getByRole('option', { name: /^Row 7 – opted out / }).click();
    await page.getByText('Not sent. This person has opted out.').waitFor();
    await page.getByRole('article', { name: 'Message to row 7' }).waitFor();
    await page.getByRole('combobox', { name: 'Previewed row' }).click();
    await page.getByRole('option', { name: /^Row 27 / }).click();
    await page.getByRole('article', { name: 'Message to row 27' }).waitFor();
    await page.getByRole('combobox', { name: 'Previewed row' }).click();
    await page.getByRole('option', { name: /^Row 2 / }).click();
    const first = await bubbleText(page, 'Message to row 2');
    expect(first).toContain('Zoë 0 🎉');
    await page.getByRole('button', { name: 'Next message' }).click();
    expect(await bubbleText(page, 'Message to row 3')).toContain('Zoë 1 🎉');
    for (let shown = 2; shown < 22; shown++) await page.getByRole('button', { name: 'Next message' }).press('Enter');
    await page.getByText('22 of 22 to preview').waitFor();
    expect(await page.getByRole('button', { name: 'Next message' }).isDisabled()).toBe(true);
    for (const text of [
      'Phone number invalid',
      'Value missing',
      /^Not used by this template, only kept for the report: Note\.$/,
    ])
      await page.getByText(text).first().waitFor();
    // Recipients, invalid rows, opted out, duplicates.
    expect(await page.locator('.stat-value').allInnerTexts()).toEqual(['23', '2', '1', '1']);
    await page.getByRole('textbox', { name: 'Campaign name' }).fill('double-click');
    await noViolations(page);
    await screenshots(page, 'campaign-checked');
    await readmeImage(page, 'console-campaign', page.getByRole('region', { name: 'Columns' }), 420);

    await page.getByRole('button', { name: 'Send to 23 people…' }).click();
    const send = page.getByRole('button', { name: 'Send 23 messages' });
    expect(await page.getByLabel('Number of messages').count()).toBe(0);
    await page.getByRole('dialog').getByText('double-click').waitFor();
    await page.getByRole('dialog').getByText('1 of the 24 recipients has opted out and is skipped.').waitFor();
    await page.getByRole('dialog').getByText('Skipped: 2 invalid, 1 repeated.').waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-confirm');
    await send.dblclick();
    await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}$/);
    // With those who opted out, the recipients of the job.
    await page.getByText('23 messages, 1 opted out', { exact: true }).waitFor();
    await page.getByText('23 of 24 sent, 1 opted out').waitFor({ timeout: SOON });
    const made = await jobs('double-click');
    expect(made).toMatchObject([{ totalRecipients: 26 }]);
    expect(page.url()).toContain(made[0].jobId as string);

    const messages = async (): Promise<Json[]> =>
      (await client.get(`/messages?jobId=${made[0].jobId}&limit=200`)).body.items as Json[];
    await until(async () => (await messages()).length === 23, SOON, 'all messages are sent');
    const sent = (await messages()).find(({ rowNumber }: Json) => rowNumber === 2);
    expect(sent.renderedText).toBe(first);
    expect(problemsOf(page)).toEqual([]);
  });

  it('sends nothing if the page is reloaded during the upload', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await chooseTemplate(page, 'hello_world');
    await dropSpreadsheet(page, csv('many.csv', ['Phone', ...phones(20_000, 1000)]));
    await page.getByRole('textbox', { name: 'Campaign name' }).fill('reloaded');
    await page.getByRole('button', { name: 'Send to 20,000 people…' }).click();
    const send = page.getByRole('button', { name: 'Send 20,000 messages' });
    await page.getByLabel('Number of messages').fill('20,001');
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Number of messages').fill('20,000');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    await send.click();
    await page.getByText('If you leave now, nothing is sent.').waitFor();
    await page.locator('.dialog .progress:not([aria-valuenow="0"])').waitFor();
    await network.detach();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    // Once a later request is answered, the aborted upload has been processed.
    expect((await client.get('/me')).status).toBe(200);
    expect(await jobs('reloaded')).toEqual([]);
  });

  it('explains how to fix an invalid file', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await chooseTemplate(page, 'order_update');
    const wrong: [file: { name: string; mimeType: string; buffer: Buffer }, title: string, remedy: RegExp][] = [
      [
        { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj') },
        'This is not a spreadsheet',
        /\.xlsx/,
      ],
      [csv('nothing.csv', ['']), 'This file is empty', /Save it again/],
      [
        csv('no-numbers.csv', ['Phone,Name,Parcel', 'Mira,Mira,PK-1', 'Tom,Tom,PK-2']),
        'There are no complete phone numbers in “Phone”',
        /country code/,
      ],
      [
        csv('rounded.csv', ['Phone,Name,Parcel', '4.91512E+12,Mira,PK-1']),
        'The phone numbers have lost digits',
        /as text/,
      ],
    ];
    const missing: [file: { name: string; mimeType: string; buffer: Buffer }, what: RegExp][] = [
      [
        csv('names.csv', ['Name,Parcel', 'Mira,PK-1', 'Tom,PK-2']),
        /^No column for Phone.*The file has the columns Name and Parcel\./,
      ],
      [
        csv('phones.csv', ['Phone', ...phones(2)]),
        /^No column for \{\{1\}\} and \{\{2\}\}\. The file has only the column Phone\./,
      ],
    ];
    for (const [file, title, remedy] of wrong) {
      await dropSpreadsheet(page, file);
      const alert = page.getByRole('alert').filter({ hasText: title });
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(remedy);
      expect(await page.getByRole('button', { name: /^Send to / }).count()).toBe(0);
    }
    await noViolations(page);
    await screenshots(page, 'campaign-wrong-file');
    for (const [file, what] of missing) {
      await dropSpreadsheet(page, file);
      await page.getByText(what).waitFor();
      expect(await page.getByRole('button', { name: /^Send to / }).count()).toBe(0);
    }
    await dropSpreadsheet(page, csv('right.csv', ['Phone,Name,Parcel', `${phones(1)[0]},Mira,PK-1`]));
    await page.getByRole('button', { name: 'Send to 1 person…' }).waitFor();
  });

  it('creates a job on hold with a start time and sending hours', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await chooseTemplate(page, 'hello_world');
    await dropSpreadsheet(page, csv('two.csv', ['Phone', ...phones(2, 50_000)]));
    await page.getByRole('textbox', { name: 'Campaign name' }).fill('later');
    await page.getByRole('switch', { name: 'Send later' }).click();
    await page.getByRole('switch', { name: 'Limit sending hours' }).click();
    await page.getByRole('switch', { name: 'Create on hold' }).click();
    await page.getByLabel('Starts at').fill('2020-01-01T10:00');
    await page.locator('.field-error').getByText('The start time is in the past.').waitFor();
    expect(await page.getByText(/^Starts once you send the job/).count()).toBe(0);
    const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    // After the sending hours, so sending starts with those of the next day.
    await page.getByLabel('Starts at').fill(`${start}T23:49`);
    await page.getByLabel('Until', { exact: true }).fill('19:30');
    await page.getByText('Sends every day.').waitFor();
    await page.getByRole('button', { name: 'Sun' }).click();
    await page.getByText('Sends Mon, Tue, Wed, Thu, Fri, Sat.').waitFor();
    // Header, text and footer of the template.
    expect(await bubbleText(page, 'Message to row 2')).toMatch(/^Hello World\n\n.+\n\nSample message$/s);
    await noViolations(page);
    await screenshots(page, 'campaign-options');
    const hold = page.getByRole('switch', { name: 'Create on hold' });
    await hold.click();
    await page.getByText(/^2 people will receive later \(hello_world\), starting [^:]+, 09:00$/).waitFor();
    await page.getByText(/^Starts [^:]+, 09:00, takes about /).waitFor();
    await page.getByRole('button', { name: 'Schedule 2 messages…' }).click();
    await page.getByRole('button', { name: 'Schedule 2 messages', exact: true }).waitFor();
    await page.getByText(/starting [^:]+, 09:00 \(Europe\/Berlin\)\.$/).waitFor();
    await page.getByText(/^Sending hours: 09:00–19:30, Mon, .* \(Europe\/Berlin\)\.$/).waitFor();
    await screenshots(page, 'campaign-schedule');
    await page.getByRole('button', { name: 'Back' }).click();
    await hold.click();
    await page.getByText(/^Starts once you send the job, [^:]+, 09:00 at the earliest\.$/).waitFor();
    await page.getByRole('button', { name: 'Create job…' }).click();
    await page.getByRole('dialog', { name: /^Create a job on hold for \d+ messages?\?$/ }).waitFor();
    await page.getByText(/on hold until you send it, and not before [^:]+, 09:00 \(Europe\/Berlin\)\.$/).waitFor();
    await page.getByRole('button', { name: 'Create job on hold' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    await page
      .locator('.facts > div', { hasText: 'Scheduled for' })
      .getByText(/09:00$/)
      .waitFor();
    const [job] = await jobs('later');
    const { body } = await client.get(`/bulk-jobs/${job.jobId}`);
    expect(body).toMatchObject({
      ...{ status: 'Paused', pauseReason: { code: 'held' } },
      sendWindow: { from: '09:00', until: '19:30', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6] },
    });
    expect(new Date(body.scheduledAt as string).getTimezoneOffset()).toBe(0);
  });

  it('says that a job is scheduled', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await chooseTemplate(page, 'hello_world');
    await dropSpreadsheet(page, csv('one.csv', ['Phone', ...phones(1, 50_010)]));
    await page.getByRole('switch', { name: 'Send later' }).click();
    const schedule = page.getByRole('button', { name: 'Schedule 1 message…' });
    await schedule.waitFor();
    await page.getByRole('button', { name: 'Tomorrow 09:00' }).click();
    const starts = await page.getByLabel('Starts at').inputValue();
    expect([starts.slice(-5), new Date(starts) > new Date()]).toEqual(['09:00', true]);
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 740 });
    const place = async (what: Locator) => (await what.boundingBox())!;
    const preview = await place(page.getByRole('complementary', { name: 'Message preview' }));
    const step = (name: string) => place(page.getByRole('region', { name, exact: true }));
    expect([(await step('Check')).y < preview.y, preview.y < (await step('Schedule')).y]).toEqual([true, true]);
    expect((await place(page.locator('.send-bar'))).height).toBeLessThanOrEqual(96);
    await nothingCutOff(page);
    await page.setViewportSize({ width, height });
    await schedule.click();
    const dialog = page.getByRole('dialog', { name: 'Schedule 1 message?' });
    await dialog.getByRole('button', { name: 'Schedule 1 message', exact: true }).click();
    await page.getByText('Job scheduled').waitFor();
  });

  it('warns before the same file is sent with the same template again', async () => {
    const lines = ['Phone', ...phones(2, 700)];
    const sent = { name: 'again.csv', content: lines.join('\n') };
    await client.upload(sent, { templateName: 'hello_world', name: 'first time' });
    const retried = { ...sent, content: lines.slice(0, 2).join('\n') };
    await client.upload(retried, { templateName: 'hello_world', name: 'retry of one' });
    const checked = async (file: string): Promise<Page> => {
      const page = await browser.signedIn(service, '/send/campaign');
      await chooseTemplate(page, 'hello_world');
      await dropSpreadsheet(page, csv(file, lines));
      await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
      return page;
    };
    const warning = (page: Page) => page.getByText(/^A file with this name was used .* for 2 recipients: first time\./);

    const page = await checked('again.csv');
    await warning(page).waitFor();
    const campaignName = page.getByRole('textbox', { name: 'Campaign name' });
    expect(await campaignName.getAttribute('placeholder')).toBe('Without a name: hello_world');
    await noViolations(page);
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    await warning(page).and(page.getByRole('dialog').locator('p')).waitFor();
    await noViolations(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Leave these people out' }).click();
    await page.locator('summary:focus', { hasText: 'Leave people out' }).waitFor();
    await page.getByText('Everyone in this file is left out').waitFor();
    await page.getByRole('button', { name: /^Remove first time/ }).waitFor();
    expect(await warning(page).count()).toBe(0);
    const other = await checked('other.csv');
    expect(await warning(other).count()).toBe(0);
    await other.getByRole('button', { name: 'Send to 2 people…' }).click();
    await other.getByRole('dialog').getByText('starting now').waitFor();
    expect(await warning(other).count()).toBe(0);
  });

  it('says when the last message is sent if sending starts now, also a while after the check', async () => {
    const page = await browser.signedIn(service, '/components');
    await page.clock.install();
    await page.goto('/console/send/campaign');
    await chooseTemplate(page, 'hello_world');
    await dropSpreadsheet(page, csv('now.csv', ['Phone', ...phones(2, 60_000)]));
    const end = page.locator('.send-plan time');
    const timeOf = async () => Date.parse((await end.getAttribute('datetime'))!);
    const first = await timeOf();
    await page.clock.fastForward('10:00');
    await until(async () => (await timeOf()) - first >= 600_000, 10_000, 'the end is that of a send now');
  });

  it('is hidden from a key that cannot send', async () => {
    const { body } = await client.post('/api-keys', { name: 'Reader', scopes: ['jobs:read', 'templates:read'] });
    const page = await browser.signedIn(service, '/send/campaign', { key: body.key as string });
    await page.getByText('Your key has no access').waitFor();
    expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0);
    await noViolations(page);
  });
});
