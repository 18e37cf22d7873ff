import type { BulkJobErrorDto, PauseReasonDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** What the service writes around the answer of the platform that stopped a job. */
const ANSWER =
  /^The platform (?:refuses to send|refused \d+ consecutive messages, the last one with): (.+) \(platform code (?:\d+|none)\)\. /s;

/** Why the service paused or ended a job and what to do, in the words of the console; null for a problem of the platform. */
export function stopWords(code: PauseReasonDto['code'] | BulkJobErrorDto['code'], template: string): string | null {
  switch (code) {
    case 'template_paused':
      return t(
        'WhatsApp paused the template {template} because of its low quality. The job resumes automatically once it is approved again.',
        { template },
      );
    case 'template_not_approved':
      return t(
        'The template {template} is not, or no longer, approved. The job resumes automatically once WhatsApp approves it.',
        { template },
      );
    case 'template_changed':
      return t(
        'The template {template} is approved again, but its values have changed. Cancel the job and create it again with values for the new text.',
        { template },
      );
    case 'sender_deleted':
      return t('The sender of this job was deleted. Cancel the job, then retry it from another sender.');
    case 'refusals_in_row':
      return t(
        'WhatsApp refused many messages of this job in a row. “Not reached” says why. Correct the cause, then resume the job.',
      );
    case 'restored_from_backup':
      return t(
        'The data was restored from a backup; what was sent since is not recorded. Wait for the reports of WhatsApp, then resume the job (some recipients may get the message twice) or cancel it.',
      );
    case 'schedule_missed':
      return t(
        'The service was not running when the job was to start, nor in the hours after; nothing was sent. Retry the job if the message is still relevant.',
      );
    case 'pause_expired':
      return t('The job was paused for too long and was ended. Retry it to send to the remaining recipients.');
    default:
      return null;
  }
}

/** The answer of the platform in the message of a pause or an error; null: it has none. */
export function platformAnswer(message: string): string | null {
  return ANSWER.exec(message)?.[1] ?? null;
}
