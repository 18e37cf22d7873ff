import { Injectable } from '@nestjs/common';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { Plans } from '../../accounts/domain/plans';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { TemplatesService } from '../../templates/domain/templates.service';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { InvalidRow, ReadBatch } from '../../recipient-files/domain/file-rows';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { IntakeLostError } from './bulk-jobs.errors';
import { IntakeErasures } from './intake-erasures.service';
import { INTAKE_LEASE_SECONDS, type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { checkScheduledAt, checkTimeZone, firstMoment, type JobTiming } from './job-timing';
import { CHUNK_SIZE, RecipientChunk, type RecipientProblem } from './recipient-chunk';
import { repeatedRetryWarnings, type RetrySelection } from './retry-selection';
import { TimeZones } from './time-zones.port';

/** The common part of all requests that create a job. */
export interface JobRequest extends JobTiming {
  /** Gives the job its id; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  /** Plan of the account, which limits its rows and its open jobs. */
  plan: string;
  templateName: string;
  languageCode: string;
  extras: TemplateExtras | null;
  reference: string | null;
  /** Seconds after which sending ends, from the first moment on at which the job may send; null: no limit. */
  validForSeconds: number | null;
  /** The job is created paused. */
  hold: boolean;
  /** Aborted when the client disconnects: nothing is created then. */
  signal: AbortSignal;
}

/** A created job, with warnings about its recipients. */
export interface CreatedJob {
  job: BulkJob;
  warnings: string[];
}

/** The sender and the sendable template of a request. */
export interface JobSource {
  sender: Sender;
  template: SendableTemplate;
  draft: JobDraft;
}

/** What a job is made from. */
export type JobOrigin = Pick<JobDraft, 'kind' | 'fileName' | 'groupId' | 'retryOf' | 'retry' | 'uploadHash'>;

/** What is known once all recipients have been added. */
export interface FilledJob {
  duplicateRows: number;
  warnings: string[];
}

const RENEW_EVERY_MS = (INTAKE_LEASE_SECONDS * 1000) / 4;
/** So that the database has the next chunk when it has stored one. */
const CHUNKS_UNDER_WAY = 2;

/** Stores one job in chunks: it becomes visible completely or not at all. */
export class JobIntake {
  private readonly owner = uuidV7();
  /** Keeps the lease while the file yields no chunk for long, as with blank or duplicate rows. */
  private readonly renewal: Loop;
  private chunk = new RecipientChunk(1);
  /** By the database's clock; nothing that the job is made from was read before. */
  private begunAt: Date;
  /** Oldest first. */
  private readonly underWay: Promise<void>[] = [];
  private stored = 0;
  private invalid = 0;

  constructor(
    private readonly draft: JobDraft,
    private readonly claim: CreationClaim,
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
    private readonly erasures: IntakeErasures,
  ) {
    this.renewal = new Loop({
      name: 'job_intake_lease',
      clock,
      everyMs: RENEW_EVERY_MS,
      firstAfterMs: RENEW_EVERY_MS,
      round: () => store.renew(draft.id, this.owner),
      // A failed renewal needs no report: the next chunk is written only with a valid lease.
      failed: () => undefined,
    });
  }

  /** Stores the invisible job: an erasure that is requested from now on waits for it, or is carried out by `publish`. */
  async begin(): Promise<void> {
    this.begunAt = await this.store.begin(this.draft, this.owner);
    this.renewal.start();
  }

  /** Adds a recipient. Call `settle` after at most CHUNK_SIZE of them: only there the database is awaited. */
  add(rowNumber: number, phone: string, values: readonly string[], problem: RecipientProblem | null = null): void {
    this.chunk.add(rowNumber, phone, values, problem);
    if (problem) this.invalid++;
  }

  /** Adds the rows of a batch in the order of their numbers, invalid ones with their errors. */
  addBatch({ rows, invalidRows }: ReadBatch): void {
    let next = 0;
    const addInvalidBefore = (rowNumber: number): void => {
      let error: InvalidRow | undefined;
      while ((error = invalidRows[next]) && error.rowNumber < rowNumber) {
        this.add(error.rowNumber, error.phone, error.values, error);
        next++;
      }
    };
    for (const row of rows) {
      addInvalidBefore(row.rowNumber);
      this.add(row.rowNumber, row.phone, row.values);
    }
    addInvalidBefore(Infinity);
  }

  /** Starts to write a full chunk; waits only while two others are being written. */
  async settle(): Promise<void> {
    if (this.chunk.size >= CHUNK_SIZE) await this.flush();
  }

  /**
   * Stores what is left and makes the job visible, in one transaction with the seal of its claim. When it rejects, nothing
   * was created, unless the connection broke in the commit.
   */
  async publish(duplicateRows: number): Promise<CreatedJob> {
    if (this.chunk.size > 0) await this.flush();
    await Promise.all(this.underWay);
    if ((await this.store.count(this.draft.id)) !== this.stored) throw new IntakeLostError();
    const totals: RecipientTotals = { totalRecipients: this.stored, invalidRows: this.invalid, duplicateRows };
    const erased = new Set<string>();
    let created: { job: BulkJob; warnings: string[] } | null = null;
    while (created === null) {
      for (const phone of await this.toErase(erased)) {
        await this.erasures.erase(this.draft.id, this.stored, phone);
        erased.add(phone);
      }
      created = await this.unitOfWork.run(async () => {
        const mayStartAt = firstMoment(this.draft, this.clock.now());
        const warnings = await this.retryWarnings();
        // An erasure that commits later finds a job that was published before it.
        if ((await this.toErase(erased)).length > 0) return null;
        const job = await this.store.publish(this.draft, this.owner, totals, mayStartAt);
        await this.claim.seal();
        this.unitOfWork.afterCommit(() => this.signal.runnable(job.senderId));
        return { job, warnings };
      });
    }
    void this.renewal.stop();
    return created;
  }

  /** Removes what was stored of an unpublished job; if that fails now, the sweep removes it later. */
  async abandon(): Promise<void> {
    void this.renewal.stop();
    await Promise.allSettled(this.underWay);
    try {
      if (await this.store.abandon(this.draft.id, this.owner)) await this.store.remove(this.draft.id);
    } catch {
      // The client must get the error for which the job was abandoned; the sweep removes the rest.
    }
  }

  /** Locks the old job: concurrent retries of it are published one after the other. */
  private async retryWarnings(): Promise<string[]> {
    const { retry } = this.draft;
    if (!retry) return [];
    await this.store.lockRetried(retry.retryOf);
    return repeatedRetryWarnings(retry, await this.store.retriesOf(retry.retryOf));
  }

  private async flush(): Promise<void> {
    while (this.underWay.length >= CHUNKS_UNDER_WAY) await this.underWay.shift();
    const full = this.chunk;
    this.chunk = new RecipientChunk(full.firstPosition + full.size);
    this.stored += full.size;
    const writing = this.write(full);
    // It is awaited by a later call; until then its failure must not count as unhandled.
    writing.catch(() => undefined);
    this.underWay.push(writing);
  }

  private async write(chunk: RecipientChunk): Promise<void> {
    await this.store.append(this.draft.id, this.owner, chunk);
  }

  private async toErase(erased: ReadonlySet<string>): Promise<string[]> {
    const requested = await this.erasures.requestedSince(this.draft.accountId, this.begunAt);
    return [...requested].filter((phone) => !erased.has(phone));
  }
}

/** Creates jobs, and removes those whose storing was interrupted because their process died. */
@Injectable()
export class JobIntakes {
  constructor(
    private readonly senders: SendersService,
    private readonly templates: TemplatesService,
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
    private readonly zones: TimeZones,
    private readonly plans: Plans,
    private readonly erasures: IntakeErasures,
  ) {}

  /** The sender and the template of the request; rejects with their errors, also if the schedule, the window or the header media does not fit. */
  async source(request: JobRequest, origin: JobOrigin): Promise<JobSource> {
    checkScheduledAt(request.scheduledAt, this.clock.now());
    await checkTimeZone(request.sendWindow, this.zones);
    const sender = await this.senders.ofAccount(request.accountId);
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    template.checkExtras(request.extras);
    const draft: JobDraft = {
      ...origin,
      id: request.claim.resourceId,
      accountId: request.accountId,
      keyId: request.keyId,
      senderId: sender.id,
      templateName: request.templateName,
      languageCode: request.languageCode,
      revisionId: template.revisionId,
      extras: request.extras,
      reference: request.reference,
      validForSeconds: request.validForSeconds,
      scheduledAt: request.scheduledAt,
      sendWindow: request.sendWindow,
      hold: request.hold,
    };
    return { sender, template, draft };
  }

  /** A warning where a request without a key uploads again what another job was made from within 24 hours; else none. */
  async uploadWarnings(claim: CreationClaim, accountId: string, uploadHash: Buffer): Promise<string[]> {
    const earlier = claim.isKeyed ? null : await this.store.earlierUpload(accountId, uploadHash);
    if (earlier === null) return [];
    return [
      `duplicate_upload: job ${earlier} was created from the same file with the same fields within the last 24 hours. ` +
        `Cancel one of the two unless both are intended; an Idempotency-Key prevents a second job from a repeated upload.`,
    ];
  }

  /** A warning if another job already retries some of these recipients; otherwise none. */
  async retryWarnings(selection: RetrySelection): Promise<string[]> {
    return repeatedRetryWarnings(selection, await this.store.retriesOf(selection.retryOf));
  }

  /**
   * Creates a job with the recipients that `fill` adds, atomically: nothing remains of a job for which `fill` rejects. People
   * whose erasure is requested meanwhile become skipped recipients. Rejects with the errors of `source` and `fill`, and with QuotaExceededError.
   */
  async create(
    request: JobRequest,
    origin: JobOrigin,
    fill: (intake: JobIntake, source: JobSource) => Promise<FilledJob>,
  ): Promise<CreatedJob> {
    await this.checkOpenJobs(request);
    const source = await this.source(request, origin);
    const { store, unitOfWork, clock, signal, erasures } = this;
    const intake = new JobIntake(source.draft, request.claim, store, unitOfWork, clock, signal, erasures);
    try {
      await intake.begin();
      const { duplicateRows, warnings } = await fill(intake, source);
      // Others may have been created meanwhile.
      await this.checkOpenJobs(request);
      const { job, warnings: furtherWarnings } = await intake.publish(duplicateRows);
      return { job, warnings: [...warnings, ...furtherWarnings] };
    } catch (error) {
      await intake.abandon();
      throw error;
    }
  }

  private async checkOpenJobs({ accountId, plan }: JobRequest): Promise<void> {
    const { maxOpenJobs } = this.plans.of(plan);
    if ((await this.store.openJobs(accountId, maxOpenJobs)) >= maxOpenJobs) {
      throw new QuotaExceededError('maxOpenJobs', maxOpenJobs);
    }
  }

  /** Removes every job whose storing was interrupted; returns their number. */
  async sweep(): Promise<number> {
    const orphans = await this.store.takeOrphans();
    for (const jobId of orphans) await this.store.remove(jobId);
    return orphans.length;
  }
}
