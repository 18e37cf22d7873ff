import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { SendersService } from '../../accounts/domain/senders.service';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { PersonErasure } from '../../groups/domain/person-erasure';
import type { ReadBatch } from '../../recipient-files/domain/file-rows';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import { allowsRetry, type BulkJob } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import {
  InvalidJobStateError,
  JobNotFoundError,
  NothingToRetryError,
  RecipientsExpiredError,
} from './bulk-jobs.errors';
import { identified } from './identified-rows';
import type { CreatedJob } from './job-intake';
import { JobIntakes, type JobOrigin, type JobRequest } from './job-intakes';
import { ANY_TIME } from './job-timing';
import type { UnsentReason, UnsentRecipient, UnsentStatus } from './job-recipient';
import { errorOfRow } from './checked-rows';
import { ReachedPeople } from './reached-people';
import { CHUNK_SIZE, type RecipientRow } from './recipient-chunk';
import type { RetryScope, RetrySelection } from './retry-selection';

/** A request to retry recipients of a job. */
export interface JobRetry extends Omit<RetrySelection, 'without'>, Caller {
  /** Leaves out people whom another retry of the job, or of the one that it retries, reached or may reach. */
  skipRetried: boolean;
  /** Gives the new job its id; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  /** Name of the new job; null: that of the old one. */
  name: string | null;
  /** Sender of the new job; undefined: that of the old one. */
  senderId?: string | undefined;
  /** Aborted when the client disconnects: nothing is created then. */
  signal: AbortSignal;
}

/** How many recipients have one error code. */
export interface ErrorCount {
  errorCode: string;
  count: number;
}

/** The preview of a retry. */
export interface RetryCheck {
  /** The number of recipients that the new job would have. */
  recipients: number;
  /** These recipients by code, the most frequent first. */
  byErrorCode: ErrorCount[];
  /** Recipients of the scope that cannot be retried, the most frequent code first. */
  unreachable: ErrorCount[];
  /** Recipients left out by `skipRetried`; absent without it. */
  leftOut?: number;
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
  Reached: 'were reached by an earlier retry, or may still be',
  Unsettled: 'are in flight or their outcome may still be settled',
};

/** Creates new jobs from recipients of others, which do not change: they have ended or wait for unknown outcomes alone. */
@Injectable()
export class JobRetriesService {
  constructor(
    private readonly jobs: BulkJobStore,
    private readonly reached: ReachedPeople,
    private readonly templates: TemplatesService,
    private readonly intakes: JobIntakes,
    private readonly erasure: PersonErasure,
    private readonly numbers: KnownNumbers,
    private readonly senders: SendersService,
  ) {}

  /**
   * Creates a job with the current template and the header media, name, reference, validity and send window of the old job,
   * atomically. The warnings count the recipients that were left out, and name another job that retries some of the same recipients.
   * Rejects with JobNotFoundError, InvalidJobStateError, RecipientsExpiredError, NothingToRetryError, AlreadyRetriedError, SenderDeletedError, the errors of the
   * template, and ParameterMismatchError if the number of the template's values has changed.
   */
  async retry(request: JobRetry): Promise<CreatedJob> {
    const old = await this.retryableJob(request);
    const selection = await this.selectionOf(request);
    const { again, origin } = await this.repetitionOf(old, request, selection);
    await using intake = await this.intakes.open(again, origin);
    const { template, rules } = intake.source;
    await this.checkValueCount(old, template);
    const leftOut = new Map<UnsentReason, number>();
    let retried = 0;
    for await (const chunk of this.chunks(old, request, selection)) {
      const batch: ReadBatch = { rows: [], invalidRows: [] };
      for (const recipient of chunk) {
        const { reason } = recipient;
        if (isRetried(recipient, request.scope)) {
          const row = rowOf(recipient);
          // The template may have changed since the old job.
          const error = errorOfRow(row, rules);
          if (error === null) batch.rows.push(row);
          else batch.invalidRows.push({ ...row, ...error });
          retried++;
        } else if (LEFT_OUT[reason]) increment(leftOut, reason);
      }
      await intake.add({ ...batch, rows: await identified(this.numbers, old.accountId, batch.rows) });
    }
    const warnings = [...leftOut].map(
      ([reason, count]) =>
        `${count} ${count === 1 ? 'recipient was' : 'recipients were'} left out: they ${LEFT_OUT[reason]}.`,
    );
    if (retried === 0) throw new NothingToRetryError(warnings);
    const { sheet } = await this.jobs.reportColumns(old.id);
    return await intake.publish(0, warnings, sheet);
  }

  /** Returns a preview of the retry; creates nothing. Rejects with the same errors, except NothingToRetryError. */
  async check(request: JobRetry): Promise<RetryCheck> {
    const old = await this.retryableJob(request);
    const selection = await this.selectionOf(request);
    const { again, origin } = await this.repetitionOf(old, request, selection);
    await this.checkValueCount(old, (await this.intakes.source(again, origin)).template);
    const retried = new Map<string, number>();
    const unreachable = new Map<string, number>();
    let recipients = 0;
    let leftOut = 0;
    for await (const chunk of this.chunks(old, request, selection)) {
      for (const recipient of chunk) {
        if (recipient.reason === 'Reached') {
          leftOut++;
        } else if (isRetried(recipient, request.scope)) {
          increment(retried, recipient.errorCode!);
          recipients++;
        } else if (isUnreachable(recipient, request.scope)) {
          increment(unreachable, recipient.reason === 'Erased' ? RECIPIENT_ERASED : recipient.errorCode!);
        }
      }
    }
    return {
      recipients,
      byErrorCode: countsOf(retried),
      unreachable: countsOf(unreachable),
      ...(request.skipRetried && { leftOut }),
      warnings: recipients === 0 ? [] : await this.intakes.retryWarnings(selection),
    };
  }

  private async retryableJob({ accountId, retryOf }: JobRetry): Promise<BulkJob> {
    const old = await this.jobs.find(accountId, retryOf);
    if (!old) throw new JobNotFoundError();
    if (!allowsRetry(old)) throw new InvalidJobStateError('retry', old);
    if (old.recipientsExpiredAt !== null) throw new RecipientsExpiredError();
    return old;
  }

  private async selectionOf({ retryOf, scope, errorCodes, skipRetried }: JobRetry): Promise<RetrySelection> {
    return { retryOf, scope, errorCodes, without: skipRetried ? await this.intakes.otherRetriesOf(retryOf) : null };
  }

  /** The request that repeats a job. `ownExtras` is set if the job's extras alone did not fit its template. */
  private async repetitionOf(
    old: BulkJob,
    { name, senderId, ...request }: JobRetry,
    retry: RetrySelection,
  ): Promise<{ again: JobRequest; origin: JobOrigin }> {
    const sent = await this.templates.revision(old.revisionId);
    const own = senderId ?? (await this.senders.recorded(old.accountId, old.senderId)).id;
    const again = {
      ...request,
      ownExtras: sent.extrasErrors(old.extras, old.createdAt).length > 0,
      ownCards: true,
      senderId: own,
      templateName: old.templateName,
      languageCode: old.languageCode,
      extras: old.extras,
      name: name ?? old.name,
      reference: old.reference,
      validForSeconds: old.validForSeconds,
      ...ANY_TIME,
      sendWindow: old.sendWindow,
      hold: false,
    };
    const { kind, fileName, groupId, audience } = old;
    return { again, origin: { kind, fileName, groupId, audience, retryOf: old.id, retry, uploadHash: null } };
  }

  private async checkValueCount(old: BulkJob, template: SendableTemplate): Promise<void> {
    const { valueCount } = await this.templates.revision(old.revisionId);
    if (valueCount !== template.valueCount) throw new ParameterMismatchError(template.valueCount, valueCount);
  }

  /** The unsent recipients of the old job with the requested codes, at most CHUNK_SIZE at a time. */
  private async *chunks(
    old: BulkJob,
    { scope, errorCodes, signal }: JobRetry,
    { without }: RetrySelection,
  ): AsyncGenerator<UnsentRecipient[]> {
    const reached = await this.reached.of(old.accountId, without ?? [], signal);
    // An erasure that begins later finds the new job, which already has its id.
    const erased = await this.erasure.peopleBeingErased(old.accountId);
    for (let first = 1; first <= old.totalRecipients; first += CHUNK_SIZE) {
      if (signal.aborted) throw new RequestAbandonedError();
      const last = Math.min(first + CHUNK_SIZE - 1, old.totalRecipients);
      const unsent = await this.jobs.unsent(old, first, last);
      const matching = unsent.filter(
        ({ errorCode }) => errorCodes.length === 0 || errorCodes.includes(errorCode ?? ''),
      );
      yield matching.map((one) => {
        if (erased.has(one.person) || erased.has(one.userId ?? '')) return { ...one, reason: 'Erased' };
        return isRetried(one, scope) && reached.has(one.person) ? { ...one, reason: 'Reached' } : one;
      });
    }
    // Recipients may have expired during the read.
    if ((await this.jobs.find(old.accountId, old.id))?.recipientsExpiredAt) throw new RecipientsExpiredError();
  }
}

function rowOf(recipient: UnsentRecipient): RecipientRow {
  const { rowNumber, person, userId, parameters: values, own, reference, otherCells } = recipient;
  return {
    ...{ rowNumber, phone: person, values },
    ...(userId !== null && { userId }),
    ...(own && { own }),
    ...(reference !== null && { reference }),
    ...(otherCells && { otherCells }),
  };
}

function isRetried({ reason }: UnsentRecipient, scope: RetryScope): boolean {
  return STATUSES[scope].some((status) => status === reason);
}

/** Whether a recipient that is not retried belongs to the scope; skipped ones count as failed. */
function isUnreachable({ status }: UnsentRecipient, scope: RetryScope): boolean {
  return STATUSES[scope].includes(status === 'Skipped' ? 'Failed' : status);
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Sorts by frequency, descending, then by code. */
function countsOf(counts: ReadonlyMap<string, number>): ErrorCount[] {
  return [...counts]
    .map(([errorCode, count]) => ({ errorCode, count }))
    .sort((a, b) => b.count - a.count || (a.errorCode < b.errorCode ? -1 : 1));
}
