import { Injectable } from '@nestjs/common';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { Plans } from '../../accounts/domain/plans';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { ExtrasMismatchError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import { Loop } from '../../../kernel/loop';
import { isUserId } from '../../../kernel/user-id';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { InvalidRow, ReadBatch } from '../../recipient-files/domain/file-rows';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { IntakeLostError } from './bulk-jobs.errors';
import type { RowRules } from './checked-rows';
import { IntakeErasures } from './intake-erasures';
import { INTAKE_LEASE_SECONDS, type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { checkScheduledAt, checkTimeZone, firstMoment, type JobTiming } from './job-timing';
import { CHUNK_SIZE, ownExtrasOf, RecipientChunk, type RecipientRow } from './recipient-chunk';
import { inOrder, type JobSheet, ownTexts } from './report-columns';
import { repeatedRetryWarnings, type RetrySelection } from './retry-selection';
import { TimeZones } from './time-zones.port';

/** The common part of all requests that create a job. */
export interface JobRequest extends JobTiming {
  /** Determines the id of the job; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  /** Plan of the account, which limits its rows and its open jobs. */
  plan: string;
  templateName: string;
  languageCode: string;
  extras: TemplateExtras | null;
  /** Recipients have their own extras: each is checked with the job's, which alone need not fit the template. */
  ownExtras?: boolean;
  /** They may have their own cards too. */
  ownCards?: boolean;
  /** For people; null: none. */
  name: string | null;
  reference: string | null;
  /** Seconds after which sending ends, counted from the first moment at which the job may send; null: no limit. */
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
  rules: RowRules;
}

/** The source of a job's recipients. */
export type JobOrigin = Pick<
  JobDraft,
  'kind' | 'fileName' | 'groupId' | 'audience' | 'retryOf' | 'retry' | 'uploadHash'
>;

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
    private readonly store: JobIntakeStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
    private readonly erasures: IntakeErasures,
  ) {
    this.draft = source.draft;
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
    this.startedAt = await this.store.begin(this.draft, this.owner);
    this.renewal.start();
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
    await checkOpenJobs(this.store, this.draft.accountId, this.maxOpenJobs);
    if (this.chunk.size > 0) await this.flush();
    await Promise.all(this.pendingWrites);
    if ((await this.store.count(this.draft.id)) !== this.stored) throw new IntakeLostError();
    const totals: RecipientTotals = { totalRecipients: this.stored, invalidRows: this.invalid, duplicateRows };
    const repeated = await this.uploadWarnings();
    const erased = new Set<string>();
    let created: CreatedJob | null = null;
    while (created === null) {
      for (const person of await this.toErase(erased)) {
        await this.erasures.erase(this.draft.id, person);
        erased.add(person);
      }
      created = await this.unitOfWork.run(async () => {
        const mayStartAt = firstMoment(this.draft, this.clock.now());
        const retried = await this.retryWarnings();
        // An erasure that commits later finds the published job.
        if ((await this.toErase(erased)).length > 0) return null;
        const columns = { fields: inOrder(this.fields), sheet };
        const job = await this.store.publish(this.draft, this.owner, totals, mayStartAt, columns);
        await this.claim.seal();
        this.unitOfWork.afterCommit(() => this.signal.runnable(job.senderId));
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
      if (await this.store.abandon(this.draft.id, this.owner)) await this.store.remove(this.draft.id);
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
    const earlier = await this.store.earlierUpload(accountId, uploadHash);
    if (earlier === null) return [];
    return [
      `duplicate_upload: job ${earlier} was created from the same file with the same fields within the last 24 hours. ` +
        `Cancel one of the two unless both are intended; an Idempotency-Key prevents a second job from a repeated upload.`,
    ];
  }

  /** Locks the old job, so that concurrent retries of it are published one after the other. */
  private async retryWarnings(): Promise<string[]> {
    const { retry } = this.draft;
    if (!retry) return [];
    await this.store.lockRetried(retry.retryOf);
    return repeatedRetryWarnings(retry, await this.store.retriesOf(retry.retryOf));
  }

  private async flush(): Promise<void> {
    while (this.pendingWrites.length >= MAX_PENDING_WRITES) await this.pendingWrites.shift();
    const full = this.chunk;
    this.chunk = new RecipientChunk(full.firstPosition + full.size, this.clock.now());
    this.stored += full.size;
    const writing = this.store.append(this.draft.id, this.owner, full);
    // A later call awaits it; until then a failure must not count as unhandled.
    writing.catch(() => undefined);
    this.pendingWrites.push(writing);
  }

  private async toErase(erased: ReadonlySet<string>): Promise<string[]> {
    const requested = await this.erasures.requestedSince(this.draft.accountId, this.startedAt);
    return [...requested].filter((person) => !erased.has(person));
  }
}

/** Creates jobs, and removes incompletely stored jobs of dead processes. */
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

  /** The sender and the template of the request; rejects with their errors, and with those of schedule, window and header media. */
  async source(request: JobRequest, origin: JobOrigin): Promise<JobSource> {
    const now = this.clock.now();
    checkScheduledAt(request.scheduledAt, now);
    await checkTimeZone(request.sendWindow, this.zones);
    const sender = await this.senders.ofAccount(request.accountId);
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    checkJobExtras(template, request, now);
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
      name: request.name,
      reference: request.reference,
      validForSeconds: request.validForSeconds,
      scheduledAt: request.scheduledAt,
      sendWindow: request.sendWindow,
      hold: request.hold,
    };
    const rules = { template, extras: request.extras, ownExtras: request.ownExtras ?? false, now };
    return { sender, template, draft, rules };
  }

  /** A warning if another job already retries some of these recipients; otherwise none. */
  async retryWarnings(selection: RetrySelection): Promise<string[]> {
    return repeatedRetryWarnings(selection, await this.store.retriesOf(selection.retryOf));
  }

  /**
   * Begins a job, which `publish` creates atomically; an unpublished job is removed. People whose erasure is requested meanwhile
   * become skipped recipients. Rejects with the errors of `source` and with QuotaExceededError.
   */
  async open(request: JobRequest, origin: JobOrigin): Promise<JobIntake> {
    const { accountId, claim, plan } = request;
    const { store, unitOfWork, clock, signal, erasures } = this;
    const { maxOpenJobs } = this.plans.of(plan);
    await checkOpenJobs(store, accountId, maxOpenJobs);
    const source = await this.source(request, origin);
    const intake = new JobIntake(source, claim, maxOpenJobs, store, unitOfWork, clock, signal, erasures);
    try {
      await intake.begin();
      return intake;
    } catch (error) {
      await intake[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Removes incompletely stored jobs of dead processes; returns their number. */
  async sweep(): Promise<number> {
    const orphans = await this.store.takeOrphans();
    for (const jobId of orphans) await this.store.remove(jobId);
    return orphans.length;
  }
}

/** Throws the first error of the job's extras that its recipients cannot correct by their own. */
function checkJobExtras(template: SendableTemplate, { extras, ownExtras, ownCards }: JobRequest, now: Date): void {
  for (const error of template.extrasErrors(extras, now)) {
    const isMismatch = error instanceof ExtrasMismatchError;
    if (ownExtras && (!isMismatch || ownCards)) continue;
    throw isMismatch ? new ExtrasMismatchError(error.errors.map(withSources)) : error;
  }
}

function withSources(error: FieldError): FieldError {
  if (error.field !== 'cards' || error.code !== 'required') return error;
  const advice =
    'Give them in the field cards of the request, for all recipients; files and groups have no cards for each. In the ' +
    'recipients of POST /bulk-jobs each may have its own.';
  return { ...error, message: `${error.message} ${advice}` };
}

async function checkOpenJobs(store: JobIntakeStore, accountId: string, maxOpenJobs: number): Promise<void> {
  if ((await store.openJobs(accountId, maxOpenJobs)) >= maxOpenJobs) {
    throw new QuotaExceededError('maxOpenJobs', maxOpenJobs);
  }
}
