import { utils, write } from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { chooseColumn, chooseTemplate, pairs } from '../support/console/columns';
import { dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';
import { messyWorkbook } from '../support/workbooks';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('The columns of campaign files in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const open = async (template: string) => {
    const page = await browser.signedIn(service, '/send/campaign');
    await chooseTemplate(page, template);
    return page;
  };
  const sendButton = (page: Page) => page.getByRole('button', { name: /^Send to / });

  it('of a large file are checked when a person asks for it', async () => {
    const page = await open('order_update');
    const text = 'x'.repeat(400);
    await dropSpreadsheet(page, [
      'Mobile,One,Two,Three',
      ...phones(6000, 80_000).map((phone) => `${phone},a,b,${text}`),
    ]);
    await chooseColumn(page, '{{1}}', 'One');
    const again = page.getByRole('button', { name: 'Check the file with these columns' });
    expect(await again.count()).toBe(0);
    await chooseColumn(page, '{{2}}', 'Two');
    await again.click();
    await page.getByRole('button', { name: 'Send to 6,000 people…' }).waitFor();
    await page.getByText('{{2}}, e.g. b').waitFor();
    await chooseColumn(page, '{{2}}', 'One');
    await again.waitFor();
    expect(await sendButton(page).isDisabled()).toBe(true);
    await again.click();
    await page.getByText('{{2}}, e.g. a').waitFor();
    await page.locator('button:enabled', { hasText: 'Send to 6,000 people…' }).waitFor();
  });

  it('show the share of the upload, and say that a check takes longer', async () => {
    const page = await open('hello_world');
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 12_000, downloadThroughput: -1, uploadThroughput: 150_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slow);
    await dropSpreadsheet(page, ['Mobile,Note', ...phones(3000, 90_000).map((phone) => `${phone},${'x'.repeat(400)}`)]);
    await page.getByText(/^Uploading: [1-9]\d?%/).waitFor();
    await page.getByText('Checking rows… A large file takes up to a minute.').waitFor();
    await network.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 });
    await page.getByRole('button', { name: 'Send to 3,000 people…' }).waitFor();
  });

  it('with dates that a spreadsheet program displays by its language are named in a warning', async () => {
    const page = await open('order_update');
    const sheet = utils.aoa_to_sheet([
      ['Mobile', 'Name', 'Day'],
      [`+${phones(1, 70_000)[0]}`, 'Anna', 46350],
    ]);
    Object.assign(sheet.C2 as object, { z: 'm/d/yyyy' });
    const buffer = write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    await dropSpreadsheet(page, { name: 'days.xlsx', mimeType: XLSX, buffer });
    const told = /column “Day” are sent in the US format: row 2 sends “11\/24\/2026”/;
    await page.locator('.note[data-tone=warning]', { hasText: told }).waitFor();
    await page.getByText('{{2}}, e.g. 11/24/2026').waitFor();
    expect(await page.getByText('Warnings:').count()).toBe(0);
    await sendButton(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(told).waitFor();
    // Its notes have a gap, and on a phone its buttons fill the line.
    expect(await page.evaluate('getComputedStyle(document.querySelector(".dialog form")).rowGap')).toMatch(/^[1-9]/);
    await page.setViewportSize({ width: 360, height: 800 });
    const buttons = await Promise.all(
      (await dialog.locator('.dialog-foot .button').all()).map((one) => one.boundingBox()),
    );
    const foot = (await dialog.locator('.dialog-foot').boundingBox())!;
    const ends = buttons.map((box) => box!.x + box!.width);
    expect([Math.min(...buttons.map((box) => box!.x)), Math.max(...ends)]).toEqual([foot.x, foot.x + foot.width]);
  });

  it('with dates are sent in the language of the template, unless a person chooses those of the file', async () => {
    const page = await open('appointment_reminder de');
    const sheet = utils.aoa_to_sheet([
      ['Handy', 'Name', 'Tag'],
      [`+${phones(1, 70_100)[0]}`, 'Anna', 46_362],
    ]);
    Object.assign(sheet.C2 as object, { z: 'm/d/yyyy' });
    const buffer = write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    await dropSpreadsheet(page, { name: 'tage.xlsx', mimeType: XLSX, buffer });
    await chooseColumn(page, '{{1}}', 'Name');
    await chooseColumn(page, '{{2}}', 'Tag');
    await page.getByText('{{2}}, e.g. 06.12.2026').waitFor();
    const language = page.getByRole('combobox', { name: 'Dates and numbers in', exact: true });
    expect(await language.innerText()).toBe('German');
    expect(await page.getByText('are sent in the US format').count()).toBe(0);
    expect(await page.getByText('Warnings:').count()).toBe(0);
    await noViolations(page);
    await language.click();
    await page.getByRole('option', { name: 'As in the file', exact: true }).click();
    await page.getByText('{{2}}, e.g. 12/6/2026').waitFor();
    await page.getByText(/are sent in the US format: row 2 sends “12\/6\/2026”/).waitFor();
    await language.click();
    await page.getByRole('option', { name: 'German', exact: true }).click();
    await page.getByText('{{2}}, e.g. 06.12.2026').waitFor();
    await sendButton(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 1 message' }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    await page.getByText('06.12.2026').first().waitFor();
  });

  it('stay those of the chosen sheet when a corrected file replaces it, and not when it has no such sheet', async () => {
    const page = await open('order_update');
    const select = (name: string) => page.getByRole('combobox', { name, exact: true });
    const drop = async (name: string) => dropSpreadsheet(page, { name, mimeType: XLSX, buffer: await messyWorkbook() });
    const ticked = page.getByRole('region', { name: 'Recipients' }).locator('.send-step-number[data-done]');
    await drop('kunden.xlsx');
    await select('Sheet').click();
    await page.getByRole('option', { name: 'Müller "Süd"', exact: true }).click();
    await page.getByText('Rows above it are not read.').waitFor();
    await select('Header row').click();
    await page.getByRole('option', { name: 'Row 5', exact: true }).click();
    await page.getByText('The sheet “Müller "Süd"” has the columns').waitFor();
    expect(await ticked.count()).toBe(0);
    await drop('kunden-2.xlsx');
    await page.getByText('kunden-2.xlsx').first().waitFor();
    await page.getByText('The sheet “Müller "Süd"” has the columns').waitFor();
    expect([await select('Sheet').innerText(), await select('Header row').innerText()]).toEqual([
      'Müller "Süd"',
      'Row 5',
    ]);
    await dropSpreadsheet(page, ['Mobile,One,Two', `${phones(1, 70_200)[0]},a,b`]);
    await page.getByText('{{1}}, e.g.').or(page.getByText('The file has the columns')).first().waitFor();
    expect(await select('Sheet').count()).toBe(0);
    await ticked.waitFor();
  });

  it('are those of the sheet and the header row that a person chooses, also for another template', async () => {
    const page = await open('order_update');
    const select = (name: string) => page.getByRole('combobox', { name, exact: true });
    const choose = async (name: string, option: string) => {
      await select(name).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await dropSpreadsheet(page, { name: 'kunden.xlsx', mimeType: XLSX, buffer: await messyWorkbook() });
    await select('Sheet').waitFor();
    await page.getByText('Several sheets have rows.').waitFor();
    expect([await select('Sheet').innerText(), await select('Header row').count()]).toEqual(['Alt', 0]);
    await choose('Sheet', 'Müller "Süd"');
    await page.getByText('Rows above it are not read.').waitFor();
    expect(await select('Header row').innerText()).toBe('Row 3');
    await choose('Header row', 'Row 4');
    await page.getByText('The sheet “Müller "Süd"” has the columns').waitFor();
    await choose('Header row', 'Row 3');
    await chooseColumn(page, '{{1}}', 'Vorname');
    await chooseColumn(page, '{{2}}', 'Termin');
    await page.getByText('{{2}}, e.g. 03/04/2026').waitFor();
    expect(await pairs(page)).toEqual([
      expect.stringMatching(/^Phone.* \| Handy \| Recognised$/),
      expect.stringMatching(/Vorname \| Your choice$/),
      expect.stringMatching(/Termin \| Your choice$/),
    ]);
    const dates = page.getByText(
      /column “Termin” are not all in one order.* row 5 has “25\/04\/2026”, row 6 has “04\/26\/2026”/,
    );
    await dates.waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-sheet');
    const another = async (template: string) => {
      await page.getByRole('button', { name: 'Choose another', exact: true }).click();
      await chooseTemplate(page, template);
    };
    await another('delivery_window');
    await page.getByText('Rows above it are not read.').waitFor();
    expect(await select('Sheet').innerText()).toBe('Müller "Süd"');
    await another('order_update');
    await sendButton(page).click();
    await page
      .getByRole('dialog')
      .getByText(/column “Termin” are not all in one order/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 3 messages' }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    await page.getByText('3 messages', { exact: true }).waitFor();
  });

  it('of the first sheet have a warning in the confirmation, if others have rows', async () => {
    const page = await open('order_update');
    await dropSpreadsheet(page, { name: 'kunden.xlsx', mimeType: XLSX, buffer: await messyWorkbook() });
    await chooseColumn(page, '{{1}}', 'Phone');
    await chooseColumn(page, '{{2}}', 'Phone');
    expect(await page.getByText('Warnings:').count()).toBe(0);
    await sendButton(page).click();
    const told = 'Only the sheet “Alt” is read. Other sheets with rows: Müller "Süd".';
    await page.getByRole('dialog').getByText(told).waitFor();
  });

  it('are sent without members of a group and people of an earlier job, of which the job says so', async () => {
    const [anna, ben, cleo] = phones(3, 95_000) as [string, string, string];
    const { body: group } = await client.post('/groups', { name: 'Unwilling' });
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: ben }] });
    const { body: earlier } = await client.post('/bulk-jobs', {
      ...{ templateName: 'hello_world', name: 'First wave', hold: true, recipients: [{ to: anna }] },
    });
    const page = await open('hello_world');
    await dropSpreadsheet(page, ['Mobile', anna, ben, cleo]);
    await page.getByRole('button', { name: 'Send to 3 people…' }).waitFor();
    expect(await page.locator('.stat', { hasText: 'Left out' }).count()).toBe(0);
    await page.getByText('Leave people out').click();
    await page.getByRole('combobox', { name: 'Leave out members of' }).fill('Unwill');
    await page.getByRole('option', { name: /^Unwilling/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await page.getByRole('combobox', { name: 'Leave out people reached by the jobs' }).fill('First');
    await page.getByRole('option', { name: /^First wave/ }).click();
    await page.keyboard.press('Escape');
    await page.locator('.stat', { hasText: 'Left out' }).getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send to 1 person…' }).click();
    await page.getByRole('dialog').getByText('Left out: 2 people, as chosen.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 1 message' }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('Members of Unwilling').waitFor();
    await details.getByRole('link', { name: 'First wave' }).waitFor();
    expect(await details.getByText('Groups', { exact: true }).count()).toBe(0);
    const jobId = page.url().split('/').at(-1)!;
    const { items } = (await client.get(`/bulk-jobs/${jobId}/recipients`)).body as { items: Json[] };
    expect(items).toEqual([expect.objectContaining({ phone: cleo })]);
    expect(earlier.jobId).toBe((await client.get(`/bulk-jobs/${jobId}`)).body.audience.notReachedBy);
  });

  it('say so if everyone is left out', async () => {
    const [anna] = phones(1, 95_100) as [string];
    const { body: group } = await client.post('/groups', { name: 'Everyone' });
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: anna }] });
    const page = await open('hello_world');
    await dropSpreadsheet(page, ['Mobile', anna]);
    await page.getByText('Leave people out').click();
    await page.getByRole('combobox', { name: 'Leave out members of' }).fill('Every');
    await page.getByRole('option', { name: /^Everyone/ }).click();
    await page.getByText('Everyone in this file is left out').waitFor();
  });
});
