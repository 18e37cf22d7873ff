import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Service } from '../support/process/service';

/** The relative luminance of WCAG of a colour like `rgb(76, 195, 162)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)!.map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('The components of the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('pass the accessibility checks and the content security policy in all states', async () => {
    const page = await browser.signedIn(service, '/components');
    await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'components');

    await page.getByRole('combobox', { name: 'Language', exact: true }).click();
    await page.getByRole('option', { name: 'English' }).waitFor();
    await noViolations(page);
    await page.getByRole('option', { name: 'English' }).click();
    expect(new URL(page.url()).searchParams.get('language')).toBe('English');

    await page.getByRole('combobox', { name: 'Find a language' }).fill('fran');
    await page.getByRole('option', { name: 'Français' }).waitFor();
    await noViolations(page);
    await page.keyboard.press('Escape');

    for (const tab of ['Table', 'States']) {
      await page.getByRole('tab', { name: tab }).click();
      await noViolations(page);
      await screenshots(page, `components-${tab.toLowerCase()}`);
    }
  });

  it('work by keyboard: a dialog takes the focus, requires typing a word, and returns the focus', async () => {
    const page = await browser.signedIn(service, '/components');
    await page.getByRole('button', { name: 'Open a dialog' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send to 1,200 people?' });
    await dialog.waitFor();
    await noViolations(page);
    await screenshots(page, 'components-dialog');
    expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await dialog.getByLabel('How many?').fill('1200');
    expect(await dialog.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Open a dialog');
  });

  it('render only visible rows of a list of ten thousand', async () => {
    const page = await browser.signedIn(service, '/components');
    const list = page.getByRole('list', { name: 'Numbers' });
    await list.getByText('Row 1', { exact: true }).waitFor();
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('End');
    await list.getByText('Row 10000').waitFor();
  });

  it.each(['Light', 'Dark'])('show in the theme %s which segment is pressed', async (theme) => {
    const page = await browser.signedIn(service, '/components');
    await page.getByRole('button', { name: theme }).click();
    const colors = await page.evaluate<string[]>(`(() => {
      const pressed = [...document.querySelectorAll('.segments')].at(-1).querySelector('[aria-pressed="true"]');
      return [pressed, pressed.parentElement].map((one) => getComputedStyle(one).backgroundColor);
    })()`);
    const [lower, higher] = colors.map(luminance).sort((one, other) => one - other) as [number, number];
    expect((higher + 0.05) / (lower + 0.05)).toBeGreaterThan(3);
  });

  it('keep the chosen theme', async () => {
    const page = await browser.signedIn(service, '/components');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const look = await page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    expect(look).toBe('dark');
    await noViolations(page);
  });
});
