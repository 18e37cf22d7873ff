import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Workbook } from 'exceljs';
import { readCommandLine } from './command-line';

const START_MS = 90_000;
const JOB_MS = 60_000;
const REPLY_MS = 15_000;
const TEMPLATE = 'order_update';
const RECIPIENTS = 240;
const CUSTOMER = '4915112345678';
/** In the sandbox, numbers ending in 0009 answer "STOP" automatically. */
const OPTED_OUT = '4915112340009';

interface Job {
  status: string;
  totalRecipients: number;
  successfullySent: number;
  failed: number;
  progressPercentage: number;
}

interface Conversation {
  id: string;
  contactName: string | null;
  unreadCount: number;
  windowExpiresAt: string | null;
}

interface Message {
  direction: 'Inbound' | 'Outbound';
  renderedText: string | null;
  content: { text?: string } | null;
  status: string;
}

interface Recipient {
  rowNumber: number;
  phone: string;
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
}

/** Demonstrates the main features without an installation: everything is embedded, in a temporary folder. */
async function demo(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-demo-'));
  const key = `demo-${randomBytes(24).toString('base64url')}`;
  say(
    'Starting the service: embedded database, embedded queue, platform sandbox (the first start takes several seconds)',
  );
  const service = spawn(process.execPath, [join(__dirname, '../main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      BOOTSTRAP_API_KEY: key,
      // Short times, so that an unknown outcome is settled during the demo.
      PLATFORM_TIMEOUT_SECONDS: '2',
      UNKNOWN_GRACE_SECONDS: '2',
      // The demo receives its webhook at an address of this machine.
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const { serviceUrl, sandboxUrl } = await addressesOf(service);
    const api = new Api(`${serviceUrl}/api/v1/messaging`, key);
    await sendToMany(api);
    await talk(api, new Api(sandboxUrl, key));
    say('Done. "npm start" runs the service with its own data until you stop it: open its console at');
    say('http://127.0.0.1:3000/console, or its documentation at http://127.0.0.1:3000/docs. The last line of its');
    say('startup output names the file with the key to sign in.');
  } finally {
    await end(service);
    await rm(folder, { recursive: true, force: true });
  }
}

async function sendToMany(api: Api): Promise<void> {
  const synced = await api.post<Record<string, unknown>>('/templates/sync', {});
  const templates = await api.get<{ totalCount: number }>('/templates?status=Approved');
  say(
    `Templates synced: ${templates.totalCount} approved (added ${String(synced.added)}, unchanged ${String(synced.unchanged)})`,
  );

  const message = await api.post<{ messageId: string; status: string; platformMessageId: string }>('/send-template', {
    to: CUSTOMER,
    templateName: TEMPLATE,
    templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }],
  });
  say(`One message: ${message.status}, platform id ${message.platformMessageId}`);

  const webhook = await WebhookReceiver.start();
  try {
    webhook.secret = (
      await api.post<{ secret: string }>('/webhook-endpoints', { url: webhook.url, events: ['job.completed'] })
    ).secret;
    await sendFile(api);
    say(`Webhook received, its signature is valid: ${await webhook.firstEvent()}`);
  } finally {
    webhook.close();
  }
}

async function sendFile(api: Api): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([await spreadsheet()]), 'customers.xlsx');
  form.append('templateName', TEMPLATE);
  const job = await api.upload<{
    jobId: string;
    totalRecipients: number;
    invalidRows: number;
    duplicateRows: number;
    warnings: string[];
  }>('/bulk-import-messages', form);
  say(
    `customers.xlsx accepted as job ${job.jobId}: ${job.totalRecipients} recipients, ${job.invalidRows} invalid rows, ${job.duplicateRows} duplicate dropped`,
  );
  for (const warning of job.warnings) say(`  note: ${warning}`);

  const status = await watch(api, job.jobId);
  await summarise(api, job.jobId, status);
  await saveReport(api, job.jobId);
}

/** Shows the reported progress, on a terminal in one line that is updated. */
async function watch(api: Api, jobId: string): Promise<Job> {
  for await (const { type, data } of api.events(`/bulk-jobs/${jobId}/events`)) {
    const job = data as Job;
    if (type === 'end') {
      if (process.stdout.isTTY) say('');
      return job;
    }
    const bar = '#'.repeat(Math.floor(job.progressPercentage / 5)).padEnd(20, '.');
    const counts = `${job.successfullySent} sent, ${job.failed} failed or opted out of ${job.totalRecipients}`;
    const line = `  [${bar}] ${job.progressPercentage.toFixed(1).padStart(5)} %  ${job.status}: ${counts}`;
    process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(90)}` : `${line}\n`);
  }
  throw new Error("The job's stream ended before the job.");
}

/** Saves a report of all recipients and their outcomes, outside the temporary folder. */
async function saveReport(api: Api, jobId: string): Promise<void> {
  const path = join(tmpdir(), 'messaging-demo-report.xlsx');
  await writeFile(path, await api.download(`/bulk-jobs/${jobId}/report?format=xlsx`));
  say(`Report with every recipient: ${path}`);
}

async function summarise(api: Api, jobId: string, job: Job): Promise<void> {
  const reasons = new Map<string, Recipient[]>();
  let optedOut = 0;
  for (const status of ['Failed', 'Undelivered', 'Unknown', 'Skipped']) {
    const { items } = await api.get<{ items: Recipient[] }>(
      `/bulk-jobs/${jobId}/recipients?status=${status}&limit=200`,
    );
    if (status === 'Skipped') optedOut = items.length;
    for (const item of items) {
      const code = item.errorCode ?? status;
      reasons.set(code, [...(reasons.get(code) ?? []), item]);
    }
  }
  const counts = `${job.successfullySent} sent, ${job.failed - optedOut} failed, ${optedOut} opted out`;
  say(`Summary: ${counts}, ${job.totalRecipients} recipients in total`);
  for (const [code, recipients] of reasons) {
    const rows = recipients.map(({ rowNumber }) => rowNumber).join(', ');
    say(`  ${code} (row ${rows}): ${recipients[0]!.errorMessage ?? ''}`);
  }
  if (job.successfullySent + job.failed !== job.totalRecipients) throw new Error('The counts do not add up.');
}

/** The customer of the first message replies and gets a response; another customer opts out. */
async function talk(api: Api, platform: Api): Promise<void> {
  await platform.post('/sandbox/inbound', {
    from: CUSTOMER,
    text: 'Thank you! Will it arrive before noon?',
    name: 'Mira S.',
  });
  const conversation = await awaitReply(api, CUSTOMER);
  await api.post(`/conversations/${conversation.id}/messages`, { text: 'Yes, at about ten.' });
  await api.post(`/conversations/${conversation.id}/read`, {});
  const { items } = await api.get<{ items: Message[] }>(`/conversations/${conversation.id}/messages`);
  say(
    `Conversation with ${conversation.contactName ?? CUSTOMER} (free text may be sent until ${conversation.windowExpiresAt}):`,
  );
  for (const { direction, renderedText, content, status } of items.reverse()) {
    const text = (renderedText ?? content?.text ?? '').replace(/\s*\n\s*/g, ' / ');
    say(`  ${direction === 'Inbound' ? 'customer' : 'business'}: ${text} [${status}]`);
  }
  await awaitReply(api, OPTED_OUT);
  const { items: optOuts } = await api.get<{ items: { phone: string; source: string }[] }>('/opt-outs');
  for (const { phone, source } of optOuts) say(`Opted out: ${phone} (${source}); sends to them are blocked`);
}

/** Waits for a person's reply and returns the conversation. */
async function awaitReply(api: Api, phone: string): Promise<Conversation> {
  const deadline = Date.now() + REPLY_MS;
  for (;;) {
    const { items } = await api.get<{ items: Conversation[] }>(`/conversations?search=${phone}`);
    const found = items.find(({ unreadCount }) => unreadCount > 0);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${phone} did not answer within ${REPLY_MS / 1000} s.`);
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** An .xlsx file with a header, valid rows, and one row for each kind of problem. */
async function spreadsheet(): Promise<Uint8Array<ArrayBuffer>> {
  const workbook = new Workbook();
  const sheet = workbook.addWorksheet('Customers');
  sheet.addRow(['Phone', 'Name', 'Parcel']);
  for (let n = 1; n <= RECIPIENTS; n++) {
    sheet.addRow([`+49 151 ${String(2_000_000 + n * 10)}`, `Customer ${n}`, `PK-${n}`]);
  }
  sheet.addRow(['+49 151 12340002', 'Not on the platform', 'PK-A']);
  sheet.addRow(['+49 151 12340006', 'Answer lost', 'PK-B']);
  sheet.addRow(['+49 151 12340004', 'Throttled once', 'PK-C']);
  sheet.addRow([`+${OPTED_OUT}`, 'Opted out', 'PK-E']);
  sheet.addRow(['12', 'No phone number', 'PK-D']);
  sheet.addRow(['+49 151 55512345', 'Parcel missing', '']);
  sheet.addRow(['+49 151 2000010', 'Customer 1', 'PK-1']);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

class Api {
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>(path, {});
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.call<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  upload<T>(path: string, form: FormData): Promise<T> {
    return this.call<T>(path, { method: 'POST', body: form });
  }

  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.fetch(path, {})).arrayBuffer());
  }

  /** Yields server-sent events as they arrive. */
  async *events(path: string): AsyncGenerator<{ type: string; data: unknown }> {
    const { body } = await this.fetch(path, { signal: AbortSignal.timeout(JOB_MS) });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of body ?? []) {
      const events = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
        const data = field('data');
        if (data !== undefined) yield { type: field('event') ?? 'message', data: JSON.parse(data) };
      }
    }
  }

  private async call<T>(path: string, init: RequestInit): Promise<T> {
    return (await (await this.fetch(path, init)).json()) as T;
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), 'x-api-key': this.key };
    const response = await fetch(this.base + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response;
  }
}

/** A client's webhook endpoint, which accepts only signed events. */
class WebhookReceiver {
  secret = '';
  private readonly first: Promise<string>;

  private constructor(private readonly server: Server) {
    this.first = new Promise((done, fail) => {
      server.on('request', (request, response) => {
        this.check(request)
          .then(done, fail)
          .finally(() => response.writeHead(204).end());
      });
    });
    // `firstEvent` reports a rejection; until then it must not count as unhandled.
    this.first.catch(() => undefined);
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new WebhookReceiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  /** Describes the first event; rejects if its signature is invalid or none arrives in time. */
  firstEvent(): Promise<string> {
    const late = new Promise<never>((_, fail) => {
      setTimeout(() => fail(new Error('No webhook arrived.')), REPLY_MS).unref();
    });
    return Promise.race([this.first, late]);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async check(request: IncomingMessage): Promise<string> {
    const body = await text(request);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
    const key = Buffer.from(this.secret.replace('whsec_', ''), 'base64');
    const expected = `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${body}`)
      .digest('base64')}`;
    if (signature !== expected) throw new Error('A webhook has an invalid signature.');
    const { type, data } = JSON.parse(body) as { type: string; data: Job };
    return `${type}, ${data.successfullySent} sent, ${data.failed} failed`;
  }
}

function addressesOf(service: ChildProcess): Promise<{ serviceUrl: string; sandboxUrl: string }> {
  return new Promise((done, fail) => {
    const lines: string[] = [];
    let serviceUrl: string | undefined;
    let sandboxUrl: string | undefined;
    const giveUp = (why: string): void => fail(new Error([why, ...lines.slice(-20)].join('\n')));
    const timer = setTimeout(() => giveUp(`The service did not start within ${START_MS / 1000} s.`), START_MS);
    service.once('close', () => giveUp('The service exited.'));
    for (const stream of [service.stdout!, service.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        serviceUrl ??= /Listens on (http:\/\/[^ ]+) as/.exec(line)?.[1];
        sandboxUrl ??= /built-in sandbox at (http:\/\/[^ "]+)/.exec(line)?.[1];
        if (serviceUrl === undefined || sandboxUrl === undefined) return;
        clearTimeout(timer);
        done({ serviceUrl, sandboxUrl });
      });
    }
  });
}

function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null) return Promise.resolve();
  return new Promise((done) => {
    service.once('close', () => done());
    service.kill('SIGTERM');
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

readCommandLine('demo', 'Shows the main features in a temporary folder, then exits.');
demo().catch((error: unknown) => {
  process.stderr.write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
