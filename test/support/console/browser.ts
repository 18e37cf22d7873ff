import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { KEY, type Service } from '../process/service';

const SCREENSHOTS = resolve(__dirname, '../../../dist.screenshots');
const AXE = require.resolve('axe-core/axe.min.js');
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 400, height: 800 };
const PLACED_MS = 2000;
/** For README.md: small enough for mobile readers. */
const IMAGE_HEIGHT = 500;
const IMAGE_BYTES = 64_000;
const TOP_MARGIN = 24;

/** Problems of a page: script errors and violations of its content security policy. */
const problems = new WeakMap<Page, string[]>();

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[];
}

/** How a page is shown: its width in pixels, the language of the browser, and whether it is used by touch. */
interface Look {
  width?: number;
  locale?: string;
  touch?: boolean;
}

/** Browser contexts on the consoles of services, one per simulated person. */
export class ConsoleBrowser {
  private contexts: { test: string | undefined; context: BrowserContext }[] = [];

  private constructor(private readonly browser: Browser) {}

  static async connect(): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await chromium.connect(process.env.CONSOLE_BROWSER!));
  }

  /** A page in a new browser, signed out; `path` starts with a slash, without `/console`. */
  async open(service: Pick<Service, 'url'>, path = '/', look: Look = {}): Promise<Page> {
    const page = await this.newPage(service, look);
    await page.goto(`/console${path}`);
    return page;
  }

  /** The same, signed in with `key`. */
  async signedIn(
    service: Pick<Service, 'url'>,
    path = '/',
    { key = KEY, ...look }: Look & { key?: string } = {},
  ): Promise<Page> {
    const page = await this.newPage(service, look);
    // As the form of the sign-in does, without loading it.
    const headers = { 'sec-fetch-site': 'same-origin', origin: service.url };
    const answer = await page.request.post('/console/session', { data: { apiKey: key }, headers });
    expect([answer.status(), await answer.text()]).toEqual([200, expect.any(String)]);
    await page.goto(`/console${path}`);
    await firstScreen(page);
    return page;
  }

  private async newPage(
    { url }: Pick<Service, 'url'>,
    { width = WIDE.width, locale = 'en-GB', touch = false }: Look,
  ): Promise<Page> {
    await this.closeEarlier();
    const context = await this.browser.newContext({
      baseURL: url,
      viewport: { ...WIDE, width },
      locale,
      timezoneId: 'Europe/Berlin',
      ...(touch && { hasTouch: true, isMobile: true }),
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.contexts.push({ test: expect.getState().currentTestName, context });
    const page = await context.newPage();
    watch(page);
    return page;
  }

  async close(): Promise<void> {
    for (const { context } of this.contexts) await context.close();
    await this.browser.close();
  }

  /** Closes the pages of earlier tests: their live updates would take processor time from those that follow. */
  private async closeEarlier(): Promise<void> {
    const { currentTestName } = expect.getState();
    const isEarlier = ({ test }: { test: string | undefined }) => test !== undefined && test !== currentTestName;
    const earlier = this.contexts.filter(isEarlier);
    this.contexts = this.contexts.filter((one) => !isEarlier(one));
    for (const { context } of earlier) await context.close();
  }
}

/** Signs in with a key and waits for the next screen. */
export async function signIn(page: Page, key = KEY): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await firstScreen(page);
}

function firstScreen(page: Page): Promise<void> {
  return page.getByRole('main').getByRole('heading', { level: 1 }).and(page.locator(':not(.sign-in h1)')).waitFor();
}

/** Fails if the page violated its content security policy, logged errors, or has axe findings. */
export async function noViolations(page: Page): Promise<void> {
  await page.evaluate(`(async () => { ${await axeSource()} })()`);
  // While a control's list is open, Base UI hides the rest of the page, so only the list is checked.
  const { violations } = await page.evaluate<AxeResults>(`(() => {
    const list = document.querySelector('.floating');
    return axe.run(list ?? document, { resultTypes: ['violations'], rules: { region: { enabled: !list } } });
  })()`);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary ?? ''}`),
  );
  expect([...found, ...problemsOf(page)]).toEqual([]);
}

/** The unexpected problems of the page so far. */
export function problemsOf(page: Page, expected = /$^/): string[] {
  return (problems.get(page) ?? []).filter((problem) => !expected.test(problem));
}

/**
 * Fails if something of the page is cut off or wider than the screen, at its full width and at 400 pixels; restores the page afterwards.
 * Takes screenshots in light, dark and at 400 pixels in dist.screenshots, except in CI, where these take minutes and are not looked at.
 */
export async function screenshots(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const picture = async (look: string) => {
    await page.evaluate('window.scrollTo(0, 0)');
    const path = join(SCREENSHOTS, `${name}-${look}.png`);
    if (!process.env.CI) await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    await nothingCutOff(page);
  };
  const before = page.viewportSize() ?? WIDE;
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await picture('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(NARROW);
  await picture('400');
  await page.setViewportSize(before);
}

/** Fails if something is still cut off or wider than the screen two seconds after a change of its size: what floats is moved after it. */
export async function nothingCutOff(page: Page): Promise<void> {
  const deadline = Date.now() + PLACED_MS;
  let cutOff = await page.evaluate<string[]>(CUT_OFF);
  while (cutOff.length > 0 && Date.now() < deadline) {
    await page.waitForTimeout(100);
    cutOff = await page.evaluate<string[]>(CUT_OFF);
  }
  expect(cutOff).toEqual([]);
}

/** Overflowing elements: those that do not scroll but do not fit, and tables that need scrolling. */
const CUT_OFF = `[...document.querySelectorAll('html, h1, .stat-value, .button, .table-scroll, .dialog, .note, .panel-head')]
  .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.className + ': ' + one.textContent.slice(0, 60))`;

/** Writes the README.md image of this page, or of `part` in `height` pixels, without the navigation, into the folder `CONSOLE_IMAGES`, if set. */
export async function readmeImage(page: Page, name: string, part?: Locator, height = IMAGE_HEIGHT): Promise<void> {
  const folder = process.env.CONSOLE_IMAGES;
  if (!folder) return;
  const before = page.viewportSize() ?? WIDE;
  await page.setViewportSize({ width: WIDE.width, height });
  await page.evaluate('window.scrollTo(0, 0)');
  if (part) await page.mouse.wheel(0, (await part.boundingBox())!.y - TOP_MARGIN);
  const { x } = (await page.getByRole('main').boundingBox())!;
  const clip = { x, y: 0, width: WIDE.width - x, height };
  const image = await page.screenshot({ path: join(folder, `${name}.png`), clip, animations: 'disabled' });
  await page.setViewportSize(before);
  expect(image.length).toBeLessThanOrEqual(IMAGE_BYTES);
}

async function axeSource(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(AXE, 'utf8');
}

function watch(page: Page): void {
  const found: string[] = [];
  problems.set(page, found);
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A policy violation is also logged as a page error.
    if (message.type() === 'error' && !isAnswer(message.text())) found.push(`log: ${message.text()}`);
  });
}

/** The browser logs each response with status 400 or higher; tests check those on the page. */
function isAnswer(text: string): boolean {
  return text.startsWith('Failed to load resource: ');
}
