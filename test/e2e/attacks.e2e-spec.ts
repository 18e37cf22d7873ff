import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { anotherAccount } from '../support/process/accounts';
import { Client } from '../support/process/client';
import { type Service, startService } from '../support/process/service';
import { signatureOf } from '../support/process/webhook';
import { buildWorkbook, sharedStringsXml } from '../../libs/recipient-files/fixtures/build-workbook';

const MEGABYTE = 1024 * 1024;
const CSV = '4915112345678,Ann,PK-1\n';
const FIELDS = { templateName: 'order_update', dryRun: 'true' };

/** How long a health check may wait during an attack, in units of `referenceWork`: about 250 ms. */
const MAX_DELAY = 6;
const REFERENCE_BYTES = Buffer.alloc(64 * MEGABYTE, 1);

/** Sends requests until stopped, and then returns the sorted response times. */
const PROBE = `
const { parentPort, workerData } = require('node:worker_threads');
let over = false;
parentPort.once('message', () => (over = true));
(async () => {
  const delays = [];
  while (!over || delays.length < 40) {
    const startedAt = performance.now();
    if (!(await fetch(...workerData)).ok) throw new Error('The service is not healthy');
    delays.push(performance.now() - startedAt);
    await new Promise((done) => setTimeout(done, 10));
  }
  delays.sort((a, b) => a - b);
  parentPort.postMessage(delays);
})();`;

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

describe('A client that attacks with requests that cost the service more than itself', () => {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = await startService();
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
  });

  /**
   * 99th percentile of the health checks' response times during `attack`, minus that of a calm machine, as a multiple of the time that
   * `referenceWork` takes directly before or after: neither a slow processor nor other suites change the result.
   */
  async function healthDuring(attack: () => Promise<unknown>): Promise<number> {
    const calm = atShare(0.99, await delaysDuring(() => Promise.resolve()));
    const before = referenceWork();
    const delay = atShare(0.99, await delaysDuring(attack)) - calm;
    return delay / Math.max(before, referenceWork());
  }

  /** How long a fixed amount of hashing takes, in ms: about 40 on a processor that nothing else uses. */
  function referenceWork(): number {
    const startedAt = performance.now();
    createHash('sha256').update(REFERENCE_BYTES).digest();
    return performance.now() - startedAt;
  }

  /** The sorted response times of a request with this path and key during `attack`, in ms. */
  async function delaysDuring(attack: () => Promise<unknown>, path = '/health/live', key?: string): Promise<number[]> {
    // In a separate thread, which the attack does not keep busy.
    const probe = new Worker(PROBE, {
      eval: true,
      workerData: [service.url + path, { headers: key === undefined ? {} : { 'x-api-key': key } }],
    });
    const delays = new Promise<number[]>((resolve, reject) => {
      probe.once('message', resolve);
      probe.once('error', reject);
    });
    await attack().finally(() => probe.postMessage('over'));
    return delays;
  }

  const atShare = (share: number, sorted: number[]): number => sorted[Math.floor(sorted.length * share)]!;

  const times = <T>(count: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));

  it.each([
    ['list items', '/send-template', () => `{"to":"1","templateParameters":[${'{},'.repeat(16_000)}{}]}`, 400],
    ['bytes', '/send-template', () => `{"to":"${'1'.repeat(MEGABYTE)}"}`, 413],
    ['list items where many are allowed', 'contacts', () => `{"contacts":[${'0,'.repeat(340_000)}0]}`, 400],
    ['nested lists', '/send-template', () => `{"to":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400],
  ])('sends bodies of many %s and delays no one', async (_, route, makeBody, status) => {
    const { body: group } = await client.post('/groups', { name: `g${Date.now()}` });
    const path = route === 'contacts' ? `/groups/${(group as { id: string }).id}/contacts` : route;
    const body = makeBody();
    const statuses = new Set<number>();
    const delay = await healthDuring(() => times(3, async () => statuses.add((await client.post(path, body)).status)));
    expect([...statuses]).toEqual([status]);
    expect(delay).toBeLessThan(MAX_DELAY);
  });

  it.each([
    ['CSV files of blanks', 'a.csv', () => `${`${' '.repeat(8_000)}x\n`.repeat(7)}`],
    [
      'workbooks of empty shared strings',
      'a.xlsx',
      () => buildWorkbook({ rows: '', sharedStrings: sharedStringsXml('<si/>'.repeat(2_000_000)) }),
    ],
  ])('uploads %s, and others are still served', async (_, name, makeContent) => {
    const content = makeContent();
    const { key } = await anotherAccount(client);
    let served: { status: number } | undefined;
    const delay = await healthDuring(async () => {
      const flood = times(4, () => client.upload({ name, content }, FIELDS));
      served = await client.upload({ name: 'b.csv', content: CSV }, FIELDS, { key });
      for (const { status } of await flood) expect(status).toBeLessThan(500);
    });
    // 404: this account has no templates yet, but its file was received.
    expect([200, 404]).toContain(served?.status);
    expect(delay).toBeLessThan(MAX_DELAY);
  });

  it('sends 20 lists of 20 MB together, and others are still served', async () => {
    const { key } = await anotherAccount(client);
    const recipients = Array.from({ length: 10_000 }, (_, n) => ({
      to: String(4_915_110_000_000 + n),
      templateParameters: [{ text: 'x'.repeat(980) }, { text: 'y'.repeat(980) }],
    }));
    const body = JSON.stringify({ templateName: 'order_update', dryRun: true, recipients });
    expect(body.length).toBeGreaterThan(19 * MEGABYTE);
    const answers: { status: number; code: unknown; retryAfter: string | null }[] = [];
    const attack = () =>
      times(20, async () => {
        const { status, headers, body: answer } = await client.post('/bulk-jobs', body);
        answers.push({ status, code: answer.code, retryAfter: headers.get('retry-after') });
      });
    const delays = await delaysDuring(attack, '/api/v1/messaging/me', key);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const one of refused) expect(one).toEqual({ status: 503, code: 'service_unavailable', retryAfter: '10' });
    expect(answers.length).toBeGreaterThan(refused.length);
    expect(atShare(0.5, delays)).toBeLessThan(1000);
  });

  it('sends unsigned webhooks of 4 MB, and is rejected before they are read', async () => {
    const text = `{"entry":[{"id":"1"}],"rest":"${'x'.repeat(4 * MEGABYTE - 40)}"}`;
    const signature = signatureOf(text, 'a guess');
    const body = Buffer.from(text);
    const statuses = new Set<number>();
    const delay = await healthDuring(() =>
      times(3, async () => {
        for (let n = 0; n < 25; n++) {
          const answer = await fetch(`${service.url}/webhooks/platform`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
            body,
          }).catch(() => null);
          // A body rejected unread may end with the connection.
          statuses.add(answer?.status ?? 429);
        }
      }),
    );
    expect([...statuses].sort()).toEqual([401, 429]);
    expect(delay).toBeLessThan(MAX_DELAY);
  });
});
