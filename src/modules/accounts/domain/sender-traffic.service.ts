import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { TrafficMarks } from './traffic-marks';
import { type SenderTrafficState, TrafficStore } from './traffic-store.port';

const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 5_000;
/** The platform reports the first status of a message within seconds. */
const UNREPORTED_MS = 10 * 60_000;

/** A sender whose messages leave without a status webhook, and for how long. */
export interface UnreportedSender {
  phoneNumberId: string;
  minutes: number;
}

/**
 * Whether the platform reports on what it accepts, by sender: writes the marks of this process once a minute and reads those
 * of all processes, since one may send and another one receive the webhooks.
 */
@Injectable()
export class SenderTrafficService {
  private readonly loop: Loop;
  private seen: readonly SenderTrafficState[] = [];

  constructor(
    private readonly marks: TrafficMarks,
    private readonly store: TrafficStore,
    clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'sender_traffic',
      clock,
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      round: () => this.look(),
      // The database has its own health check; the marks are kept until it takes them.
      failed: () => undefined,
    });
  }

  /** Begins to look, once a minute. */
  start(): void {
    this.loop.start();
  }

  /** Writes the last marks of this process. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.flush().catch(() => undefined);
  }

  /** Writes the marks of this process and reads those of all. */
  async look(): Promise<void> {
    await this.flush();
    this.seen = await this.store.all();
  }

  /** Of every sender of which anything is known, as of the last look. */
  get states(): readonly SenderTrafficState[] {
    return this.seen;
  }

  /** When the platform last reported a status of the sender: up to a minute late for webhooks that another process received. */
  async lastWebhookAt(senderId: string): Promise<Date | null> {
    const own = this.marks.lastWebhookAt(senderId);
    return own ?? (await this.store.all()).find((state) => state.senderId === senderId)?.lastWebhookAt ?? null;
  }

  /** Senders whose messages have left for more than 10 minutes without any status webhook since, as of the last look. */
  get unreported(): UnreportedSender[] {
    return this.seen.flatMap(({ phoneNumberId, lastAcceptedAt, unreportedSince }) => {
      if (!lastAcceptedAt || !unreportedSince) return [];
      const ms = lastAcceptedAt.getTime() - unreportedSince.getTime();
      return ms > UNREPORTED_MS ? [{ phoneNumberId, minutes: Math.floor(ms / 60_000) }] : [];
    });
  }

  private flush(): Promise<void> {
    return this.marks.flush((marks) => this.store.add(marks));
  }
}
