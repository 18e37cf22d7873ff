import { randomFillSync } from 'node:crypto';

const POOL_SIZE = 16 * 512;
const pool = Buffer.alloc(POOL_SIZE);
let used = POOL_SIZE;
let lastTime = 0;
let sequence = 0;

/**
 * A UUIDv7 (RFC 9562): time-ordered, with 74 bits of counter and randomness. Ids of one process in one millisecond are ordered
 * (12 bits of counter), so that rows inserted together are adjacent in their index.
 */
export function uuidV7(time: number = Date.now()): string {
  if (used === POOL_SIZE) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;
  if (time === lastTime) sequence = (sequence + 1) & 0xfff;
  else {
    lastTime = time;
    sequence = bytes.readUInt16BE(6) & 0x7ff;
  }
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The creation time of a UUIDv7. */
export function uuidTime(id: string): Date {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The lowest possible UUIDv7 of a millisecond since 1970: an inclusive lower bound of all ids created from then on. */
export function lowestUuidAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` has the form of a UUID of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
