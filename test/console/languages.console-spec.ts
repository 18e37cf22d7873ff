import { utils, write } from '@e965/xlsx';
import type { Page } from 'playwright-core';
import german from '../../libs/console/language/catalogs/de.json';
import { type ConsoleBrowser, noViolations, nothingCutOff } from '../support/console/browser';
import { withoutCountry } from '../support/console/columns';
import { csvFile } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { KEY, type Service } from '../support/process/service';

const MESSAGES: Readonly<Record<string, string>> = german.messages;
/** More than 999, so that their number is grouped. */
const RECIPIENTS = 1000;

/** A message in German. */
const de = (message: string): string => MESSAGES[message] ?? message;

describe('The languages of the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;
  let jobId: string;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
    jobId = await sendTo(client, phones(RECIPIENTS), { name: 'Frühlingsaktion' });
  });

  afterAll(stopConsole);

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const signedIn = async (page: Page) => {
    await page.getByLabel(de('API key')).fill(KEY);
    await page.getByRole('button', { name: de('Sign in'), exact: true }).click();
    await page.locator('.shell h1').waitFor();
  };
  const open = (path: string, width?: number) => browser.open(service, path, { locale: 'de-DE', width });

  describe('in a German browser', () => {
    it('are German, with its numbers and dates', async () => {
      const page = await open('/');
      await heading(page, de('Messaging console')).waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      expect(await englishTexts(page)).toEqual([]);
      await noViolations(page);
      await signedIn(page);
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
      expect(await englishTexts(page)).toEqual([]);
      await noViolations(page);
      await page.getByRole('navigation').getByRole('link', { name: 'Aufträge' }).click();
      await heading(page, 'Aufträge').waitFor();
      const row = page.getByRole('row', { name: /Frühlingsaktion/ });
      await row.getByRole('cell', { name: '1.000', exact: true }).first().waitFor();
      await row.getByTitle(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/).waitFor();
      expect(await englishTexts(page)).toEqual([]);
    });

    it('explain an error of the service in German, and mark its own words as English', async () => {
      const page = await open('/');
      await signedIn(page);
      const body = { code: 'conflict', message: 'The list is locked.', statusCode: 409, error: 'Conflict' };
      await page.route('**/api/v1/messaging/groups*', (route) => route.fulfill({ status: 409, json: body }));
      await page.getByRole('navigation').getByRole('link', { name: 'Gruppen' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText('Das ist im jetzigen Zustand nicht möglich.').waitFor();
      expect(await alert.locator('[lang=en]').innerText()).toBe('The list is locked.');
    });

    it('say in German why a job is paused, and quote the answer of WhatsApp', async () => {
      const page = await open('/');
      await signedIn(page);
      const { body: job } = await client.get(`/bulk-jobs/${jobId}`);
      const message =
        'The platform refused 20 consecutive messages, the last one with: Message undeliverable (platform code 131026). ' +
        'Fix the cause, then resume the job.';
      const pauseReason = { code: 'refusals_in_row', message };
      await page.route(/\/messaging\/events\?/, (route) => route.abort());
      await page.route(`**/bulk-jobs/${jobId}`, (route) =>
        route.fulfill({ json: { ...job, status: 'Paused', pauseReason, completedAt: null } }),
      );
      await page.goto(`/console/jobs/${jobId}`);
      const note = page.locator('main .note').filter({ hasText: 'WhatsApp hat viele Nachrichten' });
      expect(await note.locator('[lang=en]').innerText()).toBe('Message undeliverable');
    });

    it('say what to do about a refusal that no key would change', async () => {
      const page = await open('/');
      const json = { code: 'console_needs_tls', message: 'Use HTTPS.', statusCode: 403, error: 'Forbidden' };
      await page.route('**/console/session', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 403, json }) : route.continue(),
      );
      await page.getByLabel(de('API key')).fill(KEY);
      await page.getByRole('button', { name: de('Sign in'), exact: true }).click();
      const alert = page.getByRole('alert');
      await alert.getByText('Öffnen Sie die Konsole über HTTPS').waitFor();
      expect(await alert.locator('[lang=en]').count()).toBe(0);
    });

    it('say what is wrong with the fields of a template in German only', async () => {
      const page = await open('/templates/new');
      await signedIn(page);
      expect(await page.getByRole('combobox', { name: de('Language') }).inputValue()).toBe('de');
      const language = page.getByRole('combobox', { name: de('Language') });
      await language.fill('x'.repeat(21));
      await page.keyboard.press('Tab');
      await page.getByText('Geben Sie höchstens 20 Zeichen ein.').waitFor();
      // The form of the request is checked before the rules of the platform.
      await language.fill('de');
      await page.getByLabel(de('Body text')).fill('{{1}} ist da');
      await page.keyboard.press('Tab');
      await page.getByText('Setzen Sie Wörter vor und hinter die Platzhalter.', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: de('Header') }).click();
      await page.getByRole('option', { name: de('Image') }).click();
      await page.getByRole('button', { name: de('Link') }).click();
      await page.getByLabel(de('URL'), { exact: true }).fill('www.shop.de');
      await page.getByRole('button', { name: de('Submit for review') }).click();
      await page.getByText('Beginnen Sie mit https://, zum Beispiel https://shop.example.').waitFor();
      await page.getByText('Wählen Sie eine Beispieldatei: JPEG oder PNG.').waitFor();
      expect(await page.locator('main [lang=en]').count()).toBe(0);
      const text = { name: 'text.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture') };
      await page.getByLabel(de('Drop an example here')).setInputFiles(text);
      await page
        .getByText('„text.txt“ kann hier nicht verwendet werden. Wählen Sie eine andere Datei: JPEG oder PNG.')
        .waitFor();
      expect(await page.locator('main [lang=en]').count()).toBe(0);
    });

    it('name no address and no status for a failure without an answer of the service', async () => {
      const page = await open('/');
      await signedIn(page);
      await page.route('**/api/v1/messaging/groups*', (route) => route.fulfill({ status: 500, body: 'Oops' }));
      await page.getByRole('navigation').getByRole('link', { name: 'Gruppen' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText(de('The service is in trouble. Try again later.'), { exact: true }).waitFor();
      expect(await alert.innerText()).not.toContain('HTTP');
    });

    it('name the row of a file that cannot be read, in German', async () => {
      const page = await open('/send/campaign');
      await signedIn(page);
      await page.getByRole('button', { name: /^hello_world / }).click();
      const file = csvFile(['Handy', '4915112345678', '"4915112345679', '4915112345680']);
      await page.getByLabel(de('Drop your spreadsheet here')).setInputFiles(file);
      const alert = page.getByRole('alert');
      await alert.getByText('Zeile 3 hat ein Anführungszeichen ("), das nicht geschlossen wird').waitFor();
      expect(await alert.locator('[lang=en]').innerText()).toContain('Row 3');
      expect(await alert.innerText()).not.toContain('Kennwort');
      await noViolations(page);
    });

    it('explain bad rows of a file in German only', async () => {
      const page = await open('/send/campaign');
      await signedIn(page);
      await withoutCountry(page);
      await page.getByRole('button', { name: /^hello_world / }).click();
      await page.getByLabel(de('Drop your spreadsheet here')).setInputFiles(csvFile(['Handy', '4915112345678', '12']));
      const rows = page.getByRole('region', { name: de('Bad rows, as in the file') });
      await rows.getByText('Telefonnummer ungültig: Schreiben Sie sie mit Ländervorwahl').waitFor();
      expect(await rows.locator('[lang=en]').count()).toBe(0);
      // The country is asked for once, not again by the rows that it does not correct.
      await page
        .getByLabel(de('Drop your spreadsheet here'))
        .setInputFiles(csvFile(['Handy', '4915112345678', '0151 1234', '0151 12345678']));
      await rows.getByText('oder wählen Sie das Land der Nummern').first().waitFor();
      const country = page.getByRole('combobox', { name: de('Which country are numbers without a code from?') });
      await country.fill('Deutschl');
      await page.getByRole('option', { name: 'Deutschland' }).click();
      await rows.getByText('Korrigieren Sie sie, oder schreiben Sie sie mit Ländervorwahl').first().waitFor();
      expect(await page.getByText('oder wählen Sie das Land der Nummern').count()).toBe(0);
    });

    it('explain dates of a workbook, and name the file of bad rows, in German when a group imports them', async () => {
      const { body: group } = await client.post('/groups', { name: 'Termine' });
      const page = await open(`/groups/${group.id}`);
      await signedIn(page);
      await page
        .getByRole('button', { name: de('Import file') })
        .first()
        .click();
      const sheet = utils.aoa_to_sheet([
        ['Handy', 'Name', 'Termin'],
        ['+4915112345678', 'Anna', 46350],
        ['12', 'Ben', 46351],
      ]);
      for (const cell of ['C2', 'C3']) Object.assign(sheet[cell] as object, { z: 'm/d/yyyy' });
      const buffer = write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
      const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      await page
        .getByLabel(de('Drop an Excel or CSV file here'))
        .setInputFiles({ name: 'kunden.xlsx', mimeType, buffer });
      const dialog = page.getByRole('dialog');
      // Written as in German, unless that is not wanted.
      await dialog.getByRole('combobox', { name: de('Dates and numbers in'), exact: true }).click();
      await page.getByRole('option', { name: de('As in the file'), exact: true }).click();
      await dialog.getByText(/der Spalte „Termin“ werden im US-Format gesendet: Zeile 2 sendet/).waitFor();
      expect(await dialog.getByText('a spreadsheet program displays').count()).toBe(0);
      const started = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Excel', exact: true }).click();
      expect((await started).suggestedFilename()).toBe('kunden-ungueltige-zeilen.xlsx');
    });

    it('explain an invalid row of a job in German only', async () => {
      const page = await open(`/jobs/${await sendTo(client, [...phones(1, 3_000), 'nobody'])}/failures`);
      await signedIn(page);
      await page.getByRole('heading', { name: 'Telefonnummer ungültig' }).waitFor();
      await page.getByText('Schreiben Sie die Nummer im internationalen Format').waitFor();
      expect(await page.locator('.failures [lang=en]').count()).toBe(0);
    });

    it('have no example of a reason that is explained, such as for opted-out people', async () => {
      const [phone] = phones(1, 3_010);
      await client.post('/opt-outs', { phone });
      const page = await open(`/jobs/${await sendTo(client, [phone!, 'nobody'])}/failures`);
      await signedIn(page);
      await page.getByText(de('The recipient has opted out of messages.')).waitFor();
      expect(await page.getByText(/^Beispiel: /).count()).toBe(0);
      expect(await page.locator('.failures [lang=en]').count()).toBe(0);
    });

    it('are English by choice, from the sign-in on, also after a reload', async () => {
      const page = await open('/');
      const choice = page.getByRole('group', { name: 'Sprache' });
      await choice.getByRole('button', { name: 'English' }).click();
      await heading(page, 'Messaging console').waitFor();
      await page.getByLabel('API key').fill(KEY);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
      await page.reload();
      await heading(page, 'Overview').waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('en');
      await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click();
      await page.getByRole('group', { name: 'Sprache' }).waitFor();
    });

    it('stay as they are if a person stays on a form with unsent contents', async () => {
      const page = await open('/send/campaign');
      await signedIn(page);
      const name = page.getByLabel(de('Campaign name (optional)'));
      await name.fill('Sommer');
      const english = page.getByRole('group', { name: 'Sprache' }).getByRole('button', { name: 'English' });
      await english.click();
      await page.getByRole('button', { name: de('Stay here') }).click();
      await page.reload();
      expect(await name.inputValue()).toBe('Sommer');
      await name.fill('Sommer 2');
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.type());
        void dialog.accept();
      });
      await english.click();
      await page.getByRole('button', { name: de('Leave'), exact: true }).click();
      await heading(page, 'New campaign').waitFor();
      expect(await page.getByLabel('Campaign name').inputValue()).toBe('Sommer 2');
      // The question was answered already.
      expect(dialogs).toEqual([]);
    });
  });

  describe('that run from right to left', () => {
    const catalog = { language: 'ar', direction: 'rtl', messages: mapped(MESSAGES) };

    /** Opens the console in the test language, signed in. */
    const openMirrored = async (width: number) => {
      const page = await open('/', width);
      const catalogs = /\/console\/assets\/de-[^/]*\.js$/;
      const body = `export default ${JSON.stringify(catalog)};`;
      await page.route(catalogs, (route) => route.fulfill({ contentType: 'text/javascript', body }));
      await signedIn(page);
      await page.reload();
      await page.locator('[dir=rtl] h1').waitFor();
      return page;
    };

    const SCREENS = [
      ['of jobs', (id: string) => ['/', '/jobs', `/jobs/${id}`, `/jobs/${id}/recipients`]],
      ['that send', () => ['/send/campaign', '/send/group', '/send/one', '/templates', '/templates/new']],
      ['of people', () => ['/conversations', '/messages', '/contacts', '/groups', '/opt-outs']],
      ['of developers', () => ['/senders', '/keys', '/webhooks', '/audit', '/accounts']],
    ] as const;

    it.each(SCREENS)('fit screens %s in widths of 1280 and 400 pixels', async (_, paths) => {
      const page = await openMirrored(1280);
      for (const path of paths(jobId)) {
        await page.goto(`/console${path}`);
        await page.locator('h1').waitFor();
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
        for (const width of [1280, 400]) {
          await page.setViewportSize({ width, height: 800 });
          await nothingCutOff(page);
          expect({ path, width, ...(await page.evaluate<object>(WIDTHS)) }).toEqual({ path, width, sideways: 0 });
          await noViolations(page);
        }
      }
    });

    it.each([1280, 400])('have the navigation on the right, at a width of %d pixels', async (width) => {
      const page = await openMirrored(width);
      if (width < 800) await page.locator('.topbar button').first().click();
      const { x, width: wide } = (await page.locator(width < 800 ? '.drawer' : '.sidebar').boundingBox())!;
      expect(x + wide).toBe(width);
      expect(x).toBeGreaterThan(0);
    });
  });
});

/** How far the page scrolls sideways, in pixels. */
const WIDTHS = `({ sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth })`;

/** Texts of the page, visible and spoken, without those marked as being in another language. */
const TEXTS = `(() => {
  const found = [document.title];
  for (const one of document.body.querySelectorAll(':not(script)')) {
    if (one.closest('[lang]') !== document.documentElement) continue;
    for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent.trim());
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(one.getAttribute(name) ?? '');
  }
  return found.filter((text) => text !== '');
})()`;

/** Of the first account. */
const ACCOUNT_NAME = 'Default';

/** The texts of the page that are English messages of the catalogue. */
async function englishTexts(page: Page): Promise<string[]> {
  const english = Object.entries(MESSAGES).flatMap(([key, translated]) => {
    const message = key.split(' | ').at(-1)!;
    return message === translated || /, (plural|select)/.test(message) ? [] : [patternOf(message)];
  });
  const texts = (await page.evaluate<string[]>(TEXTS)).filter((text) => text !== ACCOUNT_NAME);
  return texts.filter((text) => english.some((pattern) => pattern.test(text)));
}

/** What a message looks like with any values. */
function patternOf(message: string): RegExp {
  const parts = message.split(/\{[^{}]*\}|<\/?\w+>/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** The messages with Arabic letters instead of their own; values, plural forms and tags stay. */
function mapped(messages: Readonly<Record<string, string>>): Record<string, string> {
  const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';
  const arabic = (text: string) =>
    text.replaceAll(/<[^>]*>|\p{L}/gu, (found) =>
      found.length > 1 ? found : letters.charAt(found.codePointAt(0)! % letters.length),
    );
  const texts = (message: string) => {
    let depth = 0;
    // Text is outside braces, and inside the braces of a form, which are inside those of a value.
    return message.replaceAll(/[{}]|[^{}]+/g, (part) => {
      if (part === '{') depth += 1;
      else if (part === '}') depth -= 1;
      else if (depth % 2 === 0) return arabic(part);
      return part;
    });
  };
  return Object.fromEntries(Object.entries(messages).map(([key]) => [key, texts(key.split(' | ').at(-1)!)]));
}
