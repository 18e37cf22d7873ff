import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedServer } from '../../test/support/scripted-server';
import { MessagingClient } from '../client/messaging-client';
import { Interrupted } from './exit-codes';
import { Output } from './output';
import { sendingCall } from './sending-call';

const PATIENCE = { answerMs: 200, noteMs: 60_000 };
const LIST = new File(['phone\n4915112345678\n'], 'list.csv');
const JOB = { jobId: 'job-1', totalRecipients: 1 };

describe('Ctrl-C during a send', () => {
  let server: ScriptedServer;
  let stop: AbortController;

  beforeEach(async () => {
    server = await new ScriptedServer().start();
    stop = new AbortController();
  });

  afterEach(() => server.close());

  const importOf = (url: string, answerMs = PATIENCE.answerMs, file: File | string = LIST) => {
    const session = {
      out: new Output({ json: false }),
      signal: stop.signal,
      client: (fetch?: typeof globalThis.fetch) =>
        Promise.resolve(new MessagingClient({ baseUrl: url, apiKey: 'key-1', fetch })),
    };
    return sendingCall(
      session,
      'messaging jobs list',
      (client, signal) => client.importFile({ file, templateName: 'hello_world' }, { signal }),
      { ...PATIENCE, answerMs },
    );
  };

  it('aborts an incomplete upload: nothing was sent', async () => {
    // It reads nothing: the file fills the buffers on the way and blocks.
    const deaf: Server = createServer(() => stop.abort(new Interrupted()));
    await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const folder = await mkdtemp(join(tmpdir(), 'sending-call-'));
    const file = join(folder, 'large.csv');
    await writeFile(file, Buffer.alloc(40_000_000, 'x'));
    await expect(importOf(url, 60_000, file)).rejects.toThrow(
      'Interrupted before the service accepted it: nothing was sent.',
    );
    await rm(folder, { recursive: true });
    deaf.closeAllConnections();
    deaf.close();
  });

  it('waits for the response to a complete request, to name the job', async () => {
    server.script((_, response) => {
      stop.abort(new Interrupted());
      setTimeout(() => response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(JOB)), 50);
    });
    expect(await importOf(server.url, 30_000)).toEqual(JOB);
    expect(server.seen).toHaveLength(1);
  });

  it('reports an unknown outcome without a response', async () => {
    server.script(() => stop.abort(new Interrupted()));
    await expect(importOf(server.url)).rejects.toThrow(
      /^Interrupted without a response.* Run `messaging jobs list` to see whether it was accepted\.$/,
    );
  });

  it('retries nothing after a rejection: nothing was sent', async () => {
    server.script((_, response) => {
      stop.abort(new Interrupted());
      const body = JSON.stringify({ code: 'rate_limited', message: 'Later.', retryAfter: 60 });
      setTimeout(() => response.writeHead(429, { 'content-type': 'application/json' }).end(body), 20);
    });
    await expect(importOf(server.url)).rejects.toThrow('Interrupted before the service accepted it: nothing was sent.');
    expect(server.seen).toHaveLength(1);
  });

  it('ends a wait between two attempts immediately', async () => {
    server.script({ status: 429, body: { code: 'rate_limited', message: 'Later.', retryAfter: 50 } });
    const sending = importOf(server.url, 60_000);
    while (server.seen.length === 0) await new Promise((done) => setTimeout(done, 5));
    setTimeout(() => stop.abort(new Interrupted()), 100);
    await expect(sending).rejects.toThrow('nothing was sent.');
  });
});
