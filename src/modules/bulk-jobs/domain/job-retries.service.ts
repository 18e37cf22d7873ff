import { Injectable } from '@nestjs/common';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { PersonErasure } from '../../groups/domain/person-erasure.service';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import { type BulkJob, STATUSES_THAT_ALLOW } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import {
  InvalidJobStateError,
  JobNotFoundError,
  NothingToRetryError,
  RecipientsExpiredError,
} from './bulk-jobs.errors';
import { type CreatedJob, JobIntakes, type JobOrigin, type JobRequest } from './job-intake';
import { ANY_TIME } from './job-timing';
import type { UnsentReason, UnsentRecipient, UnsentStatus } from './job-recipient';
import { CHUNK_SIZE } from './recipient-chunk';
import type { RetryScope, RetrySelection } from './retry-selection';

/** A request to retry recipients of a job. */
export interface JobRetry extends RetrySelection {
  /** Gives the new job its id; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  plan: string;
  /** Aborted when the client disconnects: nothing is created then. */
  signal: AbortSignal;
}

/** How many recipients have one error code. */
export interface ErrorCount {
  errorCode: string;
  count: number;
}

/** What a retry would become. */
export interface RetryCheck {
  /** The number of recipients that the new job would have. */
  recipients: number;
  /** These recipients by code, the most frequent first. */
  byErrorCode: ErrorCount[];
  /** Recipients of the scope that no retry can reach, the most frequent code first. */
  unreachable: ErrorCount[];
  /** `already_retried` if another job already retries some of these recipients. */
  warnings: string[];
}

const STATUSES: Readonly<Record<RetryScope, readonly UnsentStatus[]>> = {
  failed: ['Failed', 'Cancelled'],
  undelivered: ['Undelivered'],
  unknown: ['Unknown'],
  all: ['Failed', 'Cancelled', 'Undelivered', 'Unknown'],
};

const RECIPIENT_ERASED = 'recipient_erased';

/** Recipients that are never retried, and the reasons in warnings. */
const LEFT_OUT: Readonly<Partial<Record<UnsentReason, string>>> = {
  Invalid: 'are invalid',
  Skipped: 'have opted out',
  Erased: 'have been erased',
  Unsettled: 'are in flight or their outcome may still be settled',
};

/** Creates new jobs from recipients of finished ones, which do not change. */
@Injectable()
export class JobRetriesService {
  constructor(
    private readonly jobs: BulkJobStore,
    private readonly templates: TemplatesService,
    private readonly intakes: JobIntakes,
    private readonly erasure: PersonErasure,
  ) {}

  /**
   * Creates a job with the current template and the header media, reference, validity and send window of the old job,
   * atomically. The warnings count the recipients that were left out, and name another job that retries some of the same recipients.
   * Rejects with JobNotFoundError, InvalidJobStateError, RecipientsExpiredError, NothingToRetryError, the errors of the
   * template, and ParameterMismatchError if the number of the template's values has changed.
   */
  async retry(request: JobRetry): Promise<CreatedJob> {
    const old = await this.endedJob(request);
    const { again, origin } = repetitionOf(old, request);
    return this.intakes.create(again, origin, async (intake, { template }) => {
      await this.checkValueCount(old, template);
      const leftOut = new Map<UnsentReason, number>();
      let taken = 0;
      for await (const chunk of this.chunks(old, request)) {
        for (const recipient of chunk) {
          const { rowNumber, phone, parameters, reason } = recipient;
          if (isTaken(recipient, request.scope)) {
            // The template may have changed since the old job.
            intake.add(rowNumber, phone, parameters, template.errorOfRecipient(parameters));
            taken++;
          } else if (LEFT_OUT[reason]) increment(leftOut, reason);
        }
        await intake.settle();
      }
      const warnings = [...leftOut].map(
        ([reason, count]) =>
          `${count} ${count === 1 ? 'recipient was' : 'recipients were'} left out: they ${LEFT_OUT[reason]}.`,
      );
      if (taken === 0) throw new NothingToRetryError(warnings);
      return { duplicateRows: 0, warnings };
    });
  }

  /** Returns what a retry would become; creates nothing. Rejects with the same errors, except NothingToRetryError. */
  async check(request: JobRetry): Promise<RetryCheck> {
    const old = await this.endedJob(request);
    const { again, origin } = repetitionOf(old, request);
    await this.checkValueCount(old, (await this.intakes.source(again, origin)).template);
    const taken = new Map<string, number>();
    const unreachable = new Map<string, number>();
    let recipients = 0;
    for await (const chunk of this.chunks(old, request)) {
      for (const recipient of chunk) {
        if (isTaken(recipient, request.scope)) {
          increment(taken, recipient.errorCode!);
          recipients++;
        } else if (isUnreachable(recipient, request.scope)) {
          increment(unreachable, recipient.reason === 'Erased' ? RECIPIENT_ERASED : recipient.errorCode!);
        }
      }
    }
    const warnings = await this.intakes.retryWarnings(request);
    return { recipients, byErrorCode: countsOf(taken), unreachable: countsOf(unreachable), warnings };
  }

  private async endedJob({ accountId, retryOf }: JobRetry): Promise<BulkJob> {
    const old = await this.jobs.find(accountId, retryOf);
    if (!old) throw new JobNotFoundError();
    if (!STATUSES_THAT_ALLOW.retry.includes(old.status)) throw new InvalidJobStateError('retry', old);
    if (old.recipientsExpiredAt !== null) throw new RecipientsExpiredError();
    return old;
  }

  private async checkValueCount(old: BulkJob, template: SendableTemplate): Promise<void> {
    const { valueCount } = await this.templates.revision(old.revisionId);
    if (valueCount !== template.valueCount) throw new ParameterMismatchError(template.valueCount, valueCount);
  }

  /** The unsent recipients of the old job with the requested codes, at most CHUNK_SIZE at a time. */
  private async *chunks(old: BulkJob, { errorCodes, signal }: JobRetry): AsyncGenerator<UnsentRecipient[]> {
    // An erasure that begins from now on finds the new job, whose id is older.
    const erased = await this.erasure.underWay(old.accountId);
    for (let first = 1; first <= old.totalRecipients; first += CHUNK_SIZE) {
      if (signal.aborted) throw new RequestAbandonedError();
      const last = Math.min(first + CHUNK_SIZE - 1, old.totalRecipients);
      const unsent = await this.jobs.unsent(old, first, last);
      const wanted = unsent.filter(({ errorCode }) => errorCodes.length === 0 || errorCodes.includes(errorCode ?? ''));
      yield wanted.map((one) => (erased.has(one.phone) ? { ...one, reason: 'Erased' } : one));
    }
    // Recipients may have expired while they were read.
    if ((await this.jobs.find(old.accountId, old.id))?.recipientsExpiredAt) throw new RecipientsExpiredError();
  }
}

/** The request that repeats a job. */
function repetitionOf(
  old: BulkJob,
  { claim, keyId, plan, scope, errorCodes, signal }: JobRetry,
): { again: JobRequest; origin: JobOrigin } {
  const again = {
    claim,
    accountId: old.accountId,
    keyId,
    plan,
    templateName: old.templateName,
    languageCode: old.languageCode,
    extras: old.extras,
    reference: old.reference,
    validForSeconds: old.validForSeconds,
    ...ANY_TIME,
    sendWindow: old.sendWindow,
    hold: false,
    signal,
  };
  const { kind, fileName, groupId } = old;
  const retry = { retryOf: old.id, scope, errorCodes };
  return { again, origin: { kind, fileName, groupId, retryOf: old.id, retry, uploadHash: null } };
}

function isTaken({ reason }: UnsentRecipient, scope: RetryScope): boolean {
  return STATUSES[scope].some((status) => status === reason);
}

/** Whether a recipient that is not taken would belong to the scope; skipped ones count as failed. */
function isUnreachable({ status }: UnsentRecipient, scope: RetryScope): boolean {
  return STATUSES[scope].includes(status === 'Skipped' ? 'Failed' : status);
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The most frequent first; of equally frequent ones by code. */
function countsOf(counts: ReadonlyMap<string, number>): ErrorCount[] {
  return [...counts]
    .map(([errorCode, count]) => ({ errorCode, count }))
    .sort((a, b) => b.count - a.count || (a.errorCode < b.errorCode ? -1 : 1));
}
