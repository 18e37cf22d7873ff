import { phoneDigits } from '../../client/phone-digits';
import { locale, t } from '../language/translate';

/** Common regions by calling code, longest code first. The service supports all codes. */
const REGIONS =
  'US 1|EG 20|MA 212|DZ 213|TN 216|LY 218|GM 220|SN 221|ML 223|CI 225|BF 226|NE 227|TG 228|BJ 229|MU 230|LR 231|SL 232|GH 233|NG 234|TD 235|CM 237|GA 241|CD 243|AO 244|SD 249|RW 250|ET 251|SO 252|KE 254|TZ 255|UG 256|BI 257|MZ 258|ZM 260|MG 261|ZW 263|NA 264|MW 265|LS 266|BW 267|ZA 27|GR 30|NL 31|BE 32|FR 33|ES 34|PT 351|LU 352|IE 353|IS 354|AL 355|MT 356|CY 357|FI 358|BG 359|HU 36|LT 370|LV 371|EE 372|MD 373|AM 374|BY 375|UA 380|RS 381|ME 382|HR 385|SI 386|BA 387|MK 389|IT 39|RO 40|CH 41|CZ 420|SK 421|LI 423|AT 43|GB 44|DK 45|SE 46|NO 47|PL 48|DE 49|BZ 501|GT 502|SV 503|HN 504|NI 505|CR 506|PA 507|HT 509|PE 51|MX 52|CU 53|AR 54|BR 55|CL 56|CO 57|VE 58|BO 591|GY 592|EC 593|PY 595|SR 597|UY 598|MY 60|AU 61|ID 62|PH 63|NZ 64|SG 65|TH 66|BN 673|FJ 679|RU 7|KZ 77|JP 81|KR 82|VN 84|HK 852|MO 853|KH 855|LA 856|CN 86|BD 880|TW 886|TR 90|IN 91|PK 92|AF 93|LK 94|MM 95|MV 960|LB 961|JO 962|SY 963|IQ 964|KW 965|SA 966|YE 967|OM 968|PS 970|AE 971|IL 972|BH 973|QA 974|BT 975|MN 976|NP 977|IR 98|TJ 992|TM 993|AZ 994|GE 995|KG 996|UZ 998'
    .split('|')
    .map((entry) => entry.split(' ') as [region: string, code: string])
    .sort(([, one], [, other]) => other.length - one.length);
/** Countries that share the code of another. */
const OTHERS = ['CA', 'DO', 'JM', 'PR', 'TT'];
/** Countries whose numbers keep their first 0 after the calling code. */
const WITH_ZERO = ['CI', 'GA', 'IT'];
const NAMES = new Intl.DisplayNames(locale(), { type: 'region' });
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;

/** By name. */
const COUNTRIES = [...REGIONS.map(([region]) => region), ...OTHERS]
  .map((region) => ({ value: region, label: NAMES.of(region) ?? region }))
  .sort((one, other) => one.label.localeCompare(other.label, locale()));

/** Countries to choose from by name, first the countries of this browser and of these numbers. */
export function countriesFor(numbers: readonly string[]): typeof COUNTRIES {
  const near = [new Intl.Locale(locale()).maximize().region, ...numbers.map(callingRegion)];
  return [...COUNTRIES].sort((one, other) => Number(near.includes(other.value)) - Number(near.includes(one.value)));
}

/** The name of an ISO 3166 country. */
export function countryName(country: string): string {
  return NAMES.of(country) ?? country;
}

/** ISO 3166 country of a number; undefined: unknown. */
export function callingRegion(text: string): string | undefined {
  return regionOf(text)?.[0];
}

/** The country of a number, such as “Germany (+49)”; null if the code is not in the list above. */
export function countryOf(text: string): string | null {
  const found = regionOf(text);
  if (!found) return null;
  const [region, code] = found;
  const name = region === 'US' ? t('United States or Canada') : NAMES.of(region);
  return `${name} (+${code})`;
}

function regionOf(text: string): [region: string, code: string] | undefined {
  const digits = phoneDigits(text);
  return digits === null || problemOfStart(text) ? undefined : REGIONS.find(([, code]) => digits.startsWith(code));
}

/** A number as it is dialled in its country as + and digits with the calling code; other texts, and without a country, unchanged. */
export function withCallingCode(text: string, country: string): string {
  const code = REGIONS.find(([region]) => region === country)?.[1];
  if (code === undefined || !problemOfStart(text)) return text;
  const number = `+${code}${WITH_ZERO.includes(country) ? text.trim() : text.replace('0', '')}`;
  const digits = phoneDigits(number);
  return digits === null ? number : `+${digits}`;
}

/** Whether a number is written as it is dialled in its country, without the calling code. */
export function isNational(text: string): boolean {
  return problemOfStart(text) !== null;
}

/** Client-side validation message for a phone number; null if none. */
export function problemOfPhone(text: string): string | null {
  const start = problemOfStart(text);
  if (start) return start;
  const digits = phoneDigits(text);
  if (digits === null) return t('Enter digits only, with + before the country code.');
  const { length } = digits;
  if (length > MAX_DIGITS)
    return t('A phone number has at most {most} digits; this one has {length}.', { most: MAX_DIGITS, length });
  if (length >= MIN_DIGITS) return null;
  return /^\s*(\+|00)/.test(text)
    ? t('This number is too short.')
    : t('This number is too short. Start with the country code.');
}

function problemOfStart(text: string): string | null {
  const digits = text.replaceAll(/[^\d+]/g, '');
  return /^0[1-9]/.test(digits)
    ? t('Start with the country code instead of 0, such as {example} for Germany.', {
        example: `+49${digits.slice(1, 4)}…`,
      })
    : null;
}
