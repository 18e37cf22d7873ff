import { parsePhoneNumberFromString as parseWith } from 'libphonenumber-js/core';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The number, given by its digits with country code, in the digit groups of its country. */
export function nationalGroups(digits: string): string {
  const number = parsePhoneNumberFromString(`+${digits}`);
  return number?.isPossible() ? number.formatInternational() : `+${digits}`;
}

/** Whether the numbering plan of a country has the number, given by its digits with country code. Loads the plans of all countries. */
export async function isInNumberingPlan(digits: string): Promise<boolean> {
  const { default: plans } = await import('libphonenumber-js/metadata.max.json');
  return parseWith(`+${digits}`, plans)?.isValid() ?? false;
}
