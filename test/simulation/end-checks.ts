import type { TemplateMessage } from '../../src/modules/messages/domain/message';
import type { JobRow, RecipientRow, SingleSendRow } from '../fakes/engine-rows';
import type { CommitChecks } from './commit-checks';
import type { HistoryDatabase } from './history-database';
import { isEnded, isVisible } from '../fakes/lane-rows';
import type { Plan } from './plan';
import { PromiseBroken } from './promise-broken';
import type { Flight, SimulatedPlatform } from './simulated-platform';
import type { Witness } from './witness';

/** The response that a client received for one message. */
export interface ClientAnswer {
  messageId: string;
  status: TemplateMessage['status'] | null;
  /** The error code, if the request failed. */
  errorCode: string | null;
}

/** Checks the promises about the end of a history: every failure is over and no work is left. */
export class EndChecks {
  constructor(
    private readonly plan: Plan,
    private readonly server: HistoryDatabase,
    private readonly platform: SimulatedPlatform,
    private readonly witness: Witness,
    private readonly commits: CommitChecks,
    private readonly clients: readonly ClientAnswer[],
  ) {}

  check(): void {
    this.checkDuplicates();
    for (const job of this.server.jobs.committed()) {
      if (!isVisible(job)) continue;
      if (job.completedAt === null || this.commits.endings.get(job.id) !== 1) {
        throw new PromiseBroken('every job ends once', JSON.stringify(job));
      }
      if (job.successfullySent + job.failed !== job.totalRecipients) {
        throw new PromiseBroken('outcomes add up to the total', JSON.stringify(job));
      }
      for (const { committed } of this.server.recipientsOf(job.id)) {
        const row = committed!;
        if (row.outcome !== null) this.ending(row);
        else if (!isEnded(job) || this.isTried(row, job)) {
          throw new PromiseBroken('no row stays open', `${row.messageId} of ${job.id}`);
        }
      }
    }
    for (const send of this.server.singles.committed()) {
      if (send.outcome === null) throw new PromiseBroken('no row stays open', JSON.stringify(send));
      this.ending(send);
    }
    this.noticesCount();
    this.statusCountersEqualMessages();
    this.checkResponses();
  }

  private checkDuplicates(): void {
    for (const [messageId, accepted] of this.platform.acceptances) {
      const isRepeated = accepted.length === 2 && this.mayRepeat(accepted);
      if (accepted.length > 1 && !isRepeated) {
        throw new PromiseBroken(
          'no message is sent twice',
          `${messageId}: attempts ${accepted.map(({ attempt }) => attempt).join()}`,
        );
      }
    }
  }

  /** After a restore, resuming a job may repeat once what was sent after the copy. */
  private mayRepeat([first, second]: Flight[]): boolean {
    const [, , jobId] = second!.callbackData.split('.');
    const { losses, resumed } = this.witness;
    const isResumed = jobId !== undefined && resumed.has(jobId);
    if (losses?.isRepeated(second!.messageId)) return true;
    return isResumed && this.isForgotten(first!) && !this.isForgotten(second!);
  }

  /** Sent between the copy and the restore, or by a claim between them. */
  private isForgotten(flight: Flight): boolean {
    const { departedAt } = flight;
    if (this.witness.losses?.isLost(flight)) return true;
    const { takenAt, restoredAt } = this.server.backup ?? {};
    return departedAt >= (takenAt ?? Infinity) && departedAt < (restoredAt ?? -Infinity);
  }

  /** A restored database lacks rows created after the copy, and may have ended a row before its proof arrives. */
  private mayBeLate(flight: Flight, row: RecipientRow | SingleSendRow | undefined): boolean {
    const isOver = row === undefined || ['Failed', 'Skipped', 'Cancelled'].includes(row.outcome ?? '');
    return isOver && this.isForgotten(flight);
  }

  private isTried({ messageId, position }: RecipientRow, { cursor }: JobRow): boolean {
    return position < cursor || this.flightsOf(messageId).length > 0;
  }

  private allRows(): Map<string, RecipientRow | SingleSendRow> {
    const recipients = [...this.server.recipients.values()].flat().map(({ committed }) => committed!);
    return new Map([...recipients, ...this.server.singles.committed()].map((row) => [row.messageId, row]));
  }

  private ending(row: RecipientRow | SingleSendRow): void {
    const accepted = this.platform.acceptances.has(row.messageId);
    const what = `${row.messageId} is ${row.outcome} ${row.problem ?? ''}`;
    if (row.outcome === 'Sent' && !accepted) throw new PromiseBroken('sent messages were accepted', what);
    if (row.outcome !== 'Sent' && this.isProved(row)) throw new PromiseBroken('proofs are recorded', what);
    if (row.outcome === 'Failed') this.failure(row, what);
    if (row.outcome === 'Unknown') this.unknown(row, what);
    if (row.attempt > 0) this.commits.checkMessageStatus(row, true);
  }

  /** A process that lived to record it received the acceptance. */
  private isProved(row: RecipientRow | SingleSendRow): boolean {
    const { messageId } = row;
    const wasReceived = this.flightsOf(messageId).some(
      ({ answer, life }) => answer?.kind === 'accepted' && life.killedAt === null,
    );
    const { acknowledged: kept } = this.witness;
    return wasReceived || kept.some(({ flight }) => flight.messageId === messageId && !this.mayBeLate(flight, row));
  }

  private failure(row: RecipientRow | SingleSendRow, what: string): void {
    const problem = row.problem ?? 'none';
    const isRefused = this.platform.refusals.get(row.messageId)?.has(problem);
    const isOther = [
      'invalid_phone',
      'phone_invalid',
      'opted_out',
      'platform_unavailable',
      'expired',
      'recipient_erased',
    ].includes(problem);
    if (!isRefused && !isOther) throw new PromiseBroken('only refused messages fail', what);
    const accepted = this.platform.acceptances.get(row.messageId) ?? [];
    if (!accepted.every((flight) => this.isForgotten(flight)))
      throw new PromiseBroken('failed messages were not accepted', what);
  }

  /** An unknown outcome needs a reason: no process received a conclusive answer. */
  private unknown(row: RecipientRow | SingleSendRow, what: string): void {
    if (row.problem === null) throw new PromiseBroken('grace times end', what);
    const last = this.flightsOf(row.messageId).at(-1);
    // The refusal of a whole job only makes the recipient wait; after the grace time it settles nothing.
    const isConclusive =
      last?.answer?.kind === 'refused' && last.answer.scope !== 'job' && last.attempt === row.attempt;
    if (isConclusive && last.life.killedAt === null) throw new PromiseBroken('no answer is dropped', what);
    const isCalm = this.plan.weather === 'calm' && this.plan.restore === null;
    if (isCalm) throw new PromiseBroken('unknown outcomes have a reason', what);
  }

  private noticesCount(): void {
    const best = new Map<string, string>();
    const ranks = ['sent', 'undelivered', 'delivered', 'read'];
    const rows = this.allRows();
    for (const { flight, word: reported } of this.witness.acknowledged) {
      if (this.plan.restore && this.mayBeLate(flight, rows.get(flight.messageId))) continue;
      const word = reported === 'failed' ? 'undelivered' : reported;
      const known = best.get(flight.messageId);
      if (known === undefined || ranks.indexOf(word) > ranks.indexOf(known)) best.set(flight.messageId, word);
    }
    for (const [messageId, acknowledged] of best) {
      const restored = this.witness.restoredStatuses.get(messageId);
      const isHigher = restored !== undefined && ranks.indexOf(restored) > ranks.indexOf(acknowledged);
      const word = isHigher ? restored : acknowledged;
      const status = this.server.messages.row(messageId).committed?.status.toLowerCase();
      // A recipient erased before its answer was recorded gets no message.
      const row = rows.get(messageId);
      if (status === undefined && row && 'phone' in row && row.phone === '') continue;
      if (status !== word) throw new PromiseBroken('the highest status is kept', `${messageId} ${status}, not ${word}`);
    }
  }

  private statusCountersEqualMessages(): void {
    const { statusDeltas, jobs, messages } = this.server;
    if (statusDeltas === null) return;
    for (const { id } of jobs.committed()) {
      const statuses = [...messages.committed()].filter(({ jobId }) => jobId === id).map(({ status }) => status);
      const having = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
      const counted = [having('Delivered', 'Read'), having('Read'), having('Undelivered')];
      const deltas = [...statusDeltas.committed()].filter(({ jobId }) => jobId === id);
      const sum = (...values: number[]) => values.reduce((total, value) => total + value, 0);
      const stored = [
        sum(...deltas.map(({ delivered }) => delivered)),
        sum(...deltas.map(({ read }) => read)),
        sum(...deltas.map(({ undelivered }) => undelivered)),
      ];
      if (stored.join() !== counted.join()) {
        throw new PromiseBroken('status counters equal messages', `${id} has ${stored.join()}, not ${counted.join()}`);
      }
    }
  }

  private checkResponses(): void {
    for (const { messageId, status, errorCode } of this.clients) {
      const accepted = this.platform.acceptances.has(messageId);
      if (status === 'Sent' && !accepted)
        throw new PromiseBroken('clients receive true responses', `${messageId} not sent`);
      if (errorCode === 'platform_unavailable' && accepted) {
        throw new PromiseBroken('clients receive true responses', `${messageId} was sent although it may be repeated`);
      }
    }
  }

  private flightsOf(messageId: string): Flight[] {
    return [...this.witness.flights.values()].filter((flight) => flight.messageId === messageId);
  }
}
