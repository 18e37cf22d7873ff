import type { BulkJobDto } from './generated/types.gen';

/** The error code of recipients whose outcome stayed unknown. */
export const UNCONFIRMED = 'outcome_unknown';
/** The error code of recipients that were not attempted because the job ended first. */
export const NOT_ATTEMPTED = 'cancelled';

/** Whether a job with this status may have ended before it tried all its recipients. */
export function isCutShort(status: BulkJobDto['status']): boolean {
  return status === 'Cancelled' || status === 'Failed';
}

/** Recipients that are not processed, as the service counts them. */
export function pendingOf({
  totalRecipients,
  successfullySent,
  failed,
}: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed'>): number {
  return totalRecipients - successfullySent - failed;
}

/** `part` of `whole` in thousandths, rounded; only the whole is 1000. */
export function thousandths(part: number, whole: number): number {
  const rounded = Math.round((part * 1000) / whole);
  return part < whole ? Math.min(rounded, 999) : rounded;
}
