import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { UndiciWebhookSender } from './undici-webhook-sender';

describe('The sender of webhooks', () => {
  let server: Server;
  let url: string;
  let requests: { url: string; headers: IncomingMessage['headers']; body: string }[];
  let answer: (response: ServerResponse) => void;
  const senders: UndiciWebhookSender[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ url: request.url!, headers: request.headers, body });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests = [];
    answer = (response) => response.writeHead(204).end();
  });
  afterAll(async () => {
    await Promise.all(senders.map((sender) => sender.onModuleDestroy()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function sender(allowPrivate = true): UndiciWebhookSender {
    const one = new UndiciWebhookSender({ allowPrivate }, new ManualClock(new Date('2026-01-15T09:30:00Z')));
    senders.push(one);
    return one;
  }

  const post = (one: UndiciWebhookSender, to: string, signal = new AbortController().signal) =>
    one.post({ endpointId: 'e1', url: to, headers: { 'webhook-id': 'msg_1_0' }, body: '{"ö":1}', signal });

  it('posts JSON with the headers it is given', async () => {
    expect(await post(sender(), `${url}/hook?a=b`)).toEqual({ kind: 'answered', status: 204, retryAfterMs: null });
    expect(requests).toMatchObject([
      {
        ...{ url: '/hook?a=b', body: '{"ö":1}' },
        headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1_0' },
      },
    ]);
  });

  it.each([
    ['120', 120_000],
    ['Thu, 15 Jan 2026 09:31:00 GMT', 60_000],
    ['Thu, 15 Jan 2026 09:29:00 GMT', null],
    ['soon', null],
  ])('reads Retry-After %s', async (given, retryAfterMs) => {
    answer = (response) => response.writeHead(429, { 'retry-after': given }).end('later');
    expect(await post(sender(), url)).toEqual({ kind: 'answered', status: 429, retryAfterMs });
  });

  it('follows no redirects', async () => {
    answer = (response) => response.writeHead(307, { location: `${url}/other` }).end();
    expect(await post(sender(), url)).toMatchObject({ status: 307 });
    expect(requests).toHaveLength(1);
  });

  it('reports why there was no response', async () => {
    expect(await post(sender(), 'http://127.0.0.1:1/')).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    answer = (response) => response.destroy();
    expect(await post(sender(), url)).toMatchObject({ kind: 'failed' });
    answer = () => aborted.abort();
    const aborted = new AbortController();
    expect(await post(sender(), url, aborted.signal)).toEqual({ kind: 'failed', reason: 'no response within 15 s' });
  });

  it('does not read an endless response', async () => {
    answer = (response) => {
      response.writeHead(200);
      const fill = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', fill);
      fill();
    };
    expect(await post(sender(), url)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://127.0.0.1/',
    'https://0x7f000001/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::7f00:1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'ftp://example.com/',
    'example.com',
    'https://example.com/\r\nX: y',
    'https://example.com\\@127.0.0.1/',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('rejects %s, and sends nothing there', async (to) => {
    expect(sender(false).refusal(to)).toMatch(/^must /);
    expect(await post(sender(false), to)).toEqual({ kind: 'failed', reason: expect.stringMatching(/^The URL must /) });
  });

  it.each([
    'https://example.com',
    'https://example.com:443/a?b=c',
    'https://93.184.216.34/',
    'https://bücher.example/',
  ])('accepts %s', (to) => {
    expect(sender(false).refusal(to)).toBeNull();
  });

  it('does not connect to a name that resolves to a private address', async () => {
    const one = sender(false);
    // A name that passes the checks of its text, like one of an attacker.
    one.refusal = () => null;
    const { port } = new URL(url);
    expect(await post(one, `http://localhost:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'localhost resolves to an address outside the public internet',
    });
    expect(requests).toEqual([]);
  });

  it('accepts private addresses, ports and plain HTTP only if allowed, and never a password', () => {
    expect(sender().refusal('http://10.0.0.1:8080/')).toBeNull();
    expect(sender().refusal('http://user:secret@10.0.0.1/')).toMatch(/password/);
    expect(sender().refusal('ftp://10.0.0.1/')).toMatch(/^must begin/);
  });

  it('uses separate connections for each endpoint', async () => {
    const one = sender();
    let stuck: ServerResponse[] = [];
    answer = (response) => stuck.push(response);
    const waiting = Array.from({ length: 20 }, () => post(one, url));
    while (stuck.length < 16) await new Promise((resolve) => setImmediate(resolve));
    answer = (response) => response.writeHead(204).end();
    const other = { endpointId: 'e2', url, headers: {}, body: '{}', signal: new AbortController().signal };
    expect(await one.post(other)).toMatchObject({ status: 204 });
    for (const response of stuck) response.writeHead(204).end();
    stuck = [];
    await Promise.all(waiting);
  });
});
