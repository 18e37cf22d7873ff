import { Injectable } from '@nestjs/common';

/** Traffic of one sender in this process since the last flush. */
export interface TrafficMark {
  senderId: string;
  /** The latest request that the platform accepted. */
  lastAcceptedAt: Date | null;
  /** The latest status webhook. */
  lastWebhookAt: Date | null;
  /** The first accepted request after the latest status webhook. */
  unreportedSince: Date | null;
}

/** Accepted messages and status webhooks by sender, in memory: recording one costs no statement. */
@Injectable()
export class TrafficMarks {
  private marks = new Map<string, TrafficMark>();

  /** Records that the platform accepted a message of the sender, requested at `at`. */
  accepted(senderId: string, at: Date): void {
    const mark = this.of(senderId);
    mark.lastAcceptedAt = at;
    mark.unreportedSince ??= at;
  }

  /** Records a status webhook for a message of the sender. */
  reported(senderId: string, at: Date): void {
    const mark = this.of(senderId);
    mark.lastWebhookAt = at;
    mark.unreportedSince = null;
  }

  /** When this process received the sender's latest status webhook since the last flush; null: none. */
  lastWebhookAt(senderId: string): Date | null {
    return this.marks.get(senderId)?.lastWebhookAt ?? null;
  }

  /** Passes the marks to `write` and clears them; if it rejects, they are merged with marks added meanwhile. */
  async flush(write: (marks: readonly TrafficMark[]) => Promise<void>): Promise<void> {
    if (this.marks.size === 0) return;
    const taken = this.marks;
    this.marks = new Map();
    try {
      await write([...taken.values()]);
    } catch (error) {
      for (const [senderId, later] of this.marks) taken.set(senderId, merged(taken.get(senderId), later));
      this.marks = taken;
      throw error;
    }
  }

  private of(senderId: string): TrafficMark {
    let mark = this.marks.get(senderId);
    if (!mark) {
      mark = { senderId, lastAcceptedAt: null, lastWebhookAt: null, unreportedSince: null };
      this.marks.set(senderId, mark);
    }
    return mark;
  }
}

function merged(earlier: TrafficMark | undefined, later: TrafficMark): TrafficMark {
  if (!earlier) return later;
  return {
    senderId: later.senderId,
    lastAcceptedAt: later.lastAcceptedAt ?? earlier.lastAcceptedAt,
    lastWebhookAt: later.lastWebhookAt ?? earlier.lastWebhookAt,
    unreportedSince: later.lastWebhookAt ? later.unreportedSince : (earlier.unreportedSince ?? later.unreportedSince),
  };
}
