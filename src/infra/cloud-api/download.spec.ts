import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from './cloud-api-client';
import { USER_AGENT } from '../user-agent';

const TOKEN = 'EAA-very-secret';
const cleanups: (() => unknown)[] = [];

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function clientOf(baseUrl: string, mediaHosts: string[] = []): CloudApiClient {
  const client = new CloudApiClient({ baseUrl, mediaHosts, version: 'v25.0', timeoutMs: 300, connectionWaitMs: 300 });
  cleanups.push(() => client.close());
  return client;
}

async function read(client: CloudApiClient, url: string, signal = AbortSignal.timeout(5_000)): Promise<number> {
  const download = await client.download({ url, accessToken: TOKEN, signal });
  if (download.kind !== 'content') throw new Error(JSON.stringify(download));
  let bytes = 0;
  for await (const chunk of download.chunks) bytes += chunk.length;
  return bytes;
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('A download', () => {
  it('may exceed the limit of other responses, and sends the token to the unchanged address', async () => {
    const size = 20 * 1024 * 1024;
    const { requests, url } = await serve((_, response) => response.end(Buffer.alloc(size)));
    expect(await read(clientOf(url), `${url}/media/?mid=1&hash=a%2Fb`)).toBe(size);
    expect(requests[0]?.url).toBe('/media/?mid=1&hash=a%2Fb');
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'user-agent': USER_AGENT });
  });

  it('sends the token to no other address', async () => {
    const other = await serve((_, response) => response.end('x'));
    const { url } = await serve((_, response) => response.writeHead(302, { location: other.url }).end());
    const client = clientOf(url);
    expect(await client.download({ url, accessToken: TOKEN, signal: AbortSignal.timeout(5_000) })).toEqual({
      kind: 'refused',
      status: 302,
    });
    expect(other.requests).toEqual([]);
  });

  it('rejects addresses without TLS if the platform uses TLS, and anything but web addresses', async () => {
    const { requests, url } = await serve((_, response) => response.end('x'));
    const client = clientOf('https://platform.invalid');
    for (const address of [url, 'file:///etc/passwd', 'gopher://127.0.0.1', '/relative', '']) {
      const download = await client.download({ url: address, accessToken: TOKEN, signal: AbortSignal.timeout(5_000) });
      expect(download).toMatchObject({ kind: 'failed' });
    }
    expect(requests).toEqual([]);
  });

  it('uses only hosts of the platform, at public addresses except for the API host', async () => {
    const { requests, url } = await serve((_, response) => response.end('x'));
    const { port } = new URL(url);
    const client = clientOf('http://platform.invalid', ['localhost', '127.0.0.1', '*.example.com']);
    for (const address of [
      'http://files.example.org/',
      'http://example.com/',
      'http://example.com.evil.invalid/',
      // Listed hosts, but at private addresses.
      `http://localhost:${port}/`,
      `http://127.0.0.1:${port}/`,
      `http://2130706433:${port}/`,
    ]) {
      const download = await client.download({ url: address, accessToken: TOKEN, signal: AbortSignal.timeout(5_000) });
      expect(download).toMatchObject({ kind: 'failed' });
    }
    expect(requests).toEqual([]);
  });

  it('fails when it is interrupted, and when no more bytes arrive', async () => {
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x', () => response.destroy());
    });
    await expect(read(clientOf(cut.url), cut.url)).rejects.toThrow();
    const silent = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x');
    });
    await expect(read(clientOf(silent.url), silent.url)).rejects.toThrow();
  });

  it('reports a missing response without the token', async () => {
    const { url } = await serve((_, response) => response.destroy());
    const download = await clientOf(url).download({ url, accessToken: TOKEN, signal: AbortSignal.timeout(5_000) });
    expect(download).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(download)).not.toContain(TOKEN);
  });

  it('ends when its caller aborts it', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x');
    });
    await expect(read(clientOf(url), url, AbortSignal.timeout(100))).rejects.toThrow();
  });
});

describe('A file upload', () => {
  const sent = (client: CloudApiClient, chunks: () => AsyncIterable<Uint8Array>, bytes: number) =>
    client.call({
      method: 'POST',
      path: '/109/media',
      access: { accessToken: TOKEN },
      scheme: 'OAuth',
      headers: { file_offset: '0' },
      content: { contentType: 'application/pdf', bytes, chunks },
    });
  async function* of(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  }

  it('arrives with its length, type and every byte', async () => {
    let body = '';
    const { requests, url } = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end('{"id":"1"}'));
    });
    expect(await sent(clientOf(url), () => of('abc', 'def'), 6)).toMatchObject({ kind: 'answer', body: { id: '1' } });
    expect(body).toBe('abcdef');
    expect(requests[0]?.headers).toMatchObject({
      'content-length': '6',
      'content-type': 'application/pdf',
      authorization: `OAuth ${TOKEN}`,
      file_offset: '0',
    });
  });

  it('reports no answer if its bytes cannot be read or do not match its length', async () => {
    const { url } = await serve((request) => request.resume());
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('abc'));
      throw new Error('The disk is broken');
    }
    expect(await sent(clientOf(url), broken, 6)).toMatchObject({ kind: 'no_answer' });
    expect(await sent(clientOf(url), () => of('abc'), 6)).toMatchObject({ kind: 'no_answer' });
    expect(await sent(clientOf(url), () => of('abcdefghi'), 6)).toMatchObject({ kind: 'no_answer' });
  });

  it('does not read the file if the connection is refused', async () => {
    let opened = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      opened = true;
      yield* of('abc');
    }
    expect(await sent(clientOf('http://127.0.0.1:1'), watched, 3)).toMatchObject({ kind: 'not_sent' });
    expect(opened).toBe(false);
  });
});
