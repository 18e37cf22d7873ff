import { Injectable } from '@nestjs/common';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { readAttemptTrace } from './attempt-trace';
import { SingleSendStore } from './single-send-store.port';
import { type SingleSendAnswer, SingleSends } from './single-sends.service';

/** Statuses as proofs: a single send that the platform reports on was accepted, whatever was known of it before. */
@Injectable()
export class SingleSendProofs {
  constructor(
    private readonly store: SingleSendStore,
    private readonly singleSends: SingleSends,
  ) {}

  /** Settles the unsettled ones of these updates, in the surrounding unit of work. */
  async settle(updates: readonly StatusUpdate[]): Promise<void> {
    const proofs = new Map<string, { senderId: string; answer: SingleSendAnswer }>();
    for (const { callbackData, platformMessageId, senderId } of updates) {
      const sent = readAttemptTrace(callbackData);
      if (!sent || sent.recipient) continue;
      const { messageId, attempt } = sent;
      proofs.set(messageId, {
        senderId,
        answer: { messageId, attempt, answer: { kind: 'accepted', platformMessageId } },
      });
    }
    if (proofs.size === 0) return;
    // Nearly all of them are settled: those are neither locked nor written.
    const unsettled = await this.store.unsettled([...proofs.keys()]);
    const answers = unsettled.flatMap(({ messageId, senderId }) => {
      const proof = proofs.get(messageId);
      return proof?.senderId === senderId ? [proof.answer] : [];
    });
    if (answers.length > 0) await this.singleSends.recordNow(answers);
  }
}
