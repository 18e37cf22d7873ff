type Forms = Intl.DateTimeFormatOptions;

const DATE: Forms = { dateStyle: 'short' };
const DAY_AND_MONTH: Forms = { day: 'numeric', month: 'numeric' };
const DAY = '2-digit';
const TIME: Forms = { timeStyle: 'short', hourCycle: 'h23' };

/** Built-in formats that spreadsheet programs display by the user's language: their numbers, and their codes, which files may also contain. */
const SHORT_FORMS: readonly (readonly [number, readonly string[], readonly Forms[]])[] = [
  [14, ['m/d/yyyy', 'm/d/yy', 'mm-dd-yy'], [DATE]],
  [15, ['d-mmm-yy'], [{ day: DAY, month: 'short', year: 'numeric' }]],
  [16, ['d-mmm'], [{ day: DAY, month: 'short' }]],
  [17, ['mmm-yy'], [{ month: 'short', year: 'numeric' }]],
  [18, ['h:mm AM/PM'], [{ timeStyle: 'short' }]],
  [19, ['h:mm:ss AM/PM'], [{ timeStyle: 'medium' }]],
  [20, ['h:mm'], [TIME]],
  [21, ['h:mm:ss'], [{ timeStyle: 'medium', hourCycle: 'h23' }]],
  [22, ['m/d/yy h:mm', 'm/d/yyyy h:mm'], [DATE, TIME]],
];
const FORMS = new Map<string | number, readonly Forms[]>(
  SHORT_FORMS.flatMap(([number, codes, forms]) => [number, ...codes].map((key) => [key, forms] as const)),
);
/** The dates and times of the operating system, which spreadsheet programs write as such. */
const SYSTEM_FORMS: readonly (readonly [RegExp, readonly Forms[]])[] = [
  [/\[\$-x?F800\]/i, [{ dateStyle: 'full' }]],
  [/\[\$-x?F400\]/i, [{ timeStyle: 'medium', hourCycle: 'h23' }]],
];
/** The language of a format, whose primary part 09 is English: its names stay English in every program. */
const ENGLISH = /\[\$[^\]-]*-[0-9a-f]*09(?:,[^\]]*)?\]/i;
/** The parts of a date format that depend on the language; quoted text, escapes and brackets are matched in order to skip them. */
const PARTS = /"[^"]*"|\\.|\[[^\]]*\]|am\/pm|a\/p|m{1,2}\/d{1,2}(?:\/(?:yyyy|yy))?|m{3,}|d{3,}|\//gi;
const QUOTED = /"[^"]*"|\\.|\[[^\]]*\]/g;
/** A private-use character for each separator in quoted text, which is no separator. */
const PROTECTED = { '.': '\ue000', ',': '\ue001' } as const;
const MS_PER_DAY = 86_400_000;
const DAY_0_OF_1900 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** The first day that spreadsheet programs do not display, 10000-01-01. */
const END_OF_DAYS = 2_958_466;
/** Programs count a 29 February 1900, which did not exist. */
const FIRST_COUNTED_RIGHT = 60;

/** Whether dates and numbers of this BCP 47 language are known. */
export function isCellLanguage(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}

/** The warning that cells were written in the language, with the first text that differs from the one by format alone. */
export function cellLanguageWarning(language: string | undefined, text: string, byFormat: string): string {
  return (
    `cell_language: Dates and numbers of cells were written as a spreadsheet program in the language ${language} shows them, such as ` +
    `"${text}" instead of "${byFormat}". To write them by their format alone, omit cellLanguage.`
  );
}

/** The forms of dates and numbers that depend on the language of a spreadsheet program. */
export class CellLanguage {
  private readonly formats = new Map<string, Intl.DateTimeFormat>();
  private readonly separators: Readonly<Record<string, string>>;
  private readonly dateSeparator: string;

  /** `language`: a BCP 47 tag for which `isCellLanguage`. */
  constructor(
    private readonly language: string,
    private readonly date1904: boolean,
  ) {
    const parts = new Intl.NumberFormat(language, { useGrouping: 'always', numberingSystem: 'latn' });
    const partOf = (type: string) => parts.formatToParts(12_345.5).find((part) => part.type === type)?.value ?? '';
    this.separators = { '.': partOf('decimal'), ',': partOf('group') };
    this.dateSeparator = this.partsOf(0, DATE).find(({ type }) => type === 'literal')?.value ?? '/';
  }

  /** The text of a date under one of the built-in or system formats; undefined: the format is another, or this is no date. */
  shortForm(value: number, format: string | number): string | undefined {
    const code = typeof format === 'string' ? format.replace(/;@$/, '').replaceAll('\\', '') : format;
    const forms = FORMS.get(code) ?? SYSTEM_FORMS.find(([system]) => system.test(String(format)))?.[1];
    if (forms === undefined || !isDay(value)) return undefined;
    return forms.map((form) => this.textOf(value, form)).join(' ');
  }

  /** The format of a date with its names and separators in the language, for this date. */
  dateCode(value: number, code: string): string {
    if (ENGLISH.test(code) || !isDay(value)) return code;
    const hasDay = /d/i.test(code.replace(QUOTED, '').replace(/d{3,}/gi, ''));
    return code.replace(PARTS, (part) => {
      if (part === '/') return quoted(this.dateSeparator);
      if (/^m+\//i.test(part)) return quoted(this.textOf(value, /y/i.test(part) ? DATE : DAY_AND_MONTH));
      if (!/^[md]+$/i.test(part)) return part;
      return quoted(this.nameOf(value, part.toLowerCase(), hasDay));
    });
  }

  /** The format of a number without separators in its quoted texts, to be given to `numberText` once it is applied. */
  numberCode(code: string): string {
    return code.replace(QUOTED, (text) => text.replace(/[.,]/g, (separator) => PROTECTED[separator as '.']));
  }

  /** A number in English form with the separators of the language. */
  numberText(english: string): string {
    return english
      .replace(/[.,]/g, (separator) => this.separators[separator]!)
      .replaceAll(PROTECTED['.'], '.')
      .replaceAll(PROTECTED[','], ',');
  }

  /** The name of a month (`mmm`) or weekday (`ddd`): short, long or, of five letters, one letter. */
  private nameOf(value: number, letters: string, hasDay: boolean): string {
    const style = letters.length === 3 ? 'short' : letters.length === 4 ? 'long' : 'narrow';
    if (letters.startsWith('d')) return this.textOf(value, { weekday: style });
    // In Slavic languages, the name of a month has another form beside a day.
    const form: Forms = { month: style, ...(hasDay && style === 'long' && { day: 'numeric' }) };
    return this.partsOf(value, form).find(({ type }) => type === 'month')?.value ?? '';
  }

  private textOf(value: number, form: Forms): string {
    return this.partsOf(value, form)
      .map(({ value: text }) => text)
      .join('');
  }

  /** Of the form in the language, with four digits of the year. */
  private partsOf(value: number, form: Forms): Intl.DateTimeFormatPart[] {
    const date = this.dateOf(value);
    return this.formatOf(form)
      .formatToParts(date)
      .map((part) => (part.type === 'year' ? { ...part, value: String(date.getUTCFullYear()) } : part));
  }

  private formatOf(form: Forms): Intl.DateTimeFormat {
    const key = JSON.stringify(form);
    const known = this.formats.get(key);
    if (known) return known;
    const western: Forms = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' };
    const format = new Intl.DateTimeFormat(this.language, { ...western, ...form });
    this.formats.set(key, format);
    return format;
  }

  /** Rounded to a second, as spreadsheet programs do. */
  private dateOf(value: number): Date {
    const days = this.date1904 || value >= FIRST_COUNTED_RIGHT ? value : value + 1;
    const dayZero = this.date1904 ? DAY_0_OF_1904 : DAY_0_OF_1900;
    return new Date(dayZero + Math.round((days * MS_PER_DAY) / 1000) * 1000);
  }
}

function isDay(value: number): boolean {
  return value >= 0 && value < END_OF_DAYS;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '')}"`;
}
