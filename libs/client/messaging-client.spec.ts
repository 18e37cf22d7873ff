import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ScriptedServer, type Step } from '../../test/support/scripted-server';
import { ConnectionError, NotFoundError, RateLimitedError, UnauthorizedError, UnavailableError } from './errors';
import { createApiKey, listOptOuts } from './generated/sdk.gen';
import { MessagingClient } from './messaging-client';

const MESSAGE = { to: '4915112345678', templateName: 'order_update' };
const SENT: Step = { status: 201, body: { messageId: 'm-1', status: 'Sent' } };
const errorStep = (status: number, code: string, more: object = {}): Step => ({
  status,
  body: { error: 'No', message: 'Not so.', statusCode: status, code, requestId: 'r-1', ...more },
});

describe('The client', () => {
  let server: ScriptedServer;
  let client: MessagingClient;
  const keys = () => server.seen.map(({ headers }) => headers['idempotency-key']);

  // A new server per test: aborted requests of earlier tests may arrive late.
  beforeEach(async () => {
    server = await new ScriptedServer().start();
    client = new MessagingClient({ baseUrl: `${server.url}/api/v1/messaging/`, apiKey: 'key-1' });
  });

  afterEach(() => server.close());

  it.each([
    ['nope', 'key-1', TypeError, 'baseUrl is "nope", which is not a URL: write it with https://, such as '],
    ['localhost:3000', 'key-1', TypeError, 'baseUrl is "localhost:3000", which is not a URL: '],
    [process.env.NO_SUCH_URL!, 'key-1', TypeError, 'baseUrl is undefined, which is not a URL: '],
    ['http://127.0.0.1:3000', '', UnauthorizedError, 'apiKey is empty: pass the API key.'],
    ['http://127.0.0.1:3000', process.env.NO_SUCH_KEY!, UnauthorizedError, 'apiKey is empty: pass the API key.'],
  ])('is not created for %j with the key %j', (baseUrl, apiKey, type, message) => {
    const create = () => new MessagingClient({ baseUrl, apiKey });
    expect(create).toThrow(type);
    expect(create).toThrow(message);
  });

  it('exposes its key neither in logs nor in errors', async () => {
    const shown = (value: unknown) => inspect(value, { depth: null, showHidden: true }) + JSON.stringify(value);
    expect(shown(client)).not.toContain('key-1');
    server.script('cut');
    const hasty = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1', retries: 0 });
    expect(shown(await hasty.sendTemplate(MESSAGE).catch((error: unknown) => error))).not.toContain('key-1');
    let error: unknown;
    try {
      new MessagingClient({ baseUrl: server.url, apiKey: 'key-1\nkey-2' });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect(shown(error)).not.toMatch(/key-[12]/);
  });

  it('sends its key and a new idempotency key with each call', async () => {
    server.script(SENT);
    expect(await client.sendTemplate(MESSAGE)).toEqual({ messageId: 'm-1', status: 'Sent' });
    await client.sendTemplate(MESSAGE);
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/messaging/send-template',
      headers: { 'x-api-key': 'key-1', 'content-type': 'application/json' },
      body: JSON.stringify(MESSAGE),
    });
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys()).size).toBe(2);
  });

  it("uses the caller's idempotency key", async () => {
    server.script(SENT);
    await client.sendTemplate(MESSAGE, { idempotencyKey: 'order-4711' });
    expect(keys()).toEqual(['order-4711']);
  });

  it('retries an interrupted send with the same key and bytes, and waits while the first one is processed', async () => {
    server.script('cut', errorStep(409, 'idempotency_in_progress'), SENT);
    expect(await client.sendTemplate(MESSAGE)).toMatchObject({ status: 'Sent' });
    expect(new Set(keys()).size).toBe(1);
    expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(MESSAGE)));
  });

  it('retries an interrupted file upload from its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-file-'));
    const file = join(folder, 'customers.csv');
    await writeFile(file, 'phone\n4915112345678\n');
    server.script('cut', { status: 202, body: { jobId: 'j-1' } });
    expect(await client.importFile({ file, templateName: 'hello_world' })).toEqual({ jobId: 'j-1' });
    await rm(folder, { recursive: true });
    for (const { body } of server.seen) {
      expect(body).toContain('phone\n4915112345678\n');
      expect(body).toContain('filename="customers.csv"');
    }
    expect(new Set(keys()).size).toBe(1);
    expect(server.seen).toHaveLength(2);
  });

  it('sends the lists of an import as JSON', async () => {
    server.script({ status: 200, body: {} });
    const excludeGroupIds = ['g-1', 'g-2'];
    await client.checkFile({ file: new File(['x'], 'a.csv'), templateName: 'hello_world', excludeGroupIds });
    expect(/name="excludeGroupIds"\s+(.*?)\s+-/s.exec(server.seen[0]!.body)?.[1]).toBe('["g-1","g-2"]');
  });

  it('retries an interrupted import of contacts, which has the same effect again', async () => {
    const file = new File(['Mobile\n4915112345678\n'], 'contacts.csv');
    const contacts = { file, columns: { phone: 'Mobile' } };
    server.script('cut', { status: 200, body: { added: 1 } });
    expect(await client.importContacts('g-1', contacts)).toEqual({ added: 1 });
    expect(await client.checkContacts('g-1', contacts)).toBeDefined();
    const dryRuns = server.seen.map(({ body }) => /name="dryRun"\r\n\r\n(\w+)/.exec(body)?.[1]);
    expect(dryRuns).toEqual(['false', 'false', 'true']);
    expect(server.seen[1]!.body).toContain('name="columns"\r\n\r\n{"phone":"Mobile"}\r\n');
  });

  it('names a file that does not exist', async () => {
    const missing = client.importFile({ file: 'no-such.csv', templateName: 'hello_world' });
    await expect(missing).rejects.toThrow(/ENOENT.*no-such\.csv/);
    expect(server.seen).toEqual([]);
  });

  it('checks a retry with the options of the retry', async () => {
    const check = { recipients: 2, byErrorCode: [{ errorCode: 'expired', count: 2 }], unreachable: [], warnings: [] };
    server.script({ status: 200, body: check }, { status: 202, body: { jobId: 'j-2', totalRecipients: 2 } });
    expect(await client.checkRetry('j-1', { scope: 'all' })).toEqual(check);
    expect(await client.retryJob('j-1', { scope: 'all' })).toMatchObject({ totalRecipients: 2 });
    expect(server.seen.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
      ['/api/v1/messaging/bulk-jobs/j-1/retry', { scope: 'all', dryRun: true }],
      ['/api/v1/messaging/bulk-jobs/j-1/retry', { scope: 'all' }],
    ]);
  });

  it('never retries an interrupted write without an idempotency key', async () => {
    server.script('cut', { status: 201 });
    await expect(client.call(createApiKey, { body: { name: 'CRM', scopes: ['jobs:read'] } })).rejects.toThrow(
      ConnectionError,
    );
    expect(server.seen).toHaveLength(1);
  });

  it('retries an interrupted read, waits after 429 and 503 as requested, and reports retries', async () => {
    const retries: unknown[] = [];
    const onRetry = ({ error, attempt }: { error: Error & { code: string }; attempt: number }) =>
      retries.push([error.code, attempt]);
    const watched = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1', onRetry });
    const limited = errorStep(429, 'rate_limited', { retryAfter: 1 });
    server.script('cut', limited, errorStep(503, 'service_unavailable'), { status: 200, body: { jobId: 'j-1' } });
    const begun = performance.now();
    expect(await watched.job('j-1')).toEqual({ jobId: 'j-1' });
    expect(performance.now() - begun).toBeGreaterThan(2_200);
    expect(retries).toEqual([
      ['connection_failed', 2],
      ['rate_limited', 3],
      ['service_unavailable', 4],
    ]);
  });

  it('gives up if the wait would be too long, and after the maximum of retries', async () => {
    server.script(errorStep(429, 'template_creation_limit', { retryAfter: 3_600 }));
    await expect(client.job('j-1')).rejects.toMatchObject({ code: 'template_creation_limit', retryAfter: 3_600 });
    await expect(client.job('j-1')).rejects.toThrow(RateLimitedError);
    server.script({ status: 503, body: '<h1>Bad</h1>', headers: { 'retry-after': '0' } });
    const hasty = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1', retries: 2 });
    await expect(hasty.job('j-1')).rejects.toThrow(UnavailableError);
    expect(server.seen).toHaveLength(3);
  });

  it('throws a class and code for each error status, with all fields of the response', async () => {
    const errors = [{ field: 'to', code: 'phone_invalid', message: 'No number.' }];
    server.script(errorStep(404, 'template_not_found', { errors, availableLanguages: ['de'] }));
    const error = await client.sendTemplate(MESSAGE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    const whole = { code: 'template_not_found', message: 'Not so.', statusCode: 404, requestId: 'r-1', errors };
    expect(error).toMatchObject({ name: 'NotFoundError', ...whole, details: { availableLanguages: ['de'] } });
  });

  it('reports a response from another server', async () => {
    server.script({ status: 200, body: '<html>Welcome</html>' });
    await expect(client.job('j-1')).rejects.toMatchObject({ code: 'unexpected_answer', statusCode: 200 });
    server.script({ status: 404, body: '<html>Not here</html>' });
    await expect(client.job('j-1')).rejects.toMatchObject({ name: 'NotFoundError', code: 'unexpected_answer' });
  });

  it('aborts an attempt on timeout, and everything with its signal', async () => {
    const patient = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1', timeoutMs: 1500, retries: 3 });
    const silence: Step = () => undefined;
    server.script(silence, { status: 200, body: { jobId: 'j-1' } });
    expect(await patient.job('j-1')).toEqual({ jobId: 'j-1' });
    server.script(silence);
    const signal = AbortSignal.timeout(50);
    await expect(client.job('j-1', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.seen).toHaveLength(1);
  });

  it('iterates by cursor and by page number', async () => {
    const range = (items: number[], nextCursor: string | null): Step => ({ status: 200, body: { items, nextCursor } });
    server.script(range([1, 2], 'c 1'), range([], 'c2'), range([3], null));
    const rows: unknown[] = [];
    for await (const row of client.recipients('j-1', { status: 'Failed' })) rows.push(row);
    expect(rows).toEqual([1, 2, 3]);
    expect(server.seen.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=200&status=Failed',
      'limit=200&status=Failed&cursor=c%201',
      'limit=200&status=Failed&cursor=c2',
    ]);

    const page = (items: number[], number: number): Step => ({
      status: 200,
      body: { items, page: number, totalPages: 2 },
    });
    server.script(page([1], 1), page([2], 2));
    const optOuts: unknown[] = [];
    for await (const one of client.each(listOptOuts, {})) optOuts.push(one);
    expect(optOuts).toEqual([1, 2]);

    server.script(range([1], 'c1'), range([2], null));
    const jobs: unknown[] = [];
    for await (const job of client.jobs()) jobs.push(job);
    expect(jobs).toEqual([1, 2]);
    expect(server.seen.map(({ path }) => path.split('?')[1])).toEqual([
      'pageSize=100&cursor=',
      'pageSize=100&cursor=c1',
    ]);
  });

  it('streams a report', async () => {
    server.script({ status: 200, body: 'row\r\n1\r\n', headers: { 'content-type': 'text/csv' } });
    const report = await client.jobReport('j-1', { format: 'csv', status: 'Failed' });
    expect(await new Response(report).text()).toBe('row\r\n1\r\n');
    expect(server.seen[0]!.path).toBe('/api/v1/messaging/bulk-jobs/j-1/report?format=csv&status=Failed');
  });
});
