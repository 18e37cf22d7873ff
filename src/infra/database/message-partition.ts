/** Name and bounds of the partition for messages whose id was generated in one month (UTC). */
export interface MessagePartition {
  name: string;
  /** Lowest id of the month, inclusive. */
  from: string;
  /** Lowest id of the next month, exclusive. */
  to: string;
}

/**
 * Storage parameters of a partition. Most messages change two or three times soon after they were written, as the platform
 * reports their statuses: if their page has room for the new version, no index needs to be updated.
 */
export const PARTITION_STORAGE = 'fillfactor = 50';

/** The month `offset` months after that of `time`. */
export function messagePartition(time: Date, offset: number): MessagePartition {
  const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1));
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  const month = `${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
  return { name: `messages_${month}`, from: lowestIdAt(start), to: lowestIdAt(end) };
}

/** When the month of a partition ended; null if the name is not that of a partition. */
export function endOfPartition(name: string): Date | null {
  const [, year, month] = /^messages_(\d{4})_(\d\d)$/.exec(name) ?? [];
  return year === undefined ? null : new Date(Date.UTC(Number(year), Number(month)));
}

/** The lowest possible UUIDv7 of a millisecond, from 1970 on; a bound needs no version bits. */
export function lowestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
