import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import type { PostResult } from '../domain/webhook-sender.port';
import { UndiciWebhookSender } from './undici-webhook-sender';

jest.retryTimes(2);

/** What an endpoint sends first, and then endlessly. */
interface Flood {
  first?: string;
  then: string;
}

const FLOODS: Record<string, Flood> = {
  'interim answers 103': { then: 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' },
  'interim answers 102': { then: 'HTTP/1.1 102 Processing\r\n\r\n' },
  'a chunk extension': { first: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', then: 'a=b;' },
  'zeros of a chunk size': { first: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', then: '0000' },
  'line breaks before an answer': { then: '\r\n' },
  headers: { first: 'HTTP/1.1 200 OK\r\n', then: 'a: b\r\n' },
  'a header': { first: 'HTTP/1.1 200 OK\r\na: ', then: 'b' },
};
/** Size of the kernel's buffers of a connection, in addition to what is read. */
const BUFFERED_BYTES = 16 * 1024 * 1024;
const RESPONSE_TIMEOUT_MS = 3500;

describe('An endpoint with an endless response', () => {
  const servers: Server[] = [];
  const senders: UndiciWebhookSender[] = [];
  let clock: ManualClock;

  beforeEach(() => {
    clock = new ManualClock(new Date('2026-01-15T09:30:00Z'));
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.onModuleDestroy()));
    for (const server of servers.splice(0)) server.close();
  });

  const sender = (): UndiciWebhookSender => {
    const one = new UndiciWebhookSender({ allowPrivate: true }, clock);
    senders.push(one);
    return one;
  };
  const post = (one: UndiciWebhookSender, url: string, endpointId = url): Promise<PostResult> =>
    one.post({ endpointId, url, headers: {}, body: '{}', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });

  /** Responds to each request with `answer`. */
  async function serve(answer: (socket: Socket) => void): Promise<{ url: string; sockets: Socket[] }> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).on('data', () => answer(socket));
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
  }

  const flood = ({ first = '', then }: Flood) => {
    const piece = then.repeat(Math.ceil(65_536 / then.length));
    return serve((socket) => {
      const fill = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.write(first);
      socket.on('drain', fill);
      fill();
    });
  };

  it.each(Object.entries(FLOODS))('of %s is disconnected, and its delivery fails', async (_, attack) => {
    const { url, sockets } = await flood(attack);
    expect(await post(sender(), url)).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/a response of more than 64 KB|Headers Overflow/),
    });
    expect(sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)).toBeLessThan(BUFFERED_BYTES);
  });

  it('is paused for 10 s, and its requests in flight are aborted', async () => {
    const { url, sockets } = await flood(FLOODS['interim answers 103']!);
    const one = sender();
    for (const result of await Promise.all(Array.from({ length: 40 }, () => post(one, url)))) {
      expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('64 KB') });
    }
    const connections = sockets.length;
    expect(await post(one, url)).toMatchObject({ reason: expect.stringMatching(/64 KB shortly before$/) });
    expect(sockets).toHaveLength(connections);
    clock.advance(10_001);
    expect(await post(one, url)).toMatchObject({ reason: expect.stringMatching(/a response of more than 64 KB$/) });
    expect(sockets.length).toBeGreaterThan(connections);
    // Destroyed agents are no longer referenced.
    clock.advance(120_000);
    await post(one, 'http://127.0.0.1:1/');
  });

  it('delays another endpoint only briefly', async () => {
    const healthy = await serve((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const one = sender();
    const timed = async (): Promise<number> => {
      const begun = performance.now();
      for (let n = 0; n < 20; n++) expect(await post(one, healthy.url)).toMatchObject({ status: 204 });
      return performance.now() - begun;
    };
    await timed();
    const quietMs = await timed();
    const { url } = await flood(FLOODS['interim answers 103']!);
    // The requests in flight of five endpoints, 16 each.
    const attacks = Array.from({ length: 80 }, (_, n) => post(one, url, `attack ${n % 5}`));
    // Unbounded, the flood took 3 s of the event loop.
    expect(await timed()).toBeLessThan(1000 + 5 * quietMs);
    await Promise.all(attacks);
  });

  it('sent byte by byte blocks a request until its timeout, and a body for at most 2 s', async () => {
    const drip = (first: string) =>
      serve((socket) => {
        socket.write(first);
        const dripping = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(dripping));
      });
    const one = sender();
    const slowHeader = await drip('HTTP/1.1 200 OK\r\na: ');
    const slowBody = await drip('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
    const begun = performance.now();
    const body = post(one, slowBody.url).then((result) => ({ result, ms: performance.now() - begun }));
    expect(await post(one, slowHeader.url)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('no response'),
    });
    const { result, ms } = await body;
    expect(result).toEqual({ kind: 'answered', status: 200, retryAfterMs: null });
    expect(ms).toBeLessThan(RESPONSE_TIMEOUT_MS - 500);
  });

  it('is counted separately for each response of a connection', async () => {
    const body = 'a'.repeat(16_000);
    const { url, sockets } = await serve((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    const one = sender();
    for (let n = 0; n < 20; n++) expect(await post(one, url)).toMatchObject({ status: 200 });
    // Each response is close to the limit, and all of them exceed it.
    expect(sockets.length).toBeLessThanOrEqual(4);
  });
});
