import type { Page } from 'playwright-core';
import { browserBundle } from '../support/browser-bundle';
import { type ConsoleBrowser, problemsOf } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { Client } from '../support/process/client';
import { KEY, type Service } from '../support/process/service';

const PAGE = '/a-page-of-an-integrator';
const BUNDLE = '/messaging-template-client.js';

/** What the script stores in `window.outcome`. */
interface Outcome {
  templates: string[];
  message: { messageId: string; status: string };
  again: string;
  job: { status: string; successfullySent: number; failed: number };
  progressed: boolean;
  failedRows: number[];
  refusal: { code: string; isNotFound: boolean };
}

const SCRIPT = `
  import { MessagingClient, NotFoundError } from '${BUNDLE}';
  const messaging = new MessagingClient({ baseUrl: location.origin, apiKey: '${KEY}' });
  const templates = [];
  for await (const { name } of messaging.templates()) templates.push(name);
  const order = {
    to: '4915112345678',
    templateName: 'order_update',
    templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }],
  };
  const message = await messaging.sendTemplate(order, { idempotencyKey: 'order-4711' });
  const again = await messaging.sendTemplate(order, { idempotencyKey: 'order-4711' });
  const file = new File(['Phone\\n+49 151 12345679\\n12\\n'], 'customers.csv');
  const { jobId } = await messaging.importFile({ file, templateName: 'hello_world' });
  let progressed = false;
  const job = await messaging.waitForJob(jobId, { onProgress: () => (progressed = true) });
  const failedRows = [];
  for await (const { rowNumber } of messaging.recipients(jobId, { status: 'Failed' })) failedRows.push(rowNumber);
  const refused = await messaging.sendTemplate({ ...order, templateName: 'none' }).catch((error) => error);
  const refusal = { code: refused.code, isNotFound: refused instanceof NotFoundError };
  window.outcome = { templates, message, again: again.messageId, job, progressed, failedRows, refusal };`;

describe('The client library in a browser', () => {
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser } = await startConsole());
  });

  afterAll(stopConsole);

  /** A page on the service's origin, served by the test together with the bundle. */
  async function pageWith(script: string): Promise<Page> {
    const page = await browser.open(service);
    const body = await browserBundle();
    await page.route(`**${BUNDLE}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await page.route(`**${PAGE}`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Shop</title><script type="module">${script}</script>`,
      }),
    );
    await page.goto(PAGE);
    return page;
  }

  it('lists templates, sends once, imports a file, waits for the job and reports errors', async () => {
    const page = await pageWith(SCRIPT);
    await page.waitForFunction('window.outcome').catch((error: unknown) => {
      throw new Error(`The page's script did not finish: ${problemsOf(page).join('; ')}`, { cause: error });
    });
    const { templates, message, again, job, progressed, failedRows, refusal } =
      await page.evaluate<Outcome>('window.outcome');
    expect(templates).toEqual(expect.arrayContaining(['hello_world', 'order_update']));
    expect(message.status).toBe('Sent');
    expect(again).toBe(message.messageId);
    expect(job).toMatchObject({ status: 'Completed', successfullySent: 1, failed: 1 });
    expect(progressed).toBe(true);
    expect(failedRows).toEqual([3]);
    expect(refusal).toEqual({ code: 'template_not_found', isNotFound: true });
    expect(problemsOf(page)).toEqual([]);
    const { body } = await new Client(service).get(`/messages/${message.messageId}`);
    expect(body).toMatchObject({ templateName: 'order_update' });
  });
});
