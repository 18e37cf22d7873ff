import { Metadata, type CountryCode, type MetadataJson } from 'libphonenumber-js/core';
import metadataOfAllNumbers from 'libphonenumber-js/metadata.max.json';
import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import type { NumberSpelling } from '../recipient-file';

// Landlines can be on the platform, so metadata of mobile numbers only would refuse valid recipients.
const metadata = metadataOfAllNumbers as unknown as MetadataJson;

/** Metadata that the library's types do not include. */
interface PlanWithNationalPrefix {
  nationalPrefixForParsing(): string | undefined;
}

/** When a number of a calling code is possible without changes, whatever its country. */
interface CallingCodePlan {
  /** Lengths after the calling code that are possible in every country of the code. */
  lengths: Set<number>;
  /** A trunk prefix, which the library would remove. */
  trunkPrefix: RegExp | undefined;
}

/** Converts the digits of a phone number to E.164 without `+`, by the rules of libphonenumber (metadata `max`, "possible" numbers). */
export class PhoneNumbers {
  private readonly plans = callingCodePlans();
  private readonly country: CountryCode | undefined;
  private readonly ownCallingCode: string | undefined;
  private readonly spellings: { written: RegExp; key: string }[];

  /** Throws RangeError if the library does not know `defaultCountry`. */
  constructor(defaultCountry: string | undefined, spellings: readonly NumberSpelling[] = []) {
    this.spellings = spellings.map(({ written, key }) => ({ written: new RegExp(written), key }));
    if (defaultCountry === undefined) return;
    const country = defaultCountry.toUpperCase();
    if (!isSupportedCountry(country))
      throw new RangeError(`"${defaultCountry}" is not the ISO 3166 code of a country.`);
    this.country = country;
    this.ownCallingCode = Object.keys(metadata.country_calling_codes).find((code) =>
      metadata.country_calling_codes[code]?.includes(country),
    );
  }

  /**
   * The number in international format, 8 to 15 digits; undefined if it is impossible. Digits without `+` or `00`
   * may be an international number or one of the default country. If both are possible, the
   * country's own calling code, then a number in use (valid), decides: 6502530000 of an American account is not Singapore's.
   */
  resolve(digits: string, international: boolean): string | undefined {
    const abroad = this.possibleInternational(digits);
    if (international || this.country === undefined) return abroad;
    if (abroad !== undefined && digits.startsWith(this.ownCallingCode ?? '+')) return abroad;
    const national = e164(parsePhoneNumberFromString(digits, { defaultCountry: this.country, extract: false }));
    if (abroad === undefined || national === undefined) return abroad ?? national;
    return !isValid(this.keyOf(abroad)) && isValid(national) ? national : abroad;
  }

  /** The number in the spelling that is dialled: equal for all spellings of one number. */
  keyOf(phone: string): string {
    const spelling = this.spellings.find(({ written }) => written.test(phone));
    return spelling === undefined ? phone : phone.replace(spelling.written, spelling.key);
  }

  private possibleInternational(digits: string): string | undefined {
    if (digits.length < 8 || digits.length > 18) return undefined;
    if (this.isPossibleAsItStands(digits)) return digits;
    const possible = e164(parsePhoneNumberFromString(`+${digits}`, { extract: false }));
    if (possible !== undefined) return possible;
    const key = this.keyOf(digits);
    return key !== digits && this.isPossibleAsItStands(key) ? digits : undefined;
  }

  /** A fast check that is true only if the library agrees, which takes 3 to 15 µs per number. */
  private isPossibleAsItStands(digits: string): boolean {
    if (digits.length > 15) return false;
    for (let length = 1; length <= 3; length++) {
      const plan = this.plans.get(digits.slice(0, length));
      if (plan === undefined) continue;
      return plan.lengths.has(digits.length - length) && !(plan.trunkPrefix?.test(digits.slice(length)) ?? false);
    }
    return false;
  }
}

function e164(number: PhoneNumber | undefined): string | undefined {
  if (number?.isPossible() !== true || number.ext !== undefined) return undefined;
  const digits = number.number.slice(1);
  return digits.length >= 8 && digits.length <= 15 ? digits : undefined;
}

function isValid(digits: string): boolean {
  return parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isValid() === true;
}

function callingCodePlans(): Map<string, CallingCodePlan> {
  const plans = new Map<string, CallingCodePlan>();
  for (const [code, countries] of Object.entries(metadata.country_calling_codes)) {
    const [main, ...others] = countries.map(planOf);
    if (main === undefined) continue;
    const lengths = main.possibleLengths().filter((n) => others.every((plan) => plan.possibleLengths().includes(n)));
    const prefix = main.nationalPrefixForParsing();
    plans.set(code, { lengths: new Set(lengths), trunkPrefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined });
  }
  return plans;
}

function planOf(country: CountryCode): PlanWithNationalPrefix & { possibleLengths(): number[] } {
  const reader = new Metadata(metadata);
  reader.selectNumberingPlan(country);
  return reader.numberingPlan as unknown as ReturnType<typeof planOf>;
}
