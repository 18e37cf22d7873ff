import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limitConnections, type ConnectionLimits } from '../../src/infra/http/edge/connections';
import { MAX_UNANSWERED, oneAtATime } from '../../src/infra/http/edge/pipelined-requests';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LIMITS: ConnectionLimits = {
  total: 1000,
  perAddress: 1000,
  unreadBytes: 1024 ** 3,
  unreadMs: 60_000,
  isShared: () => false,
};

describe('The connections of a server', () => {
  let server: Server;
  let warnings: string[];
  const sockets: Socket[] = [];

  async function serve(handle: RequestListener, limits: Partial<ConnectionLimits> = {}): Promise<void> {
    warnings = [];
    server = createServer(oneAtATime(handle));
    limitConnections(server, { ...LIMITS, ...limits }, { warn: (line: string) => void warnings.push(line) } as never);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  }
  const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket.resume(), 'close'));
  const turn = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('answer pipelined requests in order, one at a time', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    await serve((_, response) => {
      most = Math.max(most, ++running);
      const number = ++count;
      setTimeout(() => {
        running--;
        response.end(`answer ${number};`);
      }, 5);
    });
    const socket = await open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(REQUEST.repeat(MAX_UNANSWERED));
    while (!text.includes(`answer ${MAX_UNANSWERED};`)) await turn(5);
    expect([...text.matchAll(/answer (\d+);/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: MAX_UNANSWERED }, (_, index) => index + 1),
    );
    expect(most).toBe(1);
    // The slots are free again.
    socket.write(REQUEST.repeat(MAX_UNANSWERED));
    while (!text.includes(`answer ${2 * MAX_UNANSWERED};`)) await turn(5);
  });

  it('do not start a request before the previous response was read', async () => {
    let begun = 0;
    await serve((_, response) => {
      begun++;
      response.end(Buffer.alloc(32 * 1024 * 1024));
    });
    const socket = await open();
    socket.pause().write(REQUEST.repeat(10));
    await turn(200);
    expect(begun).toBe(1);
  });

  it('end with more unanswered requests than that, and drop those not started', async () => {
    let begun = 0;
    await serve((_, response) => {
      begun++;
      setTimeout(() => response.end('late'), 20);
    });
    const socket = await open();
    socket.write(REQUEST.repeat(500));
    await closed(socket);
    await turn(100);
    expect(begun).toBe(1);
  });

  it('drop waiting requests when the client disconnects', async () => {
    let begun = 0;
    await serve((_, response) => {
      begun++;
      setTimeout(() => response.end('late'), 50);
    });
    const socket = await open();
    socket.write(REQUEST.repeat(10));
    while (begun === 0) await turn(5);
    socket.destroy();
    await turn(150);
    expect(begun).toBe(1);
  });

  it('are limited per address, and in total', async () => {
    const answer: RequestListener = (_, response) => void response.end('ok');
    await serve(answer, { perAddress: 2 });
    const first = await open();
    const second = await open();
    await closed(await open());
    first.destroy();
    await closed(first);
    await turn();
    const third = await open();
    third.write(REQUEST);
    await once(third, 'data');
    expect(second.destroyed).toBe(false);
    expect(warnings).toEqual([expect.stringMatching(/2 open from 127\.0\.0\.1 \(MAX_CONNECTIONS_PER_ADDRESS/)]);
    server.closeAllConnections();
    server.close();

    await serve(answer, { total: 2, perAddress: 1, isShared: () => true });
    await open();
    await open();
    await closed(await open());
    expect(warnings).toEqual([expect.stringContaining('(MAX_CONNECTIONS)')]);
  });

  it('end if too much waits for clients that do not read, or for too long', async () => {
    const large: RequestListener = (_, response) => void response.end(Buffer.alloc(16 * 1024 * 1024));
    const stuck = async (): Promise<Socket> => {
      const socket = await open();
      socket.pause().write(REQUEST);
      return socket;
    };
    const left = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    await serve(large, { unreadBytes: 40 * 1024 * 1024 });
    for (let n = 0; n < 6; n++) await stuck();
    while ((await left()) > 4) await turn(50);
    // Those within the limit remain.
    await turn(1500);
    expect(await left()).toBeGreaterThan(1);
    server.closeAllConnections();
    server.close();

    await serve(large, { unreadMs: 1000 });
    await stuck();
    while ((await left()) > 0) await turn(50);
  });
});
