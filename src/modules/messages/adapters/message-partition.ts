import { lowestUuidAt } from '../../../kernel/uuid';

/** Name and bounds of the partition for messages whose id was generated in one month (UTC). */
export interface MessagePartition {
  name: string;
  /** Lowest id of the month, inclusive. */
  from: string;
  /** Lowest id of the next month, exclusive. */
  to: string;
}

/**
 * Storage parameters of a partition. Statuses change most messages two or three times soon after the insert: with free
 * space on the page no index is updated (HOT).
 */
export const PARTITION_STORAGE = 'fillfactor = 50';

/** The partition `offset` months after the month of `time`. */
export function messagePartition(time: Date, offset: number): MessagePartition {
  const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1));
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  const month = `${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
  return { name: `messages_${month}`, from: lowestUuidAt(start), to: lowestUuidAt(end) };
}

/** End of the partition's month; null if the name is not a partition's. */
export function endOfPartition(name: string): Date | null {
  const [, year, month] = /^messages_(\d{4})_(\d\d)$/.exec(name) ?? [];
  return year === undefined ? null : new Date(Date.UTC(Number(year), Number(month)));
}
