/** What is known of a recipient's identity. */
export interface Identified {
  /** The number, or the user id if the number is unknown; of an invalid row as written in the file. */
  phone: string;
  userId: string | null | undefined;
  isInvalid: boolean;
}

/** The numbers by which an erasure finds a recipient: of its phone number, as digits too if it is invalid, and of its user id. */
export function keysOf({ phone, userId, isInvalid }: Identified): number[] {
  const identities = [phone, isInvalid && writtenDigits(phone), userId];
  return identities.flatMap((identity) => (identity ? personKey(identity) : []));
}

/**
 * A 32-bit number for a phone number or user id; few people share one. Stored, so it must never change: FNV-1a of the UTF-16 code units.
 */
export function personKey(identity: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < identity.length; n++) hash = Math.imul(hash ^ identity.charCodeAt(n), 0x01000193);
  return hash | 0;
}

/** The digits of a number written in any way, without leading zeros. */
function writtenDigits(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^0+/, '');
}
