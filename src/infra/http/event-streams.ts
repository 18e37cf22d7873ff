import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, Registry } from 'prom-client';
import { Clock } from '../../kernel/clock';
import { Loop } from '../../kernel/loop';
import { Shutdown } from '../lifecycle/shutdown';
import type { ApiRequest } from './api-request';
import { TooManyStreamsError } from './http.errors';

/** The most open streams of one account in one process. */
export const MAX_STREAMS = 500;
/** After this time a stream is ended, so that clients spread over the processes again. */
export const MAX_STREAM_MINUTES = 10;
/** How often it is asked whether the callers of open streams may still have them. */
const CHECK_EVERY_SECONDS = 15;
/** After this long without an event a comment is sent, so that nobody on the way takes the connection for a dead one. */
export const COMMENT_AFTER_SECONDS = 15;
/** After this long without reading, a client is taken for gone. */
const UNREAD_SECONDS = 60;
/** How long the last bytes of an ended stream may take. */
const FLUSH_MS = 1000;
/** How soon a client connects again. */
const RECONNECT_MS = 2000;
const LOOK_EVERY_MS = 1000;
const SECOND = 1000;

/** One answer that is a stream of server-sent events. What a client has not read is not added to: see `isReady`. */
export class EventStream {
  private readonly begunAt: number;
  private sentAt: number;
  private ended = false;

  constructor(
    private readonly response: Response,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly isStillAllowed: ApiRequest['isStillAllowed'],
  ) {
    this.begunAt = this.sentAt = clock.monotonic();
  }

  /** The client has taken over everything that was sent, and the stream is open. */
  get isReady(): boolean {
    return !this.ended && this.response.writableLength === 0;
  }

  /** Whole events, each with the empty line behind it. */
  send(text: string): void {
    if (this.ended) return;
    this.sentAt = this.clock.monotonic();
    this.response.write(text);
  }

  /** Ends it behind what was sent; a client that does not read that soon loses its connection. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), FLUSH_MS).unref();
    this.onClose(() => clearTimeout(cut));
  }

  /** Once it is closed, by whomever. */
  onClose(then: () => void): void {
    if (this.response.closed) then();
    else this.response.once('close', then);
  }

  /** Ends it if its caller may no longer have it. */
  async check(): Promise<void> {
    if (!this.ended && (await this.isStillAllowed?.()) === false) this.end();
  }

  /** Keeps it alive, or ends it if it is too old or nobody reads it. */
  look(): void {
    const now = this.clock.monotonic();
    if (now - this.begunAt > MAX_STREAM_MINUTES * 60 * SECOND) this.end();
    else if (!this.isReady) {
      if (now - this.sentAt > UNREAD_SECONDS * SECOND) this.response.destroy();
    } else if (now - this.sentAt >= COMMENT_AFTER_SECONDS * SECOND) this.send(':\n\n');
  }
}

/** The open streams of this process: begins them, keeps them alive, and ends them when the process stops. */
@Injectable()
export class EventStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly open = new Set<EventStream>();
  private readonly ofAccount = new Map<string, number>();
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
      everyMs: LOOK_EVERY_MS,
      round: () => Promise.resolve(this.open.forEach((stream) => stream.look())),
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

  /** Answers the request with a stream; throws TooManyStreamsError. Whatever else may be wrong must be known before. */
  begin(accountId: string, request: ApiRequest, response: Response): EventStream {
    const before = this.ofAccount.get(accountId) ?? 0;
    if (before >= MAX_STREAMS) throw new TooManyStreamsError(MAX_STREAMS);
    request.isStream = true;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-cache, no-transform',
      // Some proxies collect an answer before they pass it on.
      'X-Accel-Buffering': 'no',
    });
    const stream = new EventStream(response, this.clock, request.isStillAllowed);
    this.open.add(stream);
    this.count.set(this.open.size);
    this.ofAccount.set(accountId, before + 1);
    stream.onClose(() => this.closed(accountId, stream));
    if (request.method === 'HEAD') stream.end();
    else stream.send(`retry: ${RECONNECT_MS}\n\n`);
    return stream;
  }

  /** Ends those whose callers may no longer have them: all are asked about at once, so that a few statements answer for thousands. */
  async check(): Promise<void> {
    await Promise.all([...this.open].map((stream) => stream.check()));
  }

  private closed(accountId: string, stream: EventStream): void {
    this.open.delete(stream);
    this.count.set(this.open.size);
    const left = this.ofAccount.get(accountId)! - 1;
    if (left > 0) this.ofAccount.set(accountId, left);
    else this.ofAccount.delete(accountId);
  }

  private end(): void {
    for (const stream of this.open) stream.end();
  }
}
