import type { BulkJobDetailDto, JobPaceDto } from '../../../client/generated/types.gen';

/** A shorter wait for outcomes is part of the sending. */
const MIN_WAIT_MS = 60_000;

/** For how long a job sent, and for how long it then only waited for outcomes, in seconds, with the messages per second while it sent. */
export interface SendingTime {
  sending: number;
  waiting: number;
  perSecond: number;
}

/** When a completed job sent, by the steps of its pace; null if it did not wait for long at the end, or that is not known. */
export function sendingTimeOf(
  {
    startedAt,
    completedAt,
    successfullySent,
  }: Pick<BulkJobDetailDto, 'startedAt' | 'completedAt' | 'successfullySent'>,
  { items, stepSeconds }: Pick<JobPaceDto, 'items' | 'stepSeconds'>,
): SendingTime | null {
  const last = items.findLast(({ sent }) => sent > 0);
  if (startedAt === null || completedAt === null || last === undefined) return null;
  const [start, end] = [Date.parse(startedAt), Date.parse(completedAt)];
  const sentBy = Date.parse(last.at) + stepSeconds * 1000;
  if (end - sentBy < MIN_WAIT_MS) return null;
  const sending = Math.max(1, (sentBy - start) / 1000);
  return { sending, waiting: (end - sentBy) / 1000, perSecond: successfullySent / sending };
}
