import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, nothingCutOff, problemsOf, screenshots } from '../support/console/browser';
import { chooseColumn, chooseTemplate, pairs, withoutCountry } from '../support/console/columns';
import { csvFile, dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The columns of a campaign in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const [ANNA, BEN] = phones(2, 70_000) as [string, string];
  const open = async (
    template: string,
    { hasCountry = true, ...options }: { width?: number; hasCountry?: boolean } = {},
  ) => {
    const page = await browser.signedIn(service, '/send/campaign', options);
    if (!hasCountry) await withoutCountry(page);
    await chooseTemplate(page, template);
    return page;
  };
  const sendButton = (page: Page) => page.getByRole('button', { name: /^Send to / });
  const hold = async (page: Page): Promise<Json[]> => {
    await page.getByRole('switch', { name: 'Create on hold' }).click();
    await page.getByRole('button', { name: 'Create job…' }).click();
    await page.getByRole('button', { name: 'Create job on hold' }).click();
    await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}$/);
    const jobId = page.url().split('/').at(-1)!;
    return (await client.get(`/bulk-jobs/${jobId}/recipients`)).body.items as Json[];
  };

  it('are guesses to confirm before anything is sent, remembered for the same header row', async () => {
    const page = await open('order_update');
    await dropSpreadsheet(page, ['Vorname;Bestellnummer;Handy', `Anna;A-1;${ANNA}`, `Ben;A-2;${BEN}`]);
    await page.getByRole('button', { name: 'Use these columns' }).waitFor();
    expect(await pairs(page)).toEqual([
      `Phone, e.g. +49 ${ANNA.slice(2)} | Handy | Recognised`,
      '{{1}}, e.g. Anna | Vorname | Please check',
      '{{2}}, e.g. A-1 | Bestellnummer | Please check',
    ]);
    await sendButton(page).click();
    await page.getByRole('dialog').getByText('These columns are guesses. By sending you confirm them:').waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-confirm-guesses');
    await page.getByRole('button', { name: 'Back' }).click();
    await noViolations(page);
    await screenshots(page, 'campaign-columns');
    await chooseColumn(page, '{{1}}', 'Bestellnummer');
    await chooseColumn(page, '{{2}}', 'Vorname');
    await page.getByText('{{1}}, e.g. A-1').waitFor();
    expect(await page.getByRole('button', { name: 'Use these columns' }).count()).toBe(0);
    await sendButton(page).click();
    await page.getByRole('dialog').getByText('starting now').waitFor();
    expect(await page.getByRole('list', { name: 'Guessed columns' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();

    await page.reload();
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/bulk-import-messages*', (route) => held.then(() => route.continue()));
    await dropSpreadsheet(page, ['Vorname;Bestellnummer;Handy', `Tom;A-3;${ANNA}`]);
    await page.getByRole('region', { name: 'Check', exact: true }).getByText('The file is being checked.').waitFor();
    release();
    await page.getByText('You have used a file with the same header row before').waitFor();
    await page.getByText('{{1}}, e.g. A-3').waitFor();
    expect(await pairs(page)).toEqual([
      `Phone, e.g. +49 ${ANNA.slice(2)} | Handy | As last time`,
      '{{1}}, e.g. A-3 | Bestellnummer | As last time',
      '{{2}}, e.g. Tom | Vorname | As last time',
    ]);
    await noViolations(page);
    await screenshots(page, 'campaign-columns-remembered');
    expect(await hold(page)).toMatchObject([{ phone: ANNA, parameters: ['A-3', 'Tom'] }]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('keep what was chosen before the others are confirmed', async () => {
    const page = await open('order_update');
    const lines = ['Vorname;Bestellnummer;Handy;Ort', `Anna;A-1;${ANNA};Köln`];
    await dropSpreadsheet(page, lines);
    await chooseColumn(page, '{{2}}', 'Ort');
    await page.getByText('{{2}}, e.g. Köln').waitFor();
    await page.reload();
    await dropSpreadsheet(page, lines);
    await page.getByText('{{2}}, e.g. Köln').waitFor();
    expect(await pairs(page)).toEqual([
      `Phone, e.g. +49 ${ANNA.slice(2)} | Handy | As last time`,
      '{{1}}, e.g. Anna | Vorname | Please check',
      '{{2}}, e.g. Köln | Ort | As last time',
    ]);
    await page.getByRole('button', { name: 'Use these columns' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('show that people get several messages if they have rows with other contents', async () => {
    const page = await open('appointment_note');
    const rows = ['Mobile,Starts at,First name', `${ANNA},09:30,Anna`, `${BEN},10:30,Ben`, `${ANNA},11:30,Anna`];
    await dropSpreadsheet(page, rows);
    const warning = page.locator('.note[data-tone=warning]', { hasText: '1 repeated row differs from an earlier row' });
    await warning.getByText('The first is row 4, for the person of row 2.').waitFor();
    const figure = (label: string) => page.locator('.stat', { hasText: label }).innerText();
    expect(await figure('Repeated')).toMatch(/^Repeated\s+1\s+all sent, see below$/);
    expect(await figure('Will receive it')).toMatch(/^Will receive it\s+2\s+3 messages$/);
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send 3 messages to 2 people?' });
    await dialog.getByRole('button', { name: 'Send 3 messages' }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Send only the first row of each person' }).click();
    await page.getByText('Each person gets one message, that of their first valid row.').waitFor();
    await warning.waitFor({ state: 'detached' });
    expect(await figure('Repeated')).toMatch(/^Repeated\s+1\s+sent once$/);
    expect(await figure('Will receive it')).toMatch(/^Will receive it\s+2$/);
    await page.getByRole('button', { name: 'Send all rows' }).click();
    await warning.waitFor();
  });

  it('may be one text for all, and have one for empty cells, remembered for the same header row', async () => {
    const page = await open('order_update');
    const text = (name: string) => page.getByRole('textbox', { name, exact: true });
    const lines = ['Mobile;First name', `${ANNA};Anna`, `${BEN};`];
    await dropSpreadsheet(page, lines);
    await page.getByText(/^No column for \{\{2\}\}/).waitFor();
    await chooseColumn(page, '{{2}}', 'The same text for all');
    await chooseColumn(page, '{{1}}', 'First name');
    expect(await sendButton(page).count()).toBe(0);
    await text('Text for {{2}}').fill(' SAVE10 ');
    await page.getByText('{{2}}, e.g. SAVE10').waitFor();
    await page.getByRole('button', { name: 'Send to 1 person…' }).waitFor();
    await text('Default for {{1}}').pressSequentially('there');
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-columns-texts');

    await page.reload();
    await dropSpreadsheet(page, lines);
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    expect(await text('Default for {{1}}').inputValue()).toBe('there');
    expect(await pairs(page)).toEqual([
      `Phone, e.g. +49 ${ANNA.slice(2)} | Mobile | As last time`,
      '{{1}}, e.g. Anna | First name | As last time',
      '{{2}}, e.g. SAVE10 | The same text for all | As last time',
    ]);
    expect(await hold(page)).toMatchObject([
      { phone: ANNA, parameters: ['Anna', 'SAVE10'] },
      { phone: BEN, parameters: ['there', 'SAVE10'] },
    ]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('are those of the same file when another template is chosen, until the campaign starts over', async () => {
    const page = await open('hello_world');
    await dropSpreadsheet(page, ['Mobile,Starts at,First name', `${ANNA},09:30,Anna`, `${BEN},10:30,Ben`]);
    await sendButton(page).waitFor();
    const another = async (template: string) => {
      await page.getByRole('button', { name: 'Choose another', exact: true }).click();
      await chooseTemplate(page, template);
      await sendButton(page).waitFor();
    };
    await another('appointment_note');
    await page.getByText('first name, e.g. Anna').waitFor();
    const columns = async () => (await pairs(page)).map((pair) => pair.split(' | ')[1]);
    expect(await columns()).toEqual(['Mobile', 'First name', 'Starts at']);

    // What a person chose stays for another language of the template, not for another template with as many values.
    const guesses = page.getByRole('button', { name: 'Use these columns' });
    await another('order_update');
    await chooseColumn(page, '{{1}}', 'Starts at');
    await chooseColumn(page, '{{2}}', 'First name');
    await another('appointment_reminder en_US');
    await guesses.waitFor();
    await chooseColumn(page, '{{1}}', 'First name');
    await chooseColumn(page, '{{2}}', 'Starts at');
    await another('appointment_reminder de');
    await page.getByText('{{2}}, e.g. 09:30').waitFor();
    expect(await columns()).toEqual(['Mobile', 'First name', 'Starts at']);
    expect(await guesses.count()).toBe(0);

    await page.reload();
    await dropSpreadsheet(page, ['Mobile,Starts at,First name', `${ANNA},09:30,Anna`]);
    await sendButton(page).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    const templates = page.getByRole('list', { name: 'Approved templates' });
    await templates.or(page.getByText('Drop your spreadsheet here')).waitFor();
    expect(await sendButton(page).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  });

  it('need no click where the service is certain', async () => {
    const page = await open('appointment_note');
    await dropSpreadsheet(page, ['Mobile,Starts at,First name,Newsletter', `${ANNA},09:30,Anna,yes`]);
    await sendButton(page).waitFor();
    expect((await pairs(page)).map((pair) => pair.split(' | ').at(-1))).toEqual(Array(3).fill('Recognised'));
    expect(await sendButton(page).isEnabled()).toBe(true);
    await page.getByText('Not used by this template, only kept for the report: Newsletter.').waitFor();
    expect(await hold(page)).toMatchObject([{ phone: ANNA, parameters: ['Anna', '09:30'] }]);
  });

  it('can all be chosen by keyboard at phone width, of a file without a header row too', async () => {
    const page = await open('order_update', { width: 390 });
    await dropSpreadsheet(page, [`Anna,${ANNA},A-1,x`, `Ben,${BEN},A-2,y`]);
    await page.getByText(/^No column for \{\{1\}\} and \{\{2\}\}/).waitFor();
    // Not a mistake before the person has done anything.
    expect(await page.locator('[data-tone=danger]').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Column for Phone' }).focus();
    for (const column of ['Column A', 'Column C']) {
      await page.keyboard.press('Tab');
      // The default of the column before.
      if (column === 'Column C') await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const highlighted = page.locator('[role=option][data-highlighted]');
      for (let n = 0; n < 9 && !(await highlighted.innerText()).includes(column); n++) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.locator('[role=combobox]:focus', { hasText: column }).waitFor();
    }
    const use = page.getByRole('button', { name: 'Use these columns' });
    if (await use.count()) {
      await use.focus();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await noViolations(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await hold(page)).toMatchObject([
      { phone: ANNA, parameters: ['Anna', 'A-1'] },
      { phone: BEN, parameters: ['Ben', 'A-2'] },
    ]);
  });

  it('give each person a document, a reference and a user id of their own', async () => {
    const page = await open('invoice_ready');
    const url = 'https://files.example.com/7.pdf';
    await dropSpreadsheet(page, [
      'Mobile;Kunde;Rechnung;Datei;Name der Datei;Kundennr;WhatsApp ID',
      `${ANNA};Anna;R-7;${url};Anna 7.pdf;K-1;`,
      `;Ben;R-8;${url};;K-2;DE.70002`,
    ]);
    await page.getByText(/^Optional columns/).click();
    // The guess of the column with links may be wrong.
    await chooseColumn(page, 'Link to the header document', 'Not used');
    await chooseColumn(page, '{{1}}', 'Kunde');
    await chooseColumn(page, '{{2}}', 'Rechnung');
    await page.getByText('The message header is incomplete: add it above, or choose a column with it.').waitFor();
    await chooseColumn(page, 'Link to the header document', 'Datei');
    await chooseColumn(page, 'File name', 'Name der Datei');
    await chooseColumn(page, 'Reference', 'Kundennr');
    await chooseColumn(page, 'WhatsApp user ID', 'WhatsApp ID');
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-columns-media');
    const made = await hold(page);
    expect(made).toMatchObject([
      { phone: ANNA, parameters: ['Anna', 'R-7'] },
      { phone: null, userId: 'DE.70002', parameters: ['Ben', 'R-8'] },
    ]);
    const jobId = page.url().split('/').at(-1)!;
    const { body: report } = await client.get(`/bulk-jobs/${jobId}/report?layout=standard`);
    for (const part of ['Anna 7.pdf', url, 'K-1', 'K-2']) expect(report).toContain(part);
  });

  it('fit a narrow phone, with a bad value in the last column', async () => {
    const page = await open('order_update');
    const rows = [`${ANNA};Hildegard von Bingen;Bingen am Rhein;`, `${BEN};Ben;Berlin;A-2`];
    await dropSpreadsheet(page, ['Handy;Vorname und Nachname;Wohnort der Person;Bestellnummer', ...rows]);
    await chooseColumn(page, '{{1}}', 'Vorname und Nachname');
    await chooseColumn(page, '{{2}}', 'Bestellnummer');
    await page.getByRole('cell', { name: 'Mistake: empty' }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await nothingCutOff(page);
  });

  it('wait for the header picture, and name it at every step that needs it', async () => {
    const page = await open('summer_sale');
    const step = (name: string) => page.getByRole('region', { name, exact: true });
    const missed = step('Name and template').getByText('The header is incomplete. Nothing can be sent without it.');
    const done = step('Name and template').locator('.send-step-number[data-done]');
    await page.getByText('Drop the header picture here').waitFor();
    expect(await missed.count()).toBe(0);
    await dropSpreadsheet(page, ['Handy;Name', `${ANNA};Anna`]);
    await chooseColumn(page, '{{1}}', 'Name');
    await missed.waitFor();
    expect(await done.count()).toBe(0);
    for (const name of ['Check', 'Schedule']) await step(name).getByText('Add the header picture first.').waitFor();
    await page.getByLabel('Or a public URL of the picture').fill('https://files.example.com/sale.png');
    await sendButton(page).waitFor();
    await done.waitFor();
    expect(await missed.count()).toBe(0);
    await noViolations(page);
  });

  it('show what is wrong in the cells of bad rows, which can be downloaded, and ask for a missing country', async () => {
    const page = await open('order_update', { hasCountry: false });
    const rows = ['0151 12345671;Anna;A-1', `${BEN};;A-2`, `${ANNA};Anna;A-1`, '0151 12345672;Tom;A-3'];
    await dropSpreadsheet(page, csvFile(['Handy;Vorname;Bestellnummer', ...rows], 'Kunden.csv'));
    const sheet = page.getByRole('region', { name: 'Bad rows, as in the file' });
    await sheet.getByRole('cell', { name: 'Mistake: 0151 12345671' }).waitFor();
    await sheet.getByRole('cell', { name: 'Mistake: empty' }).waitFor();
    expect(await sheet.getByRole('rowheader').allInnerTexts()).toEqual(['2', '3', '5']);
    await page.getByRole('article', { name: 'Message to row 4' }).waitFor();
    await page.getByRole('combobox', { name: 'Previewed row' }).click();
    await page.getByRole('option', { name: /^Row 2 / }).click();
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    await page.getByText('Not sent.').waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-bad-rows');
    const started = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Check' }).getByRole('button', { name: 'CSV' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe('Kunden-bad-rows.csv');
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    for (const part of ['0151 12345671', '0151 12345672', BEN, 'Vorname']) expect(text).toContain(part);
    expect(text).not.toContain(ANNA);
    expect(text).toMatch(/^\uFEFF"Problem";"Row";"Handy";"Vorname";"Bestellnummer"\r\n/);

    const warning = page.getByText('Numbers without a country code get no message until you choose their country');
    await warning.first().waitFor();
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await country.press('Enter');
    await sheet.getByRole('rowheader', { name: '5' }).waitFor({ state: 'detached' });
    expect(await warning.count()).toBe(0);
    expect(await sheet.getByRole('rowheader').allInnerTexts()).toEqual(['3']);
    await page.getByRole('button', { name: 'Use these columns' }).click();
    const made = await hold(page);
    expect(made.map(({ phone }: Json) => phone as string)).toEqual(
      expect.arrayContaining(['4915112345671', ANNA, '4915112345672']),
    );
  });

  it('with national numbers only lead to their country', async () => {
    const page = await open('order_update', { hasCountry: false });
    await dropSpreadsheet(page, ['Handy;Vorname;Bestellnummer', '0151 12345671;Anna;A-1', '0151 12345672;Tom;A-3']);
    const alert = page.getByRole('alert').filter({ hasText: 'There are no complete phone numbers in “Handy”' });
    await alert.getByText(/^Choose the country of the numbers above, or write them/).waitFor();
    expect(await sendButton(page).count()).toBe(0);
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    await country.click();
    // The browser's country is among the first.
    await page.getByRole('option', { name: 'United Kingdom' }).waitFor();
    expect(await page.getByRole('option').first().innerText()).not.toBe('Afghanistan');
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await country.press('Enter');
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await page.getByText('Such as 0151 12345678, which are taken as numbers of this country.').waitFor();
    expect(await page.getByText('only complete with their country').count()).toBe(0);
    await noViolations(page);
    // The next file begins with this country.
    await dropSpreadsheet(page, ['Mobil;Vorname;Bestellnummer', '0151 12345673;Anna;A-1']);
    await page.getByRole('button', { name: 'Send to 1 person…' }).waitFor();
    expect(await country.inputValue()).toBe('Germany');
  });

  it('with numbers that are valid in two countries warn before anything is sent', async () => {
    const page = await open('order_update');
    await dropSpreadsheet(page, ['Handynummer;Vorname;Bestellnummer', '15123456789;Anna;A-1']);
    await page.getByRole('button', { name: 'Use these columns' }).click();
    const note = page.getByText(
      /^1 number without a country code is valid in two countries and read as numbers from Germany: “15123456789” in row 2 as \+49 ?1512.*, not as \+1 ?512/,
    );
    await note.waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-ambiguous-numbers');
    await sendButton(page).click();
    await page.getByRole('dialog').getByText('valid in two countries').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    // Without the country, other rows would be read differently too.
    expect(await page.getByRole('button', { name: 'Use the other reading' }).count()).toBe(0);
    expect(await hold(page)).toMatchObject([{ phone: '4915123456789' }]);
  });
});
