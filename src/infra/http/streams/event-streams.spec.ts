import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { once } from 'node:events';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { Shutdown } from '../../lifecycle/shutdown';
import type { ApiRequest } from '../api-request';
import {
  COMMENT_AFTER_SECONDS,
  type EventStream,
  EventStreams,
  MAX_STREAM_MINUTES,
  MAX_STREAMS,
} from './event-streams';
import { TooManyStreamsError } from '../errors/http.errors';

const MUCH = `data: ${'x'.repeat(1_000_000)}\n\n`;

describe('An event stream', () => {
  let server: Server;
  let clock: ManualClock;
  let streams: EventStreams;
  let shutdown: Shutdown;
  const started: EventStream[] = [];
  let isStillAllowed: ApiRequest['isStillAllowed'];

  beforeEach(async () => {
    clock = new ManualClock();
    shutdown = new Shutdown();
    streams = new EventStreams(clock, new Registry(), shutdown);
    server = createServer((request, response) => {
      const accepted = Object.assign(request as ApiRequest, { isStillAllowed });
      started.push(streams.begin('account', accepted, response as Response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    started.length = 0;
    isStillAllowed = undefined;
    server.closeAllConnections();
    server.close();
    await streams.onModuleDestroy();
  });

  /** A client that reads only on demand. */
  async function client(method = 'GET'): Promise<{ socket: Socket; stream: EventStream }> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${method} / HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    return { socket, stream: started.at(-1)! };
  }

  async function until(check: () => boolean): Promise<void> {
    while (!check()) await new Promise((done) => setTimeout(done, 5));
  }

  it('is not ready while its client does not read, and closes after 60 s of that', async () => {
    const { socket, stream } = await client();
    for (let n = 0; n < 20 && stream.isReady; n++) {
      stream.send(MUCH);
      await new Promise((done) => setTimeout(done, 20));
    }
    expect(stream.isReady).toBe(false);
    socket.resume();
    await until(() => stream.isReady);
    socket.pause();
    for (let n = 0; n < 20 && stream.isReady; n++) {
      stream.send(MUCH);
      await new Promise((done) => setTimeout(done, 20));
    }
    clock.advance(61_000);
    const closed = new Promise<void>((resolve) => stream.onClose(resolve));
    stream.keepAlive();
    await closed;
  });

  it('sends a comment after 15 seconds without an event, and ends after ten minutes', async () => {
    const { socket, stream } = await client();
    let got = '';
    socket.on('data', (bytes: Buffer) => (got += bytes.toString()));
    await until(() => stream.isReady);
    clock.advance(COMMENT_AFTER_SECONDS * 1000 - 1);
    stream.keepAlive();
    clock.advance(1);
    stream.keepAlive();
    stream.keepAlive();
    await until(() => got.includes(':\n\n'));
    expect(got.split(':\n\n')).toHaveLength(2);
    clock.advance(MAX_STREAM_MINUTES * 60_000);
    stream.keepAlive();
    await until(() => got.endsWith('0\r\n\r\n'));
  });

  it('ends when its caller loses access, but not when the check fails', async () => {
    const answers = [Promise.resolve(true), Promise.resolve(false)];
    isStillAllowed = () => answers.shift() ?? Promise.reject(new Error('no database'));
    const { stream } = await client();
    await streams.check();
    expect(stream.isReady).toBe(true);
    await streams.check();
    expect(stream.isReady).toBe(false);
    const { stream: other } = await client();
    await expect(streams.check()).rejects.toThrow('no database');
    expect(other.isReady).toBe(true);
  });

  it('is checked concurrently with all others', async () => {
    const answers: ((isAllowed: boolean) => void)[] = [];
    isStillAllowed = () => new Promise((resolve) => answers.push(resolve));
    const { stream } = await client();
    await client();
    const checked = streams.check();
    expect(answers).toHaveLength(2);
    answers.forEach((answer) => answer(false));
    await checked;
    expect(stream.isReady).toBe(false);
  });

  it('is limited to 500 per account', () => {
    const request = new IncomingMessage(new Socket()) as ApiRequest;
    const begin = (account = 'account') =>
      streams.begin(account, request, new ServerResponse(request) as unknown as Response);
    for (let n = 0; n < MAX_STREAMS; n++) begin();
    expect(() => begin()).toThrow(TooManyStreamsError);
    begin('other');
  });

  it('ends when shutdown begins, and immediately for a HEAD request', async () => {
    const head = await client('HEAD');
    expect(head.stream.isReady).toBe(false);
    const { socket } = await client();
    let got = '';
    socket.on('data', (bytes: Buffer) => (got += bytes.toString()));
    shutdown.begin();
    await until(() => got.endsWith('0\r\n\r\n'));
  });
});
