import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Problem } from '../../sending/domain/send-state';
import type { Epoch } from '../domain/lane-leases.port';
import {
  type ClaimedRecipient,
  type OpenRecipient,
  type OutcomeCounts,
  type RecipientState,
  RecipientStore,
} from '../domain/recipient-store.port';
import { LaneStoreOptions } from './lane-store-options';
import * as sql from './recipients.sql';

/** Recipients in the table `job_recipients`. */
@Injectable()
export class PostgresRecipientStore extends RecipientStore {
  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
  ) {
    super();
  }

  open(jobId: string, from: number, below: number, limit: number): Promise<OpenRecipient[]> {
    return this.database.rows(sql.OPEN_RECIPIENTS, [jobId, from, below, limit]);
  }

  async anySettled(jobId: string, positions: readonly number[]): Promise<boolean> {
    if (positions.length === 0) return false;
    const range = [Math.min(...positions), Math.max(...positions)];
    return (await this.database.rows(sql.ANY_SETTLED, [jobId, positions, ...range])).length > 0;
  }

  async skip(jobId: string, positions: readonly number[], { code, message }: Problem): Promise<void> {
    await this.database.execute(sql.SKIP, [jobId, positions, code, message]);
  }

  async failOpen(jobId: string, from: number, below: number, { code, message }: Problem): Promise<void> {
    await this.database.execute(sql.FAIL_OPEN, [jobId, from, below, code, message]);
  }

  async claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return (await this.database.execute<ClaimedRecipient>(sql.CLAIM_DUE, [jobId, epoch, limit])).rows;
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.rows(sql.LATER_ATTEMPTS, [jobId, epoch]);
  }

  async strandFirstAttempts(jobId: string, from: number, below: number): Promise<void> {
    await this.database.execute(sql.STRAND_FIRST_ATTEMPTS, [jobId, from, below]);
  }

  async strandLaterAttempts(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.STRAND_LATER_ATTEMPTS, [senderId, epoch]);
  }

  async countOutcomes(jobId: string): Promise<OutcomeCounts> {
    const [job] = await this.database.rows<{ total: number }>(
      'SELECT total_recipients AS total FROM bulk_jobs WHERE id = $1',
      [jobId],
    );
    const { proofRange } = this.options;
    const counted: OutcomeCounts = { sent: 0, failed: 0, open: 0, inGrace: 0 };
    for (let first = 1; first <= (job?.total ?? 0); first += proofRange) {
      const range = [jobId, first, first + proofRange - 1];
      for (const part of await this.database.rows<OutcomeCounts>(sql.COUNT_OUTCOMES, range)) {
        counted.sent += part.sent;
        counted.failed += part.failed;
        counted.open += part.open;
        counted.inGrace += part.inGrace;
      }
    }
    return counted;
  }

  at(places: readonly { jobId: string; position: number }[]): Promise<RecipientState[]> {
    const parameters = [places.map(({ jobId }) => jobId), places.map(({ position }) => position)];
    return this.database.rows(sql.RECIPIENTS_AT, parameters);
  }

  waiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<RecipientState[]> {
    if (which === 'retry') return this.database.rows(sql.RECIPIENTS_WAITING, [jobId, limit]);
    return this.database.rows(sql.RECIPIENTS_WITH_GRACE_OVER, [jobId, this.options.graceMs, limit]);
  }

  async save(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    const column = <T>(of: (recipient: RecipientState) => T): T[] => recipients.map(of);
    await this.database.execute(sql.SAVE_RECIPIENTS, [
      jobId,
      column((r) => r.position),
      column((r) => r.attempt),
      column((r) => r.strikes),
      column((r) => r.throttles),
      column((r) => r.retryAt),
      column((r) => r.unknownSince),
      column((r) => r.outcome),
      column((r) => r.problem?.code ?? null),
      column((r) => r.problem?.message ?? null),
      column((r) => r.problem?.platformCode ?? null),
    ]);
  }
}
