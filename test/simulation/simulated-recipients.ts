import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type {
  ClaimedRecipient,
  NextRecipient,
  OutcomeCounts,
  RecipientState,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Problem } from '../../src/modules/sending/domain/send-state';
import { claimed, countOutcomes, isGraceOver, openRecipient, recipientState, savedColumns } from '../fakes/lane-rows';
import type { RecipientRow } from '../fakes/engine-rows';
import type { Transaction } from './table';
import { LaneTables } from './lane-tables';

type Where = (row: RecipientRow) => boolean;

/** Recipients, statement by statement like the SQL of the real store. */
export abstract class SimulatedRecipients extends LaneTables {
  /** The tiers of a history are in its senders, which are never outdated. */
  open(_senderId: string, jobId: string, from: number, below: number, limit: number): Promise<NextRecipient[]> {
    return this.database.statement('OPEN_RECIPIENTS', () =>
      this.rowsOf(jobId)
        .slice(from - 1, below - 1)
        .filter((row) => row.outcome === null)
        .slice(0, limit)
        .map((row) => ({ ...openRecipient(row), messagingTier: null })),
    );
  }

  protected anySettled(jobId: string, positions: readonly number[]): Promise<boolean> {
    return this.database.statement('ANY_SETTLED', (transaction) =>
      positions.some((position) => this.recipient(jobId, position).seenBy(transaction)!.outcome !== null),
    );
  }

  protected async skip(jobId: string, positions: readonly number[], { code, message }: Problem): Promise<void> {
    const rows = positions.map((position) => this.recipient(jobId, position));
    const skipped: Partial<RecipientRow> = { outcome: 'Skipped', problem: code, problemMessage: message };
    await this.database.statement('SKIP', (transaction) =>
      this.server.update(
        transaction,
        rows,
        () => true,
        () => skipped,
      ),
    );
  }

  protected async failOpen(jobId: string, from: number, below: number, { code, message }: Problem): Promise<void> {
    const rows = this.server.recipientsOf(jobId).slice(from - 1, below - 1);
    const failed: Partial<RecipientRow> = { outcome: 'Failed', problem: code, problemMessage: message };
    await this.database.statement('FAIL_OPEN', async (transaction) => {
      const changed = await this.server.update(transaction, rows, isOpen, () => failed);
      await this.server.update(
        transaction,
        [this.server.jobs.row(jobId)],
        () => true,
        (job) => ({ failed: job.failed + changed.length }),
      );
    });
  }

  protected beginDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.statement('CLAIM_DUE', async (transaction) => {
      const rows = this.dueOf(jobId, limit).map(({ position }) => this.recipient(jobId, position));
      const begun = await this.server.update(
        transaction,
        rows,
        () => true,
        (row) => ({ attempt: row.attempt + 1, sendingEpoch: Number(epoch), retryAt: null }),
      );
      return begun.map(claimed);
    });
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.statement('LATER_ATTEMPTS', () =>
      this.rowsOf(jobId)
        .filter((row) => row.sendingEpoch === Number(epoch) && row.outcome === null)
        .slice(0, 500)
        .map(({ position, attempt }) => ({ position, attempt })),
    );
  }

  protected strandFirstAttempts(jobId: string, from: number, below: number): Promise<void> {
    const isInRange: Where = ({ position }) => position >= from && position < below;
    return this.database.statement('STRAND_FIRST_ATTEMPTS', (transaction) =>
      this.strand(transaction, jobId, (row) => isInRange(row) && this.isFirstInFlight(row)),
    );
  }

  protected strandLaterAttempts(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.statement('STRAND_LATER_ATTEMPTS', async (transaction) => {
      const isInFlight: Where = (row) => isOpen(row) && row.sendingEpoch !== null && row.sendingEpoch < Number(epoch);
      for (const row of this.server.jobs.rows.values()) {
        const job = row.seenBy(transaction);
        const isOurs = job?.senderId === senderId && String(job.laneEpoch) === epoch && job.completedAt === null;
        if (isOurs) await this.strand(transaction, job.id, isInFlight);
      }
    });
  }

  protected countRange(jobId: string, cursor: number, first: number, last: number): Promise<OutcomeCounts> {
    return this.database.statement('COUNT_OUTCOMES', () =>
      countOutcomes(this.rowsOf(jobId).slice(first - 1, last), cursor),
    );
  }

  protected at(places: readonly { jobId: string; position: number }[]): Promise<RecipientState[]> {
    return this.database.statement('RECIPIENTS_AT', (transaction) => {
      const rows = places.flatMap(({ jobId, position }) => this.recipient(jobId, position) ?? []);
      return [...new Set(rows)].flatMap((row) => row.seenBy(transaction) ?? []).map(recipientState);
    });
  }

  protected waiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<RecipientState[]> {
    return this.database.statement('RECIPIENTS_WAITING', () => {
      const isRetry = which === 'retry';
      const isWanted: Where = isRetry
        ? (row) => row.retryAt !== null && row.outcome === null
        : (row) => row.outcome === 'Unknown' && isGraceOver(row, this.now(), this.terms.graceMs);
      const since = ({ retryAt, unknownSince }: RecipientRow): number => (isRetry ? retryAt : unknownSince)!.getTime();
      const rows = this.rowsOf(jobId).filter(isWanted);
      return rows
        .sort((a, b) => since(a) - since(b))
        .slice(0, limit)
        .map(recipientState);
    });
  }

  protected async saveRecipients(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    const states = new Map(recipients.map((recipient) => [recipient.position, recipient]));
    const rows = recipients.map(({ position }) => this.recipient(jobId, position));
    await this.database.statement('SAVE_RECIPIENTS', (transaction) =>
      this.server.update(
        transaction,
        rows,
        () => true,
        ({ position }) => savedColumns(states.get(position)!),
      ),
    );
  }

  /** Recipients with a due retry, the longest overdue first. */
  protected dueOf(jobId: string, limit: number): RecipientRow[] {
    return this.rowsOf(jobId)
      .filter((row) => row.retryAt !== null && row.retryAt.getTime() <= this.now())
      .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
      .slice(0, limit);
  }

  protected isFirstInFlight(row: RecipientRow): boolean {
    return isOpen(row) && row.retryAt === null;
  }

  private async strand(transaction: Transaction, jobId: string, isInFlight: Where): Promise<void> {
    const stranded = await this.server.update(
      transaction,
      this.server.recipientsOf(jobId),
      isInFlight,
      (row): Partial<RecipientRow> => ({
        outcome: 'Unknown',
        unknownSince: this.server.now(),
        attempt: Math.max(1, row.attempt),
        sendingEpoch: null,
      }),
    );
    if (stranded.length === 0) return;
    await this.server.update(
      transaction,
      [this.server.jobs.row(jobId)],
      () => true,
      ({ unknown, unknownInGrace }) => ({
        unknown: unknown + stranded.length,
        unknownInGrace: unknownInGrace + stranded.length,
      }),
    );
  }
}

function isOpen(row: RecipientRow): boolean {
  return row.outcome === null;
}
