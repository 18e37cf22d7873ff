import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import type { Actor, AuditLogService } from '../../accounts/domain/audit-log.service';
import type { Sender } from '../../accounts/domain/sender';
import type { PersonErasure } from '../../groups/domain/person-erasure';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { Loop } from '../../../kernel/loop';
import { isUserId } from '../../../kernel/user-id';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { addErrors, type FileSummary, type InvalidRow, type ReadBatch } from '../../recipient-files/domain/file-rows';
import {
  InvalidRowsError,
  NoValidRowsError,
  type RecipientTotals,
  type RowError,
} from '../../recipient-files/domain/recipient-files.errors';
import type { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { AlreadyRetriedError, IntakeLostError } from './bulk-jobs.errors';
import type { RowRules } from './checked-rows';
import type { JobErasureStore } from './job-erasure-store.port';
import { INTAKE_LEASE_SECONDS, type JobDraft, type JobIntakeStore } from './job-intake-store.port';
import { firstMoment } from './job-timing';
import type { LeftOutRows } from './left-out-rows';
import { CHUNK_SIZE, ownExtrasOf, RecipientChunk, type RecipientRow } from './recipient-chunk';
import { inOrder, type JobSheet, ownTexts } from './report-columns';
import { repeatedRetryWarnings, type RetrySelection } from './retry-selection';

/** A created job, with warnings about its recipients. */
export interface CreatedJob {
  job: BulkJob;
  warnings: string[];
}

/** The dependencies of intakes. */
export interface JobIntakeParts {
  store: JobIntakeStore;
  unitOfWork: UnitOfWork;
  clock: Clock;
  signal: SenderSignal;
  people: PersonErasure;
  erasures: JobErasureStore;
  audit: AuditLogService;
}

/** The sender and the sendable template of a request. */
export interface JobSource {
  sender: Sender;
  template: SendableTemplate;
  draft: JobDraft;
  rules: RowRules;
}

/** A file or list to store: its batches, and a summary that is complete after the last batch. */
export interface ListReading {
  batches: AsyncIterable<ReadBatch>;
  summary: ListSummary | Promise<ListSummary>;
  /** Not among the batches. */
  leftOut: LeftOutRows;
}

/** Only files have a layout. */
type ListSummary = Pick<FileSummary, 'duplicates' | 'warnings'> &
  Partial<Pick<FileSummary, 'layout' | 'columns' | 'delimiter'>>;

/** Maximum number of row errors in an error. */
const MAX_ERRORS = 20;

const RENEW_EVERY_MS = (INTAKE_LEASE_SECONDS * 1000) / 4;
/** Two, so that the database can start the next chunk as soon as it has stored one. */
const MAX_PENDING_WRITES = 2;

/** Stores one job in chunks: it becomes visible completely or not at all. Opened with `await using`, which removes an unpublished job. */
export class JobIntake implements AsyncDisposable {
  private readonly draft: JobDraft;
  private readonly owner = uuidV7();
  /** Renews the lease while the file yields no chunk, as with many blank or duplicate rows. */
  private readonly renewal: Loop;
  private chunk: RecipientChunk;
  /** By the database's clock; the recipients are read after this. */
  private startedAt: Date;
  /** Oldest first. */
  private readonly pendingWrites: Promise<void>[] = [];
  private stored = 0;
  private invalid = 0;
  /** See ReportColumns. */
  private readonly fields = new Set<string>();

  private published = false;

  constructor(
    readonly source: JobSource,
    private readonly claim: CreationClaim,
    private readonly maxOpenJobs: number,
    private readonly actor: Actor,
    private readonly parts: JobIntakeParts,
  ) {
    this.draft = source.draft;
    const { clock, store } = parts;
    this.chunk = new RecipientChunk(1, clock.now());
    this.renewal = new Loop({
      name: 'job_intake_lease',
      clock,
      everyMs: RENEW_EVERY_MS,
      firstAfterMs: RENEW_EVERY_MS,
      round: () => store.renew(this.draft.id, this.owner),
      // A failed renewal needs no report: the next chunk is written only with a valid lease.
      failed: () => undefined,
    });
  }

  /** Stores the invisible job: an erasure requested later waits for it, or is carried out by `publish`. */
  async begin(): Promise<void> {
    this.startedAt = await this.parts.store.begin(this.draft, this.owner);
    this.renewal.start();
  }

  /**
   * Stores all rows and publishes the job. Throws NoValidRowsError, InvalidRowsError if `onInvalidRows` is reject, and the errors of
   * `publish`.
   */
  async storeAll({ batches, summary, leftOut }: ListReading, onInvalidRows: 'skip' | 'reject'): Promise<CreatedJob> {
    const errors: RowError[] = [];
    const totals: RecipientTotals = { totalRecipients: 0, invalidRows: 0, duplicateRows: 0 };
    const isRejected = (): boolean => onInvalidRows === 'reject' && totals.invalidRows > 0;
    for await (const batch of batches) {
      totals.totalRecipients += batch.rows.length + batch.invalidRows.length;
      totals.invalidRows += batch.invalidRows.length;
      addErrors(errors, batch.invalidRows, MAX_ERRORS);
      // A list that will be rejected is read to its end for the totals, but no longer stored.
      if (!isRejected()) await this.add(batch);
    }
    const { duplicates, warnings, layout, columns, delimiter } = await summary;
    totals.duplicateRows = duplicates;
    const source = layout ? 'file' : 'list';
    if (totals.invalidRows === totals.totalRecipients) {
      throw new NoValidRowsError(totals, errors, warnings, source, leftOut.counted.leftOut);
    }
    if (isRejected()) throw new InvalidRowsError(totals, errors, source);
    const sheet = layout ? { ...layout, byName: columns !== undefined, ...(delimiter && { delimiter }) } : null;
    return await this.publish(duplicates, warnings, sheet);
  }

  /**
   * Adds the rows of a batch in the order of their numbers, invalid ones as failed; waits only while two chunks are being
   * written.
   */
  async add({ rows, invalidRows }: ReadBatch): Promise<void> {
    let next = 0;
    for (const row of rows) {
      for (; next < invalidRows.length && invalidRows[next]!.rowNumber < row.rowNumber; next++) {
        this.include(invalidRows[next]!, invalidRows[next]!);
      }
      this.include(row, null);
    }
    for (const row of invalidRows.slice(next)) this.include(row, row);
    this.invalid += invalidRows.length;
    if (this.chunk.size >= CHUNK_SIZE) await this.flush();
  }

  /**
   * Stores the remaining rows and makes the job visible, in one transaction with the seal of its claim. Adds warnings of an earlier job
   * from the same upload and of other retries. If it rejects, nothing was created, unless the connection broke during the commit.
   * `sheet`: that of the recipients; null: none. Rejects with QuotaExceededError and IntakeLostError.
   */
  async publish(
    duplicateRows: number,
    warnings: readonly string[],
    sheet: JobSheet | null = null,
  ): Promise<CreatedJob> {
    // Other jobs may have been created meanwhile.
    await checkOpenJobs(this.parts.store, this.draft.accountId, this.maxOpenJobs);
    if (this.chunk.size > 0) await this.flush();
    await Promise.all(this.pendingWrites);
    if ((await this.parts.store.count(this.draft.id)) !== this.stored) throw new IntakeLostError();
    const totals: RecipientTotals = { totalRecipients: this.stored, invalidRows: this.invalid, duplicateRows };
    const repeated = await this.uploadWarnings();
    const erased = new Set<string>();
    let created: CreatedJob | null = null;
    while (created === null) {
      for (const person of await this.toErase(erased)) {
        await this.parts.erasures.erase(this.draft.id, [person]);
        erased.add(person);
      }
      created = await this.parts.unitOfWork.run(async () => {
        const now = this.parts.clock.now();
        const first = firstMoment(this.draft, now);
        const mayStartAt = first > now ? first : null;
        const { retry } = this.draft;
        const retried = retry ? await this.retryWarnings(retry) : [];
        // An erasure that commits later finds the published job.
        if ((await this.toErase(erased)).length > 0) return null;
        const columns = { fields: inOrder(this.fields), sheet };
        const job = await this.parts.store.publish(this.draft, this.owner, totals, mayStartAt, columns);
        await this.claim.seal();
        const action = this.draft.retryOf === null ? 'job.created' : 'job.retried';
        await this.parts.audit.record(this.actor, { action, targetId: job.id, fields: [this.draft.kind] });
        this.parts.unitOfWork.afterCommit(() => this.parts.signal.runnable(job.senderId));
        return { job, warnings: [...warnings, ...repeated, ...retried] };
      });
    }
    this.published = true;
    return created;
  }

  /** Removes the rows of an unpublished job; if that fails, the sweep removes them later. */
  async [Symbol.asyncDispose](): Promise<void> {
    void this.renewal.stop();
    if (this.published) return;
    await Promise.allSettled(this.pendingWrites);
    try {
      if (await this.parts.store.abandon(this.draft.id, this.owner)) await this.parts.store.remove(this.draft.id);
    } catch {
      // The client gets the error for which the job was abandoned; the sweep removes the rest.
    }
  }

  private include(row: RecipientRow, problem: InvalidRow | null): void {
    this.chunk.add(row, problem);
    const { phone: person, userId = null, reference = null } = row;
    const own = ownExtrasOf(row);
    if (own === null && userId === null && reference === null && !isUserId(person)) return;
    for (const field of Object.keys(ownTexts({ person, userId, reference, own }))) this.fields.add(field);
  }

  /** A warning if a request without an idempotency key repeats an upload of the last 24 hours. */
  private async uploadWarnings(): Promise<string[]> {
    const { accountId, uploadHash } = this.draft;
    if (uploadHash === null || this.claim.isKeyed) return [];
    const earlier = await this.parts.store.earlierUpload(accountId, uploadHash);
    if (earlier === null) return [];
    return [
      `duplicate_upload: job ${earlier} was created from the same file with the same fields within the last 24 hours. ` +
        `Cancel one of the two unless both are intended; an Idempotency-Key prevents a second job from a repeated upload.`,
    ];
  }

  /** Concurrent retries are published one after the other. Throws AlreadyRetriedError if one was published whose people should be left out. */
  private async retryWarnings(retry: RetrySelection): Promise<string[]> {
    const { store } = this.parts;
    await store.lockRetried(retry.retryOf);
    if (retry.without !== null) {
      const others = await store.otherRetriesOf(retry.retryOf);
      const unread = others.find((jobId) => !retry.without!.includes(jobId));
      if (unread !== undefined) throw new AlreadyRetriedError(unread);
    }
    return repeatedRetryWarnings(retry, await store.retriesOf(retry.retryOf));
  }

  private async flush(): Promise<void> {
    while (this.pendingWrites.length >= MAX_PENDING_WRITES) await this.pendingWrites.shift();
    const full = this.chunk;
    this.chunk = new RecipientChunk(full.firstPosition + full.size, this.parts.clock.now());
    this.stored += full.size;
    const writing = this.parts.store.append(this.draft.id, this.owner, full);
    // A later call awaits it; until then a failure must not count as unhandled.
    writing.catch(() => undefined);
    this.pendingWrites.push(writing);
  }

  private async toErase(erased: ReadonlySet<string>): Promise<string[]> {
    const requested = await this.parts.people.peopleBeingErased(this.draft.accountId, this.startedAt);
    return [...requested].filter((person) => !erased.has(person));
  }
}

/** Throws QuotaExceededError if the account has `maxOpenJobs` unfinished jobs. */
export async function checkOpenJobs(store: JobIntakeStore, accountId: string, maxOpenJobs: number): Promise<void> {
  if ((await store.openJobs(accountId, maxOpenJobs)) >= maxOpenJobs) {
    throw new QuotaExceededError('maxOpenJobs', maxOpenJobs);
  }
}
