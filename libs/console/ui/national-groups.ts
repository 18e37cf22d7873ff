import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The number, given by its digits with country code, in the digit groups of its country. */
export function nationalGroups(digits: string): string {
  const number = parsePhoneNumberFromString(`+${digits}`);
  return number?.isPossible() ? number.formatInternational() : `+${digits}`;
}
