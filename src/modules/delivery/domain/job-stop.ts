import type { TemplateStatus } from '../../templates/domain/template';

/** Why nothing more of a job is tried: until somebody mends the cause and resumes it, or for good. */
export interface JobStop {
  /** No one can mend it: the job fails instead of pausing. */
  final: boolean;
  /** Stable code in snake_case. */
  problem: string;
  /** What a client reads. */
  reason: string;
}

/** What the platform never takes back; whoever wants to reach the others needs another template. */
const FINAL_PROBLEMS: readonly string[] = ['template_disabled'];

/** Problems that end by themselves once the template is approved: jobs that the service paused for one of them go on then. */
export const WAITING_FOR_TEMPLATE: readonly string[] = ['template_paused', 'template_not_approved', 'template_missing'];

const GOES_ON = 'The job goes on by itself once the template is Approved again.';

/** Why a job that waited for its template still waits: its recipients' values were meant for another text. */
export const CHANGED_TEMPLATE: JobStop = {
  final: false,
  problem: 'template_changed',
  reason: 'The template is Approved again, but takes other values than before. Cancel the job and send it anew.',
};

/** The stop of a job whose template stands where it cannot be sent. */
export function stoppedByTemplate(name: string, languageCode: string, status: TemplateStatus): JobStop {
  const template = `Template "${name}" (${languageCode})`;
  if (status === 'Disabled') {
    const reason = `${template} was disabled by the platform for good. Send to the others with another template.`;
    return { final: true, problem: 'template_disabled', reason };
  }
  const problem = status === 'Paused' ? 'template_paused' : 'template_not_approved';
  return { final: false, problem, reason: `${template} is ${status} on the platform. ${GOES_ON}` };
}

/** The stop of a job that the platform refuses altogether. */
export function refusedByPlatform(problem: string, message: string, platformCode: number | null): JobStop {
  const final = FINAL_PROBLEMS.includes(problem);
  const said = `The platform refuses to send: ${withCode(message, platformCode)}.`;
  return { final, problem, reason: `${said} ${remedyOf(problem, final)}` };
}

/** The stop of a job whose messages the platform refused one after the other. */
export function refusedInRow(count: number, problem: string, message: string, platformCode: number | null): JobStop {
  const said = `The platform refused ${count} messages in a row, at last with: ${withCode(message, platformCode)}.`;
  return { final: false, problem, reason: `${said} Mend it, then resume the job.` };
}

function remedyOf(problem: string, final: boolean): string {
  if (final) return 'Send to the others with another template.';
  return problem === 'template_paused' ? GOES_ON : 'Mend it there, then resume the job.';
}

function withCode(message: string, platformCode: number | null): string {
  return `${message} (platform code ${platformCode ?? 'none'})`;
}
