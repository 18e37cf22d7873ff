import { locale, t } from '../../language/translate';
import { timeOfDay } from '../format';

const TOMORROW_MS = 24 * 3_600_000;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2})?$/;
/** How much text around a placeholder suggests what it stands for. */
const NEAR = 24;
const GREETINGS = 'hi|hey|hello|dear|hallo|liebe[rs]?|guten tag|moin|hola|bonjour|ciao';
const GREETING = new RegExp(`(?:${GREETINGS})$`);

/** What words beside a placeholder tell about it: those before it, those after it, and a sample. */
const KINDS: readonly { before: RegExp; after?: RegExp; sample: (language: string) => string }[] = [
  {
    before: new RegExp(`(?:name|customer|kund\\w*|${GREETINGS})$`),
    sample: () => t('Mira', {}, 'name in a sample message'),
  },
  {
    before: /(?:price|amount|total|sum|preis|betrag|summe|€|\$|£)$/,
    after: /^(?:€|eur|usd|chf|euro|dollar)/,
    sample: (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(49.9),
  },
  {
    before: /(?:time|starts at|clock|uhrzeit|um|at)$/,
    after: /^(?:uhr|h\b|am\b|pm\b|o'clock)/,
    sample: () => timeOfDay(new Date(0, 0, 1, 9, 30)),
  },
  {
    before:
      /(?:order|parcel|package|shipment|invoice|booking|number|no|nr|code|reference|bestell\w*|paket|sendung|rechnung|buchung|nummer)$/,
    sample: () => 'A-1042',
  },
  {
    before: /(?:date|day|on|until|by|datum|tag|am|bis)$/,
    sample: (language) =>
      new Intl.DateTimeFormat(language, { weekday: 'long' }).format(new Date(Date.now() + TOMORROW_MS)),
  },
  { before: /(?:city|town|store|shop|stadt|filiale|laden)$/, sample: () => 'Berlin' },
];

/** A sample for the placeholder `name` between these texts of a template in `language`; without a telling word, its name. */
export function sampleOf(name: string, before: string, after: string, language = ''): string {
  const isNamed = !/^\d+$/.test(name);
  const told = isNamed ? plain(name) : plain(before.slice(-NEAR));
  const next = isNamed ? '' : plain(after.slice(0, NEAR));
  const kind = KINDS.find((one) => word(told, one.before) || one.after?.test(next));
  // While it is typed, the language of a template may be none.
  if (kind) return kind.sample(LANGUAGE.test(language) ? language.replace('_', '-') : locale());
  return isNamed ? plain(name) : t('Sample {number}', { number: name });
}

/** Whether a placeholder after this text stands for the name of the person. */
export function endsWithGreeting(before: string): boolean {
  return word(plain(before.slice(-NEAR)), GREETING);
}

/** Whether the text ends with a whole word of the kind. */
function word(text: string, words: RegExp): boolean {
  const found = words.exec(text);
  return found !== null && !/\p{L}/u.test(text.charAt(found.index - 1));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[_*~:#“”"„().,!]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
