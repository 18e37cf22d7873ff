import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CloudApiClient, type CloudApiOptions } from './cloud-api-client';

const ACCEPTED = '{"messages":[{"id":"wamid.1"}]}';
const TOKEN = 'EAA-very-secret';
const cleanups: (() => unknown)[] = [];

function http(status: string, body: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A raw server that records its requests; calls `onRequest` for each complete request. */
async function listen(onRequest: (socket: Socket, nth: number) => void, onConnection?: (socket: Socket) => void) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    onConnection?.(socket);
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk.toString('latin1');
      const head = read.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(read)?.[1] ?? 0);
      if (head < 0 || read.length < head + 4 + length) return;
      requests.push(read);
      read = '';
      onRequest(socket, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return { requests, sockets, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function clientOf(baseUrl: string, options: Partial<CloudApiOptions> = {}) {
  const client = new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 400, connectionWaitMs: 300, ...options });
  cleanups.push(() => client.close());
  const send = (canStillSend?: () => boolean) =>
    client.call({
      method: 'POST',
      path: '/109/messages',
      access: { accessToken: TOKEN },
      body: { to: '+491' },
      canStillSend,
    });
  return { client, send };
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('CloudApiClient', () => {
  it('calls base URL, version and path with the token and JSON', async () => {
    const { url, requests } = await listen((socket) => socket.write(http('200 OK', ACCEPTED)));
    const { client, send } = clientOf(`${url}/meta/whatsapp/`);
    expect(await send()).toEqual({ kind: 'answer', status: 200, body: { messages: [{ id: 'wamid.1' }] } });
    expect(
      await client.call({ method: 'GET', path: '/204/x', access: { accessToken: TOKEN }, query: { after: 'a=&b' } }),
    ).toMatchObject({ kind: 'answer' });
    expect(requests[0]).toMatch(/^POST \/meta\/whatsapp\/v25\.0\/109\/messages HTTP\/1\.1\r\n/);
    expect(requests[0]).toMatch(/authorization: Bearer EAA-very-secret\r\n/);
    expect(requests[0]).toMatch(/user-agent: messaging-template-api\/1\.0\r\n/);
    expect(requests[0]).toMatch(/content-type: application\/json\r\n/);
    expect(requests[0]).toMatch(/\r\n\r\n\{"to":"\+491"\}$/);
    expect(requests[1]).toMatch(/^GET \/meta\/whatsapp\/v25\.0\/204\/x\?after=a%3D%26b HTTP/);
  });

  it('adds the app secret proof to each call', async () => {
    const { url, requests } = await listen((socket) => socket.write(http('200 OK', ACCEPTED)));
    const { client } = clientOf(url);
    const access = { accessToken: 'token', appSecret: 'secret' };
    const proof = 'appsecret_proof=e941110e3d2bfe82621f0e3e1434730d7305d106c5f68c87165d0b27a4611a4a';
    await client.call({ method: 'POST', path: '/109/messages', access, body: {} });
    await client.call({ method: 'GET', path: '/204/x', access, query: { after: 'a' } });
    await client.call({ method: 'POST', path: '/upload:1?sig=x', access });
    expect(requests.map((request) => request.split(' ')[1])).toEqual([
      `/v25.0/109/messages?${proof}`,
      `/v25.0/204/x?after=a&${proof}`,
      `/v25.0/upload:1?sig=x&${proof}`,
    ]);
  });

  it('keeps the digits of large integers in a response', async () => {
    const { url } = await listen((socket) => socket.write(http('200 OK', '{"id":77100000000000123}')));
    expect(await clientOf(url).send()).toMatchObject({ body: { id: '77100000000000123' } });
  });

  it('reads a refusal of the platform', async () => {
    const body = '{"error":{"message":"no","code":131026}}';
    const { url } = await listen((socket) => socket.write(http('400 Bad Request', body)));
    expect(await clientOf(url).send()).toMatchObject({ kind: 'refusal', status: 400, error: { class: 'recipient' } });
  });

  describe('is sure that nothing was sent', () => {
    it('when the port is closed', async () => {
      const { url, server } = await listen(() => undefined);
      server.close();
      expect(await clientOf(url).send()).toMatchObject({
        kind: 'not_sent',
        reason: expect.stringContaining('ECONNREFUSED'),
      });
    });

    it('when the name does not resolve', async () => {
      expect(await clientOf('http://platform.invalid').send()).toMatchObject({ kind: 'not_sent' });
    });

    it('when TLS fails', async () => {
      const { url, requests } = await listen(
        () => undefined,
        (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      );
      expect(await clientOf(url.replace('http:', 'https:')).send()).toMatchObject({ kind: 'not_sent' });
      expect(requests).toEqual([]);
    });

    it('when TLS hangs up or never answers', async () => {
      const cut = await listen(
        () => undefined,
        (socket) => socket.destroy(),
      );
      expect(await clientOf(cut.url.replace('http:', 'https:')).send()).toMatchObject({ kind: 'not_sent' });
      const silent = await listen(() => undefined);
      expect(await clientOf(silent.url.replace('http:', 'https:')).send()).toMatchObject({ kind: 'not_sent' });
    });

    it('when every connection stays busy, and never sends it later', async () => {
      const { url, requests } = await listen((socket, nth) => {
        if (nth === 1) setTimeout(() => socket.write(http('200 OK', ACCEPTED)), 250);
      });
      const { send } = clientOf(url, { connections: 1, connectionWaitMs: 100, timeoutMs: 2_000 });
      const [first, second] = await Promise.all([send(), send()]);
      expect(first).toMatchObject({ kind: 'answer' });
      expect(second).toEqual({ kind: 'not_sent', reason: 'no connection was available in time' });
      await pause(100);
      expect(requests).toHaveLength(1);
    });

    it('when the caller aborts it at the last moment', async () => {
      const { url, requests } = await listen((socket) => socket.write(http('200 OK', ACCEPTED)));
      const { send } = clientOf(url);
      expect(await send(() => false)).toEqual({ kind: 'not_sent', reason: 'aborted by the caller' });
      expect(await send(() => true)).toMatchObject({ kind: 'answer' });
      expect(requests).toHaveLength(1);
    });

    it('when the token is not a valid header value, without revealing it', async () => {
      const { url, requests } = await listen(() => undefined);
      const { client } = clientOf(url);
      const reply = await client.call({ method: 'GET', path: '/1', access: { accessToken: 'bad\r\ntoken' } });
      expect(reply).toMatchObject({ kind: 'not_sent' });
      expect(JSON.stringify(reply)).not.toContain('token');
      expect(requests).toEqual([]);
    });

    it('when the client was closed', async () => {
      const { url } = await listen(() => undefined);
      const client = new CloudApiClient({ baseUrl: url, version: 'v25.0', timeoutMs: 100 });
      await client.close();
      expect(await client.call({ method: 'GET', path: '/1', access: { accessToken: TOKEN } })).toMatchObject({
        kind: 'not_sent',
      });
    });
  });

  describe('reports an unknown outcome, and sends once,', () => {
    it('when the connection is cut before the server reads', async () => {
      const { url } = await listen(
        () => undefined,
        (socket) => socket.destroy(),
      );
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
    });

    it('when the connection is cut after the request was read', async () => {
      const { url, requests } = await listen((socket) => socket.destroy());
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
      await pause(50);
      expect(requests).toHaveLength(1);
    });

    it('when the connection is reset after the request was read', async () => {
      const { url, requests } = await listen((socket) => socket.resetAndDestroy());
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
      await pause(50);
      expect(requests).toHaveLength(1);
    });

    it('when the body is cut', async () => {
      const { url, requests } = await listen((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"mess'),
      );
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
      expect(requests).toHaveLength(1);
    });

    it('when a body without a length is cut', async () => {
      const { url } = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"messages":[{"id"'));
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
    });

    it('when a gateway answers with HTML', async () => {
      const { url } = await listen((socket) => socket.write(http('502 Bad Gateway', '<html>502</html>')));
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer', reason: expect.stringContaining('502') });
    });

    it('when a success contains garbage', async () => {
      const { url } = await listen((socket) => socket.write(http('200 OK', 'accepted!')));
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
    });

    it('when the reply is not HTTP', async () => {
      const { url } = await listen((socket) => socket.write('garbage\r\n\r\n'));
      expect(await clientOf(url).send()).toMatchObject({ kind: 'no_answer' });
    });

    it('when the headers come too late', async () => {
      const { url, requests } = await listen((socket) => {
        setTimeout(() => socket.write(http('200 OK', ACCEPTED)), 600);
      });
      expect(await clientOf(url).send()).toEqual({ kind: 'no_answer', reason: 'no response in time' });
      expect(requests).toHaveLength(1);
    });

    it('when the body takes longer than the limit', async () => {
      const { url } = await listen((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const drip = setInterval(() => socket.write('1\r\n \r\n'), 50);
        socket.on('close', () => clearInterval(drip));
      });
      expect(await clientOf(url).send()).toEqual({ kind: 'no_answer', reason: 'no response in time' });
    });

    it('when the body is larger than any response of the platform', async () => {
      const { url } = await listen((socket) => socket.write(http('200 OK', `"${'x'.repeat(9 * 1024 * 1024)}"`)));
      expect(await clientOf(url, { timeoutMs: 5_000 }).send()).toMatchObject({
        kind: 'no_answer',
        reason: expect.stringContaining('UND_ERR_RES_EXCEEDED_MAX_SIZE'),
      });
    });

    it('when a reused connection is cut at the second request', async () => {
      const { url, requests } = await listen((socket, nth) => {
        if (nth === 1) socket.write(http('200 OK', ACCEPTED));
        else socket.destroy();
      });
      const { send } = clientOf(url, { connections: 1 });
      await send();
      expect(await send()).toMatchObject({ kind: 'no_answer' });
      await pause(50);
      expect(requests).toHaveLength(2);
    });
  });

  it('opens a new connection when the server closed the idle one', async () => {
    const { url, requests } = await listen((socket) => socket.end(http('200 OK', ACCEPTED)));
    const { send } = clientOf(url, { connections: 1 });
    await send();
    await pause(50);
    expect(await send()).toMatchObject({ kind: 'answer' });
    expect(requests).toHaveLength(2);
  });

  it('reports the correct outcome when the idle connection is reset during reuse', async () => {
    const { url, requests, sockets } = await listen((socket) => socket.write(http('200 OK', ACCEPTED)));
    const { send } = clientOf(url, { connections: 1 });
    for (let round = 0; round < 20; round++) {
      requests.length = 0;
      await send();
      sockets.forEach((socket) => socket.resetAndDestroy());
      const { kind } = await send();
      await pause(10);
      const arrivedAtMost = { answer: 2, refusal: 2, no_answer: 2, not_sent: 1 }[kind];
      expect(requests.length).toBeLessThanOrEqual(arrivedAtMost);
    }
  });

  it('reuses connections, with one request at a time on each', async () => {
    let connections = 0;
    let open = 0;
    let most = 0;
    const { url, requests } = await listen(
      (socket) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          socket.write(http('200 OK', ACCEPTED));
        }, 5);
      },
      () => connections++,
    );
    const { send } = clientOf(url, { connections: 2 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(replies.every((reply) => reply.kind === 'answer')).toBe(true);
    expect(requests).toHaveLength(10);
    expect({ connections, most }).toEqual({ connections: 2, most: 2 });
  });

  it('closes an idle connection after two seconds, whatever the server offers', async () => {
    const { url, sockets } = await listen((socket) =>
      socket.write(http('200 OK', ACCEPTED, 'Keep-Alive: timeout=60\r\n')),
    );
    await clientOf(url).send();
    await pause(3_500);
    expect(sockets.size).toBe(0);
  });

  it('ends open calls when it is closed, each with its correct outcome', async () => {
    const { url, requests } = await listen(() => undefined);
    const { client, send } = clientOf(url, { connections: 1, timeoutMs: 5_000, connectionWaitMs: 5_000 });
    const calls = Promise.all([send(), send()]);
    while (requests.length === 0) await pause(5);
    await client.close();
    expect((await calls).map(({ kind }) => kind)).toEqual(['no_answer', 'not_sent']);
  });

  it('never includes the token in a reply or reason', async () => {
    const { url } = await listen((socket) => socket.destroy());
    expect(JSON.stringify(await clientOf(url).send())).not.toContain(TOKEN);
  });
});
