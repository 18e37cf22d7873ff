/** A phone number in international format, digits only, without `+`: 8 to 15 of them (E.164). */
export type PhoneNumber = string;

/** The number as it may stand in a log: the last four digits only. */
export function maskPhone(phone: string): string {
  return phone.length <= 4 ? '****' : `****${phone.slice(-4)}`;
}

/**
 * What numbers that reach one person have in common: the platform reports some of them in another form than they are
 * dialled in. Brazil's mobile numbers come without their ninth digit, Mexico's with a 1 after the country code, those of
 * Argentina with a 9. Compare keys, and write to the number that was given.
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

/** Every form of the number that reaches the same person, its key first. */
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
