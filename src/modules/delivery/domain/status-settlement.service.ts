import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { readAttemptTrace } from '../../sending/domain/attempt-trace';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobStatusStore, type NamedRecipient } from './job-status-store.port';
import type { RecipientAnswer } from './recipient-rows';
import { Recorder } from './recorder';

interface Proof {
  recipient: NamedRecipient;
  answer: RecipientAnswer;
}

/** Statuses as proofs: a recipient that the platform reports on was accepted, whatever was known of it before. */
@Injectable()
export class StatusSettlement {
  constructor(
    private readonly store: JobStatusStore,
    private readonly recorder: Recorder,
    private readonly signal: SenderSignal,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Settles the unsettled recipients of these updates, in the surrounding unit of work. Callback data that names a
   * recipient of another sender proves nothing.
   */
  async settle(updates: readonly StatusUpdate[]): Promise<void> {
    const proofs = proofsIn(updates);
    if (proofs.size === 0) return;
    // Nearly all of them are settled: those are neither locked nor written.
    const unsettled = await this.store.unsettled([...proofs.values()].map(({ recipient }) => recipient));
    if (unsettled.length === 0) return;
    const proved = unsettled.map((recipient) => ({ ...recipient, ...proofs.get(keyOf(recipient))! }));
    await this.recorder.recordNow(proved.map(({ answer }) => answer));
    // The last open recipient of a job may be among them, and only its lane ends it.
    const senders = new Set(proved.filter(({ wasUnknown }) => wasUnknown).map(({ recipient }) => recipient.senderId));
    this.unitOfWork.afterCommit(() => senders.forEach((senderId) => this.signal.runnable(senderId)));
  }
}

function proofsIn(updates: readonly StatusUpdate[]): Map<string, Proof> {
  const proofs = new Map<string, Proof>();
  for (const { callbackData, platformMessageId, senderId } of updates) {
    const sent = readAttemptTrace(callbackData);
    if (!sent?.recipient) continue;
    const { messageId, attempt } = sent;
    const recipient = { ...sent.recipient, messageId, senderId };
    const answer: RecipientAnswer = { ...sent.recipient, attempt, answer: { kind: 'accepted', platformMessageId } };
    proofs.set(keyOf(recipient), { recipient, answer });
  }
  return proofs;
}

function keyOf({ jobId, position }: { jobId: string; position: number }): string {
  return `${jobId}.${position}`;
}
