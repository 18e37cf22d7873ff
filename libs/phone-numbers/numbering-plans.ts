import { type CountryCode, Metadata, type MetadataJson } from 'libphonenumber-js/core';
import metadataOfAllNumbers from 'libphonenumber-js/metadata.max.json';

const metadata = metadataOfAllNumbers as unknown as MetadataJson;
const LONGEST_CALLING_CODE = 3;
const TYPES = [
  ...['MOBILE', 'FIXED_LINE', 'VOIP', 'TOLL_FREE', 'SHARED_COST', 'UAN'],
  ...['PERSONAL_NUMBER', 'PREMIUM_RATE', 'PAGER', 'VOICEMAIL'],
];

/** Metadata that the library's types do not include. */
interface Plan {
  possibleLengths(): number[];
  nationalNumberPattern(): string;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

/** The national numbers of a country: those of `all` that are of a type. */
interface Patterns {
  all: RegExp;
  types: { lengths: readonly number[]; pattern: RegExp }[];
}

const patterns = new Map<string, Patterns[]>();

/**
 * Whether the numbering plan of a country has a number, given as E.164 without `+`: what libphonenumber calls valid, in a tenth of its time.
 * Patterns are compiled at the first number of a calling code. True for international services, such as satellite phones.
 */
export function isInNumberingPlan(digits: string): boolean {
  for (let length = 1; length <= LONGEST_CALLING_CODE; length++) {
    const code = digits.slice(0, length);
    const countries = metadata.country_calling_codes[code];
    if (countries === undefined) continue;
    const national = digits.slice(length);
    const known = patterns.get(code) ?? countries.map(patternsOf);
    patterns.set(code, known);
    return known.some(({ all, types }) => all.test(national) && types.some((type) => isOfType(national, type)));
  }
  return true;
}

function isOfType(national: string, { lengths, pattern }: Patterns['types'][number]): boolean {
  return lengths.includes(national.length) && pattern.test(national);
}

function patternsOf(country: CountryCode): Patterns {
  const reader = new Metadata(metadata);
  reader.selectNumberingPlan(country);
  const plan = reader.numberingPlan as unknown as Plan;
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    if (type === undefined) return [];
    return [{ lengths: type.possibleLengths() ?? plan.possibleLengths(), pattern: whole(type.pattern()) }];
  });
  return { all: whole(plan.nationalNumberPattern()), types };
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
