import type { BulkJob } from '../../src/modules/bulk-jobs/domain/bulk-job';
import { IntakeLostError } from '../../src/modules/bulk-jobs/domain/bulk-jobs.errors';
import { type JobDraft, JobIntakeStore } from '../../src/modules/bulk-jobs/domain/job-intake-store.port';
import type { RecipientChunk } from '../../src/modules/bulk-jobs/domain/recipient-chunk';
import type { EarlierRetry } from '../../src/modules/bulk-jobs/domain/retry-selection';
import type { RecipientTotals } from '../../src/modules/recipient-files/domain/recipient-files.errors';
import type { TemplateExtras } from '../../src/modules/templates/domain/template-extras';
import { windowColumns } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { newRecipient } from './database-server';
import { DatabaseError } from './history-database';
import { newJobRow, recipientRow } from './history-rows';
import type { ProcessDatabase } from './process-database';
import { bulkJobOf, endOfValidity } from './simulated-bulk-job-store';

const INVISIBLE = ['Importing', 'Abandoned'];

/** Stores new jobs, statement by statement like the SQL of the real store. */
export class SimulatedJobIntakeStore extends JobIntakeStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  openJobs(): Promise<number> {
    return this.database.statement('COUNT_OPEN', () => 0);
  }

  retriesOf(jobId: string): Promise<EarlierRetry[]> {
    return this.database.statement('RETRIES_OF', () =>
      [...this.server.jobs.committed()]
        .filter(({ retryOf, status }) => retryOf === jobId && !INVISIBLE.includes(status))
        .filter((job) => job.completedAt === null || job.successfullySent > 0 || job.unknown > 0)
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .map(({ id, retryScope }) => ({ jobId: id, scope: retryScope, errorCodes: [] })),
    );
  }

  otherRetriesOf(): Promise<string[]> {
    return Promise.resolve([]);
  }

  async lockRetried(jobId: string): Promise<void> {
    await this.database.statement('LOCK_RETRIED', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], () => true),
    );
  }

  begin(draft: JobDraft, owner: string): Promise<Date> {
    const { id, accountId, senderId, revisionId, scheduledAt, sendWindow, validForSeconds, retryOf, retry } = draft;
    const { extras: headerMedia, reference } = draft;
    return this.database.statement('BEGIN_INTAKE', (transaction) => {
      const row = this.server.jobs.row(id);
      if (row.committed) throw new DatabaseError('duplicate key');
      const createdAt = this.begunAt();
      const job: JobRow = {
        ...newJobRow({ id, accountId, senderId, revisionId, createdAt }),
        ...{ status: 'Importing', importOwner: owner, retryOf, retryScope: retry?.scope ?? null },
        ...{ headerMedia, reference, scheduledAt, validForSeconds, ...(sendWindow && windowColumns(sendWindow)) },
      };
      transaction.writes.set(row, job);
      return createdAt;
    });
  }

  async append(jobId: string, owner: string, chunk: RecipientChunk): Promise<void> {
    await this.ownIntake(
      'APPEND_RECIPIENTS',
      jobId,
      owner,
      () => ({}),
      () => {
        const rows = this.server.recipientsOf(jobId);
        this.server.recipients.set(jobId, rows);
        for (const [index, phone] of chunk.people.entries()) {
          const position = chunk.firstPosition + index;
          rows[position - 1] = newRecipient({
            // Ids are derived from the seed.
            ...recipientRow(
              jobId,
              position,
              `01900004${jobId.slice(8, 24)}${position.toString(16).padStart(12, '0')}`,
              phone,
            ),
            ...{ rowNumber: chunk.rowNumbers[index]!, parameters: JSON.parse(chunk.parameters[index]!) as string[] },
            ...this.ownOf(chunk, index),
            ...(chunk.problems[index] && { outcome: 'Failed' as const, problem: chunk.problems[index] }),
          });
        }
      },
    );
  }

  protected ownOf({ extras, references, userIds }: RecipientChunk, index: number): Partial<RecipientRow> {
    const own = extras[index];
    return {
      extras: own === undefined ? null : (JSON.parse(own) as TemplateExtras),
      ...{ reference: references[index] ?? null, userId: userIds[index] ?? null },
    };
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  count(jobId: string): Promise<number> {
    return this.database.statement('COUNT_STORED', () => this.server.recipientsOf(jobId).length);
  }

  async publish(draft: JobDraft, owner: string, totals: RecipientTotals, mayStartAt: Date | null): Promise<BulkJob> {
    const { hold, id } = draft;
    const job = await this.ownIntake('PUBLISH', id, owner, ({ failed }) => {
      const now = this.publishedAt();
      const isEarly = draft.scheduledAt !== null && draft.scheduledAt > now;
      return {
        status: hold ? 'Paused' : isEarly ? 'Scheduled' : 'Queued',
        ...{ atRest: hold || isEarly, totalRecipients: totals.totalRecipients, importOwner: null, createdAt: now },
        ...{
          failed: failed + totals.invalidRows,
          validUntil: hold ? null : endOfValidity(draft, mayStartAt ?? now, now),
        },
      };
    });
    return bulkJobOf(job);
  }

  async abandon(jobId: string, owner: string): Promise<boolean> {
    try {
      await this.ownIntake('ABANDON', jobId, owner, () => ({ status: 'Abandoned' }));
      return true;
    } catch (error) {
      if (error instanceof IntakeLostError) return false;
      throw error;
    }
  }

  remove(jobId: string): Promise<void> {
    return this.database.statement('REMOVE_INTAKE', (transaction) => {
      transaction.effects.push(() => {
        this.server.jobs.rows.delete(jobId);
        this.server.recipients.delete(jobId);
      });
    });
  }

  earlierUpload(): never {
    throw new Error('Not used in histories.');
  }

  takeOrphans(): never {
    throw new Error('Not used in histories.');
  }

  protected begunAt(): Date {
    return this.server.now();
  }

  protected publishedAt(): Date {
    return this.server.now();
  }

  protected get server() {
    return this.database.server;
  }

  /** Changes a job that this owner stores, with the effects of the commit. */
  private async ownIntake(
    name: string,
    jobId: string,
    owner: string,
    change: (job: JobRow) => Partial<JobRow>,
    effect: () => void = () => undefined,
  ): Promise<JobRow> {
    const [job] = await this.database.statement(name, async (transaction) => {
      const changed = await this.server.update(
        transaction,
        [this.server.jobs.row(jobId)],
        (row) => row.status === 'Importing' && row.importOwner === owner,
        change,
      );
      if (changed.length > 0) transaction.effects.push(effect);
      return changed;
    });
    if (!job) throw new IntakeLostError();
    return job;
  }
}
