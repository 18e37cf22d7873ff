import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type {
  ClaimedRecipient,
  OpenRecipient,
  OutcomeCounts,
  RecipientState,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Problem } from '../../src/modules/sending/domain/send-state';
import { claimed, countOutcomes, isGraceOver, openRecipient, recipientState, savedColumns } from './lane-rows';
import type { MemoryDatabase, RecipientRow, Tables } from './memory-database';

/** The recipients of LaneJobsInMemory, statement by statement. */
export class RecipientsInMemory {
  constructor(
    private readonly database: MemoryDatabase,
    private readonly options: { graceMs: number },
  ) {}

  open(jobId: string, from: number, below: number, limit: number): Promise<OpenRecipient[]> {
    return this.database.call('openRecipients', (tables) =>
      openBetween(tables, jobId, from, below).slice(0, limit).map(openRecipient),
    );
  }

  anySettled(jobId: string, positions: readonly number[]): Promise<boolean> {
    return this.database.call('anySettled', (tables) =>
      ofJob(tables, jobId).some(({ position, outcome }) => positions.includes(position) && outcome !== null),
    );
  }

  skip(jobId: string, positions: readonly number[], { code, message }: Problem): Promise<void> {
    return this.database.call('skip', (tables) => {
      const rows = ofJob(tables, jobId).filter(({ position }) => positions.includes(position));
      for (const row of rows) Object.assign(row, { outcome: 'Skipped', problem: code, problemMessage: message });
    });
  }

  failOpen(jobId: string, from: number, below: number, { code, message }: Problem): Promise<void> {
    return this.database.call('failOpen', (tables) => {
      const rows = openBetween(tables, jobId, from, below);
      for (const row of rows) Object.assign(row, { outcome: 'Failed', problem: code, problemMessage: message });
      tables.jobs.find(({ id }) => id === jobId)!.failed += rows.length;
    });
  }

  claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.call('claimDue', (tables) => {
      const due = ofJob(tables, jobId)
        .filter(({ retryAt }) => retryAt !== null && retryAt.getTime() <= this.now())
        .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
        .slice(0, limit);
      for (const row of due)
        Object.assign(row, { attempt: row.attempt + 1, sendingEpoch: Number(epoch), retryAt: null });
      return due.map(claimed);
    });
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.call('laterAttempts', (tables) =>
      ofJob(tables, jobId)
        .filter((row) => row.sendingEpoch === Number(epoch) && row.outcome === null)
        .map(({ position, attempt }) => ({ position, attempt }))
        .slice(0, 500),
    );
  }

  strandFirstAttempts(jobId: string, from: number, below: number): Promise<void> {
    return this.database.call('strandFirstAttempts', (tables) => {
      const inFlight = openBetween(tables, jobId, from, below).filter(({ retryAt }) => retryAt === null);
      this.strand(tables, inFlight);
    });
  }

  strandLaterAttempts(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.call('strandLaterAttempts', (tables) => {
      const jobs = tables.jobs.filter((job) => job.senderId === senderId && String(job.laneEpoch) === epoch);
      const isInFlight = ({ outcome, sendingEpoch }: RecipientRow): boolean =>
        outcome === null && sendingEpoch !== null && sendingEpoch < Number(epoch);
      for (const job of jobs) this.strand(tables, ofJob(tables, job.id).filter(isInFlight));
    });
  }

  countOutcomes(jobId: string): Promise<OutcomeCounts> {
    return this.database.call('countOutcomes', (tables) => countOutcomes(ofJob(tables, jobId)));
  }

  at(places: readonly { jobId: string; position: number }[]): Promise<RecipientState[]> {
    return this.database.call('recipientsAt', (tables) => {
      const wanted = new Set(places.map(({ jobId, position }) => `${jobId} ${position}`));
      const rows = tables.recipients.filter(({ jobId, position }) => wanted.has(`${jobId} ${position}`));
      return rows.map(recipientState);
    });
  }

  waiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<RecipientState[]> {
    return this.database.call('waitingRecipients', (tables) => {
      const isWanted = (row: RecipientRow): boolean =>
        which === 'retry'
          ? row.retryAt !== null && row.outcome === null
          : isGraceOver(row, this.now(), this.options.graceMs);
      return ofJob(tables, jobId).filter(isWanted).slice(0, limit).map(recipientState);
    });
  }

  save(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    return this.database.call('saveRecipients', (tables) => {
      const rows = new Map(ofJob(tables, jobId).map((row) => [row.position, row]));
      for (const state of recipients) Object.assign(rows.get(state.position)!, savedColumns(state));
    });
  }

  private strand(tables: Tables, inFlight: readonly RecipientRow[]): void {
    for (const row of inFlight) {
      Object.assign(row, { outcome: 'Unknown', unknownSince: this.database.now(), sendingEpoch: null, retryAt: null });
      row.attempt = Math.max(1, row.attempt);
      const job = tables.jobs.find(({ id }) => id === row.jobId)!;
      job.unknown++;
      job.unknownInGrace++;
    }
  }

  private now(): number {
    return this.database.now().getTime();
  }
}

function ofJob(tables: Tables, jobId: string): RecipientRow[] {
  return tables.recipients.filter((row) => row.jobId === jobId).sort((a, b) => a.position - b.position);
}

function openBetween(tables: Tables, jobId: string, from: number, below: number): RecipientRow[] {
  const isOpen = ({ position, outcome }: RecipientRow): boolean =>
    position >= from && position < below && outcome === null;
  return ofJob(tables, jobId).filter(isOpen);
}
