/** A phone number in international format: 8 to 15 digits without `+` (E.164). */
export type PhoneNumber = string;

/** The number for logs: only its last four digits. */
export function maskPhone(phone: string): string {
  return phone.length <= 4 ? '****' : `****${phone.slice(-4)}`;
}

/**
 * A key that is equal for all forms of one number: the platform reports some numbers in another form than they are
 * dialled: Brazilian mobile numbers without their ninth digit, Mexican ones with a 1 after the country code, those of
 * Argentina with a 9. Compare keys, but send to the original number.
 */
export function phoneKey(phone: PhoneNumber): string {
  const brazilian = /^55([1-9]\d)([6-9]\d{7})$/.exec(phone);
  if (brazilian) return `55${brazilian[1]}9${brazilian[2]}`;
  const mexican = /^521(\d{10})$/.exec(phone);
  if (mexican) return `52${mexican[1]}`;
  const argentine = /^549(\d{10})$/.exec(phone);
  if (argentine) return `54${argentine[1]}`;
  return phone;
}

/** All forms of the number, its key first. */
export function phoneForms(phone: PhoneNumber): PhoneNumber[] {
  const key = phoneKey(phone);
  const brazilian = /^55([1-9]\d)9([6-9]\d{7})$/.exec(key);
  if (brazilian) return [key, `55${brazilian[1]}${brazilian[2]}`];
  const mexican = /^52(\d{10})$/.exec(key);
  if (mexican) return [key, `521${mexican[1]}`];
  const argentine = /^54(\d{10})$/.exec(key);
  if (argentine) return [key, `549${argentine[1]}`];
  return [key];
}
