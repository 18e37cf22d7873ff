import type { Explanation } from '../../../kernel/explanation';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import type { PauseCode } from '../../bulk-jobs/domain/bulk-job';
import type { TemplateStatus } from '../../templates/domain/template';

/** Why a job stops sending: until the cause is fixed and the job resumed, or permanently. */
export interface JobStop {
  /** The cause cannot be fixed: the job fails instead of pausing. */
  final: boolean;
  /** Stable code in snake_case. */
  problem: string;
  /** Message for people. */
  reason: string;
}

/** Why the service ends a job permanently, by stable code. */
export const JOB_FAILURES = {
  template_disabled: SHARED_EXPLANATIONS.template_disabled,
  schedule_missed: {
    when: 'The service did not run for more than 6 hours after `scheduledAt`; nothing was sent.',
    remedy: 'Create the job again, or retry it, if the message is still relevant.',
  },
  pause_expired: {
    when: 'The job was paused for 30 days and was cancelled.',
    remedy: 'Retry the job to send to the remaining recipients.',
  },
} as const satisfies Record<string, Explanation>;
type StopCode = PauseCode | keyof typeof JOB_FAILURES;

/** Problems that are permanent: the remaining recipients need another template. */
const FINAL_PROBLEMS: readonly string[] = ['template_disabled' satisfies StopCode];

/** Problems that end when the template is approved: jobs paused by the service for one of them then resume. */
export const WAITING_FOR_TEMPLATE: readonly string[] = ['template_paused', 'template_not_approved', 'template_missing'];

const RESUMES = 'The job resumes automatically once the template is Approved again.';

/** Why a job does not resume although its template is approved again: the template takes other values. */
export const CHANGED_TEMPLATE: JobStop = {
  final: false,
  problem: 'template_changed' satisfies StopCode,
  reason: 'The template is Approved again, but its values have changed. Cancel the job and create it again.',
};

/** Maximum duration of a pause. */
export const PAUSE_DAYS = 30;

/** The stop of a job that was not resumed. */
export const EXPIRED_PAUSE: JobStop = {
  final: true,
  problem: 'pause_expired' satisfies StopCode,
  reason: `The job was paused for ${PAUSE_DAYS} days and was cancelled. Retry it to send to the remaining recipients.`,
};

/** Maximum delay of a scheduled start. */
export const LATEST_START_HOURS = 6;

/** The stop of a scheduled job that was due while no process ran. */
export const MISSED_SCHEDULE: JobStop = {
  final: true,
  problem: 'schedule_missed' satisfies StopCode,
  reason:
    `The service did not run at scheduledAt or in the ${LATEST_START_HOURS} hours after it. Retry the job if ` +
    `the message is still relevant.`,
};

/** The stop of a job whose template cannot be sent now. */
export function stoppedByTemplate(name: string, languageCode: string, status: TemplateStatus): JobStop {
  const template = `Template "${name}" (${languageCode})`;
  if (status === 'Disabled') {
    const reason = `${template} was permanently disabled by the platform. Send to the remaining recipients with another template.`;
    return { final: true, problem: 'template_disabled' satisfies StopCode, reason };
  }
  const problem: StopCode = status === 'Paused' ? 'template_paused' : 'template_not_approved';
  return { final: false, problem, reason: `${template} is ${status} on the platform. ${RESUMES}` };
}

/** The work stopped because the database was restored. */
export interface StoppedByRestore {
  /** Number of unfinished jobs that were paused. */
  jobs: number;
  /** Number of open single sends that became Unknown. */
  singleSends: number;
  /** The time of the database's last record: later sends are missing; null: it has no records. */
  knownUntil: Date | null;
}

/** The stop of every unfinished job of a restored database, in which sends after `knownUntil` are missing. */
export function restoredFromBackup(knownUntil: Date | null): JobStop {
  const known = knownUntil === null ? '' : ` Its last outcome was recorded at ${knownUntil.toISOString()}.`;
  const reason =
    `The database was restored from a backup, or a standby without the latest records took over.${known} Waiting ` +
    `recipients may have received the message since. ` +
    "Wait for the platform's status webhooks, then resume the job (some recipients may get it twice) or cancel it.";
  return { final: false, problem: 'restored_from_backup' satisfies StopCode, reason };
}

/** The stop of every unfinished job of a deleted sender. */
export const DELETED_SENDER: JobStop = {
  final: false,
  problem: 'sender_deleted' satisfies StopCode,
  reason: 'The sender of the job was deleted. Cancel the job, then retry it from another sender.',
};

/** The stop of a job that the platform refuses altogether. */
export function refusedByPlatform(problem: string, message: string, platformCode: number | null): JobStop {
  const final = FINAL_PROBLEMS.includes(problem);
  const cause = `The platform refuses to send: ${withCode(message, platformCode)}.`;
  return { final, problem, reason: `${cause} ${remedyOf(problem, final)}` };
}

/** Number of consecutive refused messages, immediately or by later statuses, after which a job stops. */
export const MAX_REFUSALS_IN_ROW = 20;

/** The stop of a job after MAX_REFUSALS_IN_ROW consecutive refused messages. */
export function refusedInRow(message: string, platformCode: number | null): JobStop {
  const cause =
    `The platform refused ${MAX_REFUSALS_IN_ROW} consecutive messages, the last one with: ` +
    `${withCode(message, platformCode)}.`;
  const problem: StopCode = 'refusals_in_row';
  return { final: false, problem, reason: `${cause} Fix the cause, then resume the job.` };
}

function remedyOf(problem: string, final: boolean): string {
  if (final) return 'Send to the remaining recipients with another template.';
  return problem === 'template_paused' ? RESUMES : 'Fix the cause, then resume the job.';
}

function withCode(message: string, platformCode: number | null): string {
  return `${message.replace(/\.$/, '')} (platform code ${platformCode ?? 'none'})`;
}
