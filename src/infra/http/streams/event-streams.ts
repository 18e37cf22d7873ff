import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, Registry } from 'prom-client';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { Shutdown } from '../../lifecycle/shutdown';
import type { ApiRequest } from '../api-request';
import { TooManyStreamsError } from '../errors/http.errors';

/** Maximum number of open streams of an account per process. */
export const MAX_STREAMS = 500;
/** Streams end after this time, so that clients spread over the processes again. */
export const MAX_STREAM_MINUTES = 10;
/** How often the callers of open streams are checked. */
const CHECK_EVERY_SECONDS = 15;
/** After this time without an event a comment is sent, so that no proxy considers the connection dead. */
export const COMMENT_AFTER_SECONDS = 15;
/** A client that reads nothing for this long is considered gone. */
const UNREAD_SECONDS = 60;
/** Time limit for the last bytes of an ended stream. */
const FLUSH_MS = 1000;
/** Reconnection delay of clients. */
const RECONNECT_MS = 2000;
const KEEP_ALIVE_EVERY_MS = 1000;
const SECOND = 1000;

/** A response that streams server-sent events. Send only while `isReady`, so that unread data does not pile up. */
export class EventStream {
  private readonly startedAt: number;
  private sentAt: number;
  private ended = false;

  constructor(
    private readonly response: Response,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly isStillAllowed: ApiRequest['isStillAllowed'],
  ) {
    this.startedAt = this.sentAt = clock.monotonic();
  }

  /** Whether the stream is open and everything sent has been read. */
  get isReady(): boolean {
    return !this.ended && this.response.writableLength === 0;
  }

  /** Sends whole events, each followed by an empty line. */
  send(text: string): void {
    if (this.ended) return;
    this.sentAt = this.clock.monotonic();
    this.response.write(text);
  }

  /** Ends the stream after the sent data; disconnects a client that does not read it soon. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), FLUSH_MS).unref();
    this.onClose(() => clearTimeout(cut));
  }

  /** Calls `then` once the stream is closed, by either side. */
  onClose(then: () => void): void {
    if (this.response.closed) then();
    else this.response.once('close', then);
  }

  /** Ends the stream if its caller has lost access. */
  async check(): Promise<void> {
    if (!this.ended && (await this.isStillAllowed?.()) === false) this.end();
  }

  /** Sends a comment if due; ends the stream if it is too old or unread. */
  keepAlive(): void {
    const now = this.clock.monotonic();
    if (now - this.startedAt > MAX_STREAM_MINUTES * 60 * SECOND) this.end();
    else if (!this.isReady) {
      if (now - this.sentAt > UNREAD_SECONDS * SECOND) this.response.destroy();
    } else if (now - this.sentAt >= COMMENT_AFTER_SECONDS * SECOND) this.send(':\n\n');
  }
}

/** The open streams of this process: starts them, keeps them alive, and ends them when the process stops. */
@Injectable()
export class EventStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly open = new Set<EventStream>();
  private readonly byAccount = new Map<string, number>();
  private readonly loop: Loop;
  private readonly checks: Loop;
  private readonly count: Gauge;

  constructor(
    private readonly clock: Clock,
    registry: Registry,
    shutdown: Shutdown,
  ) {
    const logger = new Logger(EventStreams.name);
    this.loop = new Loop({
      name: 'event_streams',
      clock,
      everyMs: KEEP_ALIVE_EVERY_MS,
      round: () => Promise.resolve(this.open.forEach((stream) => stream.keepAlive())),
      failed: ({ message }) => logger.warn(`Keep-alive of open event streams failed: ${message}`),
    });
    this.checks = new Loop({
      name: 'event_stream_callers',
      clock,
      everyMs: CHECK_EVERY_SECONDS * SECOND,
      round: () => this.check(),
      failed: ({ message }) => logger.warn(`Checking the API keys of open streams failed, retrying: ${message}`),
    });
    shutdown.signal.addEventListener('abort', () => this.end());
    this.count = new Gauge({
      name: 'messaging_event_streams',
      help: 'Open streams of server-sent events.',
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.checks.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.end();
    await Promise.all([this.loop.stop(), this.checks.stop()]);
  }

  /** Starts a stream as the response; throws TooManyStreamsError. All other checks must have passed, since it sends the status. */
  begin(accountId: string, request: ApiRequest, response: Response): EventStream {
    const before = this.byAccount.get(accountId) ?? 0;
    if (before >= MAX_STREAMS) throw new TooManyStreamsError(MAX_STREAMS);
    request.isStream = true;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-cache, no-transform',
      // Some proxies buffer responses.
      'X-Accel-Buffering': 'no',
    });
    const stream = new EventStream(response, this.clock, request.isStillAllowed);
    this.open.add(stream);
    this.count.set(this.open.size);
    this.byAccount.set(accountId, before + 1);
    stream.onClose(() => this.closed(accountId, stream));
    if (request.method === 'HEAD') stream.end();
    else stream.send(`retry: ${RECONNECT_MS}\n\n`);
    return stream;
  }

  /** Ends streams whose callers have lost access. Checks all at once, so that a few statements cover thousands of streams. */
  async check(): Promise<void> {
    await Promise.all([...this.open].map((stream) => stream.check()));
  }

  private closed(accountId: string, stream: EventStream): void {
    this.open.delete(stream);
    this.count.set(this.open.size);
    const left = this.byAccount.get(accountId)! - 1;
    if (left > 0) this.byAccount.set(accountId, left);
    else this.byAccount.delete(accountId);
  }

  private end(): void {
    for (const stream of this.open) stream.end();
  }
}
