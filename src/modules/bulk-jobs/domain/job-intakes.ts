import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { Plans } from '../../accounts/domain/plans';
import { SendersService } from '../../accounts/domain/senders.service';
import { PersonErasure } from '../../groups/domain/person-erasure';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { ExtrasMismatchError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import { requestOrigin } from '../../../kernel/request-context';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobErasureStore } from './job-erasure-store.port';
import { checkOpenJobs, JobIntake, type JobSource } from './job-intake';
import { type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { checkTiming, type JobTiming } from './job-timing';
import { repeatedRetryWarnings, type RetrySelection } from './retry-selection';
import { TimeZones } from './time-zones.port';

/** The common part of all requests that create a job. */
export interface JobRequest extends JobTiming, Caller {
  /** Determines the id of the job; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  /** Undefined: the default sender. */
  senderId?: string | undefined;
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

/** The source of a job's recipients. */
export type JobOrigin = Pick<
  JobDraft,
  'kind' | 'fileName' | 'groupId' | 'audience' | 'retryOf' | 'retry' | 'uploadHash'
>;

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
    private readonly people: PersonErasure,
    private readonly erasures: JobErasureStore,
    private readonly audit: AuditLogService,
  ) {}

  /** The sender and the template of the request; rejects with their errors, and with those of schedule, window and header media. */
  async source(request: JobRequest, origin: JobOrigin): Promise<JobSource> {
    const now = this.clock.now();
    await checkTiming(request, now, this.zones);
    const sender = await this.senders.ofAccount(request.accountId, request.senderId);
    const template = await this.templates.sendable(sender, request.templateName, request.languageCode);
    checkJobExtras(template, request, now);
    const draft: JobDraft = {
      ...origin,
      id: request.claim.resourceId,
      accountId: request.accountId,
      keyId: request.keyId,
      ...requestOrigin(),
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

  /** See JobIntakeStore.otherRetriesOf. */
  otherRetriesOf(jobId: string): Promise<string[]> {
    return this.store.otherRetriesOf(jobId);
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
    const { store, unitOfWork, clock, signal, people, erasures, audit } = this;
    const { maxOpenJobs } = this.plans.of(plan);
    await checkOpenJobs(store, accountId, maxOpenJobs);
    const source = await this.source(request, origin);
    const intake = new JobIntake(source, claim, maxOpenJobs, request, {
      ...{ store, unitOfWork, clock, signal, people, erasures, audit },
    });
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
