import { Metadata, type CountryCode, type MetadataJson } from 'libphonenumber-js/core';
import metadataOfAllNumbers from 'libphonenumber-js/metadata.max.json';
import {
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { asDialled } from './dialled-forms';
import { readPhoneText } from './phone-text';

// The platform supports landlines, so mobile-only metadata would reject valid recipients.
const metadata = metadataOfAllNumbers as unknown as MetadataJson;

/** Metadata that the library's types do not include. */
interface PlanWithNationalPrefix {
  nationalPrefixForParsing(): string | undefined;
}

/** Decides whether a number of a calling code is possible unchanged, regardless of its country. */
interface CallingCodePlan {
  /** National lengths that are possible in every country of the code. */
  lengths: Set<number>;
  /** Trunk prefix that the library would remove. */
  trunkPrefix: RegExp | undefined;
}

const PLANS = callingCodePlans();

/** Longer texts are rejected without parsing. */
const MAX_LENGTH = 64;

/** Where landlines and mobiles have the same prefixes, as in the United States, each number may be one. */
const MOBILE_TYPES: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** What a text was read as. */
export interface PhoneReading {
  /** The canonical number. */
  number: string;
  /** The other reading of digits that are a valid international number and a valid mobile number of the default country; absent: none. */
  other?: string;
}

/**
 * Parses phone numbers by the rules of libphonenumber (metadata `max`, "possible" numbers). All spellings of a number yield the one
 * canonical number of the person: E.164 without `+`, 8 to 15 digits.
 */
export class PhoneNumbers {
  private readonly country: CountryCode | undefined;
  private readonly ownCallingCode: string | undefined;

  /**
   * `nationalFirst`: digits with two readings are numbers of the country. Throws RangeError if the library does not know
   * `defaultCountry`.
   */
  constructor(
    defaultCountry?: string,
    private readonly nationalFirst = false,
  ) {
    if (defaultCountry === undefined) return;
    const country = defaultCountry.toUpperCase();
    if (!isSupportedCountry(country))
      throw new RangeError(`"${defaultCountry}" is not the ISO 3166 code of a country.`);
    this.country = country;
    this.ownCallingCode = Object.keys(metadata.country_calling_codes).find((code) =>
      metadata.country_calling_codes[code]?.includes(country),
    );
  }

  /** The canonical number of a text in any notation; undefined if it is not a possible number. */
  read(text: string): string | undefined {
    return this.reading(text)?.number;
  }

  /** The same with the other reading, if there is one. */
  reading(text: string): PhoneReading | undefined {
    const parsed = text.length > MAX_LENGTH ? 'phone_invalid' : readPhoneText(text);
    return typeof parsed === 'string' ? undefined : this.interpret(parsed.digits, parsed.international);
  }

  /**
   * Interprets a search text: `whole` is its canonical number if complete; `beginnings` are the prefixes of matching numbers. Digits after
   * a trunk prefix match in the default country, or in every country if there is none.
   */
  search(text: string): { whole: string | null; beginnings: string[] } {
    const parsed = text.length > MAX_LENGTH ? 'phone_invalid' : readPhoneText(text);
    if (typeof parsed === 'string') return { whole: null, beginnings: [] };
    const whole = this.resolve(parsed.digits, parsed.international);
    const incomplete = parsed.international ? [] : this.nationalBeginnings(parsed.digits);
    return { whole: whole ?? null, beginnings: [...(whole === undefined ? incomplete : [whole]), parsed.digits] };
  }

  /** The prefixes with country code of a number that begins with 0; empty for others. */
  private nationalBeginnings(digits: string): string[] {
    if (!/^0[1-9]/.test(digits)) return [];
    const codes = this.ownCallingCode === undefined ? [...PLANS.keys()] : [this.ownCallingCode];
    // Italian numbers, for example, keep their zero.
    return codes.map((code) => code + (PLANS.get(code)?.trunkPrefix?.test(digits) ? digits.slice(1) : digits));
  }

  /** The canonical number of digits; undefined if it is impossible. */
  resolve(digits: string, international: boolean): string | undefined {
    return this.interpret(digits, international)?.number;
  }

  /**
   * Reads digits; undefined if they are no possible number. Without `+` or `00` they may be an international number or one of the
   * default country. If both are possible, a number with the country's own calling code wins, then a valid one: 6502530000 of
   * an American account is not a number in Singapore. If both are valid, the international one wins, unless `nationalFirst` and the
   * other is a mobile number: 15123456789 is in Texas, or a German number without its zero.
   */
  interpret(digits: string, international: boolean): PhoneReading | undefined {
    const asInternational = possibleInternational(digits);
    const isOwn = asInternational !== undefined && digits.startsWith(this.ownCallingCode ?? '+');
    if (international || this.country === undefined || isOwn) return readingOf(asInternational);
    const national = e164(parsePhoneNumberFromString(digits, { defaultCountry: this.country, extract: false }));
    if (asInternational === undefined || national === undefined) return readingOf(asInternational ?? national);
    const nationalType = typeOf(national);
    if (nationalType === undefined) return { number: asInternational };
    if (typeOf(asInternational) === undefined) return { number: national };
    if (!MOBILE_TYPES.includes(nationalType)) return { number: asInternational };
    return this.nationalFirst
      ? { number: national, other: asInternational }
      : { number: asInternational, other: national };
  }
}

const international = new PhoneNumbers();

/** The canonical number of a text with country code in any notation; undefined if it is not a possible number. */
export function readPhone(text: string): string | undefined {
  return international.read(text);
}

function possibleInternational(digits: string): string | undefined {
  if (digits.length < 8 || digits.length > 18) return undefined;
  const dialled = asDialled(digits);
  if (isPossibleUnchanged(dialled)) return dialled;
  const possible = e164(parsePhoneNumberFromString(`+${dialled}`, { extract: false }));
  // The library removes only one of two trunk prefixes; parsing a canonical number must return it unchanged.
  return possible === undefined || possible === digits ? possible : possibleInternational(possible);
}

/** A fast path for numbers that the library, which takes 3 to 15 µs each, would return unchanged; false when undecided. */
function isPossibleUnchanged(digits: string): boolean {
  if (digits.length > 15) return false;
  for (let length = 1; length <= 3; length++) {
    const plan = PLANS.get(digits.slice(0, length));
    if (plan === undefined) continue;
    return plan.lengths.has(digits.length - length) && !(plan.trunkPrefix?.test(digits.slice(length)) ?? false);
  }
  return false;
}

function e164(number: PhoneNumber | undefined): string | undefined {
  if (number?.isPossible() !== true || number.ext !== undefined) return undefined;
  const digits = asDialled(number.number.slice(1));
  return digits.length >= 8 && digits.length <= 15 ? digits : undefined;
}

function readingOf(number: string | undefined): PhoneReading | undefined {
  return number === undefined ? undefined : { number };
}

/** The kind of a number; undefined: it is not valid. */
function typeOf(digits: string): NumberType | undefined {
  return parsePhoneNumberFromString(`+${digits}`, { extract: false })?.getType();
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
  const metadataReader = new Metadata(metadata);
  metadataReader.selectNumberingPlan(country);
  return metadataReader.numberingPlan as unknown as ReturnType<typeof planOf>;
}
