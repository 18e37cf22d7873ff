import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { Sender } from './sender';
import { TrafficMarks } from './traffic-marks';
import { type SenderTrafficState, TrafficStore } from './traffic-store.port';

const POLL_INTERVAL_MS = 60_000;
const JITTER_MS = 5_000;
/** The platform reports the first status of a message within seconds. */
const UNREPORTED_AFTER_MS = 10 * 60_000;
/** Bounds the states, and with them the metrics, to senders in use. */
const RECENT_MS = 60 * 60_000;

/** A sender with accepted messages but no status webhook, and for how many minutes. */
export interface UnreportedSender {
  phoneNumberId: string;
  minutes: number;
}

/**
 * Detects senders without status webhooks: once a minute writes the marks of this process and reads those of all processes, since
 * one process may send and another receive the webhooks.
 */
@Injectable()
export class SenderTrafficService {
  private readonly loop: Loop;
  private latest: readonly SenderTrafficState[] = [];

  constructor(
    private readonly marks: TrafficMarks,
    private readonly store: TrafficStore,
    private readonly clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'sender_traffic',
      clock,
      everyMs: POLL_INTERVAL_MS,
      jitterMs: JITTER_MS,
      round: () => this.update(),
      // The database has its own health check; the marks are kept until they are written.
      failed: () => undefined,
    });
  }

  /** Starts the updates, once a minute. */
  start(): void {
    this.loop.start();
  }

  /** Writes the last marks of this process. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.flush().catch(() => undefined);
  }

  /** Writes the marks of this process and reads those of all. */
  async update(): Promise<void> {
    await this.flush();
    this.latest = await this.store.recent(new Date(this.clock.now().getTime() - RECENT_MS));
  }

  /** The states of the senders that have sent within an hour or have unreported messages, as of the last update. */
  get states(): readonly SenderTrafficState[] {
    return this.latest;
  }

  /** When the platform last reported a status of the sender; webhooks received by another process count up to a minute later. */
  lastWebhookAt({ id, lastReportedAt }: Pick<Sender, 'id' | 'lastReportedAt'>): Date | null {
    return this.marks.lastWebhookAt(id) ?? lastReportedAt;
  }

  /** Senders that have sent for more than 10 minutes without a status webhook, as of the last update. */
  get unreported(): UnreportedSender[] {
    return this.latest.flatMap(({ phoneNumberId, lastAcceptedAt, unreportedSince }) => {
      if (!lastAcceptedAt || !unreportedSince) return [];
      const ms = lastAcceptedAt.getTime() - unreportedSince.getTime();
      return ms > UNREPORTED_AFTER_MS ? [{ phoneNumberId, minutes: Math.floor(ms / 60_000) }] : [];
    });
  }

  private flush(): Promise<void> {
    return this.marks.flush((marks) => this.store.add(marks));
  }
}
