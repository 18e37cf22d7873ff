import { Injectable } from '@nestjs/common';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { phoneKey } from '../../../kernel/phone-number';
import { PersonErasure } from '../../groups/domain/person-erasure.service';
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
import { type CreatedJob, type JobIntake, JobIntakes, type JobRequest } from './job-intake';
import { ANY_TIME } from './job-timing';
import type { UnsentReason } from './job-recipient';
import { CHUNK_SIZE } from './recipient-chunk';

/** Which recipients are retried: failed and cancelled ones, those not delivered, those with an unknown outcome, or all of them. */
export const RETRY_SCOPES = ['failed', 'undelivered', 'unknown', 'all'] as const;
export type RetryScope = (typeof RETRY_SCOPES)[number];

/** A request to retry recipients of a job. */
export interface JobRetry {
  /** Gives the new job its id; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  accountId: string;
  retryOf: string;
  scope: RetryScope;
  /** Only recipients with one of these; empty: with any. */
  errorCodes: readonly string[];
  /** Aborted when the client disconnects: nothing is created then. */
  signal: AbortSignal;
}

const REASONS: Readonly<Record<RetryScope, readonly UnsentReason[]>> = {
  failed: ['Failed', 'Cancelled'],
  undelivered: ['Undelivered'],
  unknown: ['Unknown'],
  all: ['Failed', 'Cancelled', 'Undelivered', 'Unknown'],
};

/** Recipients that are never retried, and the reasons in warnings. */
const LEFT_OUT: Readonly<Partial<Record<UnsentReason, string>>> = {
  Invalid: 'are invalid',
  Skipped: 'have opted out',
  Erased: 'have been erased',
  Unsettled: 'are in flight or their outcome may still become known',
};

/** Creates a new job from recipients of a finished one, which does not change. */
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
   * atomically. The warnings count the recipients that were left out.
   * Rejects with JobNotFoundError, InvalidJobStateError, RecipientsExpiredError, NothingToRetryError, the errors of the
   * template, and ParameterMismatchError if the number of the template's values has changed.
   */
  async retry(request: JobRetry): Promise<CreatedJob> {
    const old = await this.jobs.find(request.accountId, request.retryOf);
    if (!old) throw new JobNotFoundError();
    if (!STATUSES_THAT_ALLOW.retry.includes(old.status)) throw new InvalidJobStateError('retry', old);
    if (old.recipientsExpiredAt !== null) throw new RecipientsExpiredError();
    const again: JobRequest = {
      claim: request.claim,
      accountId: request.accountId,
      templateName: old.templateName,
      languageCode: old.languageCode,
      extras: old.extras,
      reference: old.reference,
      validForSeconds: old.validForSeconds,
      ...ANY_TIME,
      sendWindow: old.sendWindow,
      hold: false,
      signal: request.signal,
    };
    const origin = { kind: old.kind, fileName: old.fileName, groupId: old.groupId, retryOf: old.id, uploadHash: null };
    return this.intakes.create(again, origin, async (intake, { template }) => {
      const { valueCount } = await this.templates.revision(old.revisionId);
      if (valueCount !== template.valueCount) throw new ParameterMismatchError(template.valueCount, valueCount);
      const { taken, warnings } = await this.copy(old, request, intake);
      // Recipients may have expired while they were copied.
      if ((await this.jobs.find(old.accountId, old.id))?.recipientsExpiredAt) throw new RecipientsExpiredError();
      if (taken === 0) throw new NothingToRetryError(warnings);
      return { duplicateRows: 0, warnings };
    });
  }

  private async copy(
    old: BulkJob,
    { scope, errorCodes, signal }: JobRetry,
    intake: JobIntake,
  ): Promise<{ taken: number; warnings: string[] }> {
    const reasons = REASONS[scope];
    // An erasure that begins from now on finds the new job, whose id is older.
    const erased = await this.erasure.underWay(old.accountId);
    const leftOut = new Map<UnsentReason, number>();
    let taken = 0;
    for (let first = 1; first <= old.totalRecipients; first += CHUNK_SIZE) {
      if (signal.aborted) throw new RequestAbandonedError();
      const last = Math.min(first + CHUNK_SIZE - 1, old.totalRecipients);
      for (const recipient of await this.jobs.unsent(old, first, last)) {
        const { errorCode, rowNumber, phone, parameters } = recipient;
        const reason = erased.has(phoneKey(phone)) ? 'Erased' : recipient.reason;
        if (errorCodes.length > 0 && !errorCodes.includes(errorCode ?? '')) continue;
        if (reasons.includes(reason)) {
          intake.add(rowNumber, phone, parameters);
          taken++;
        } else if (LEFT_OUT[reason]) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
      }
      await intake.settle();
    }
    const warnings = [...leftOut].map(
      ([reason, count]) =>
        `${count} ${count === 1 ? 'recipient was' : 'recipients were'} left out: they ${LEFT_OUT[reason]}.`,
    );
    return { taken, warnings };
  }
}
