import { validRecipients } from '../../app/valid-recipients';
import { locale, t } from '../../language/translate';
import { isOver } from '../../../client/job-events';
import { pendingOf } from '../../../client/job-figures';
import type { JobRecipientDto } from '../../../client/generated/types.gen';
import type { CountedJob } from './job-outcome';

/** In the place of a figure that is not known yet. */
export const UNKNOWN = '…';

/** The recipients of a job: each of those with an outcome counts once, under one name on all screens. */
export interface JobCounts {
  /** All but the invalid rows. */
  valid: number;
  invalid: number;
  /** Of whom the rate of sent messages is taken: `valid` without `optedOut`. */
  confirmed: number;
  /** Accepted by the platform, whether delivered or not. */
  sent: number;
  /** Rejected by the platform, or not sent in time. */
  failed: number;
  optedOut: number;
  /** Never confirmed by the platform, and no longer waited for. */
  unconfirmed: number;
  /** Those that the platform may still confirm. */
  unsettled: number;
  /** Not attempted, as the job ended first. */
  notSent: number;
  /** Either failed or not attempted: which of them is not known yet. */
  unsorted: number;
  /** Still to be sent. */
  waiting: number;
  /** Sent, failed, opted out or unconfirmed. */
  processed: number;
}

/**
 * The counts of a job, of whose `failed` recipients `notSent` were not attempted and `unconfirmed` have an unknown outcome. Null: not
 * known yet.
 */
export function countsOf(
  job: CountedJob,
  { notSent: known, unconfirmed }: { notSent: number | null; unconfirmed: number },
): JobCounts {
  const { successfullySent: sent, skipped: optedOut = 0, invalidRows: invalid = 0, unknown = 0 } = job;
  const notSent = known ?? 0;
  const others = Math.max(0, job.failed - invalid - optedOut - notSent - unconfirmed);
  const [failed, unsorted] = known === null ? [0, others] : [others, 0];
  const processed = sent + failed + optedOut + unconfirmed;
  const valid = validRecipients(job);
  const confirmed = valid - optedOut;
  // The last figures of a job may follow its last status.
  const pending = isOver(job) ? 0 : pendingOf(job);
  const unsettled = Math.max(0, Math.min(unknown - unconfirmed, pending));
  const waiting = pending - unsettled;
  return {
    ...{ valid, invalid, confirmed, sent, failed, optedOut, unconfirmed, unsettled, notSent, unsorted, waiting },
    processed,
  };
}

/** What became of the recipients so far, in words, whose numbers add up: “33 of 37 sent, 1 failed, 3 opted out”. */
export function outcomeText(counts: JobCounts): string {
  const { valid, sent, failed, optedOut, notSent, waiting } = counts;
  const unconfirmed = counts.unconfirmed + counts.unsettled;
  const others = [
    ...(failed > 0 ? [t('{count, number} failed', { count: failed })] : []),
    ...(optedOut > 0 ? [t('{count, number} opted out', { count: optedOut })] : []),
    ...(unconfirmed > 0 ? [t('{count, number} unconfirmed', { count: unconfirmed })] : []),
    ...(notSent > 0 ? [t('{count, number} not sent', { count: notSent })] : []),
  ];
  // Beside sent messages alone, those not sent yet go without saying.
  if (others.length > 0 && waiting > 0) others.push(t('{count, number} not sent yet', { count: waiting }));
  const parts = [t('{sent, number} of {all, number} sent', { sent, all: valid }), ...others];
  return new Intl.ListFormat(locale(), { type: 'unit' }).format(parts);
}

/** Whom the messages of a job reached: “26 of 27 sent messages delivered”. */
export function resultText({ delivered = 0, successfullySent: sent }: CountedJob): string {
  return t('{delivered, number} of {sent, plural, one {# sent message} other {# sent messages}} delivered', {
    ...{ delivered, sent },
  });
}

/** Whether nothing was ever to be sent to a recipient, because its row is invalid. */
export function isInvalidRow({ status, attempts, errorCode }: JobRecipientDto): boolean {
  return status === 'Failed' && attempts === 0 && errorCode !== 'expired';
}
