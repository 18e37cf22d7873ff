import { sheetJs } from './sheetjs';

/** Built-in format that Excel displays by the user's locale; formatted as in the United States. */
const SHORT_DATE = 14;
const SHORT_DATE_CODE = 'm/d/yyyy';
const TEXT = 49;
const MAX_CODE_LENGTH = 255;
const EXACT_INTEGERS_BELOW = 1e15;
const LOCALE_TAGS = /\[\$-[^\]]*\]/g;
const QUOTED = /"[^"]*"|\\.|\[[^\]]*\]/g;
const DATE_LETTERS = /[dmyhs]/i;
/** Matches quoted text, escapes and brackets in order to skip them; a dot before a zero belongs to fractions of seconds. */
const DOTS_OF_DATES = /("[^"]*"|\\.|\[[^\]]*\])|\.(?!0)/g;

/** Formats stored numbers the way a spreadsheet program displays them. */
export class NumberFormats {
  /** `date1904`: day 0 is 1904-01-01, as in files of old Macintosh programs. */
  constructor(readonly date1904: boolean) {}

  /**
   * The text of `value` under a format: a code, the number of a built-in one, or none for "General". An integer is
   * written out in full even where a narrow column would round it to 1.23E+12.
   */
  text(value: number, format?: string | number): string {
    if (format === undefined || format === 0 || format === TEXT || format === '@' || format === 'General') {
      return this.general(value);
    }
    const code = format === SHORT_DATE ? SHORT_DATE_CODE : format;
    if (typeof code === 'string' && code.length > MAX_CODE_LENGTH) return this.general(value);
    try {
      // 1.005 is stored as slightly less but displayed as 1.01, as spreadsheet programs round the decimal value.
      const rounded = Number.isInteger(value) ? value : value * (1 + 1e-15);
      return sheetJs().SSF.format(typeof code === 'string' ? forSheetJs(code) : code, rounded, {
        date1904: this.date1904,
      });
    } catch {
      // An invalid format code, which spreadsheet programs do not write.
      return this.general(value);
    }
  }

  private general(value: number): string {
    if (Number.isInteger(value) && Math.abs(value) < EXACT_INTEGERS_BELOW) return String(value);
    return sheetJs().SSF.format('General', value);
  }
}

/** Works around SheetJS, which reads language tags as currencies and misreads the dots of dd.mm.yyyy. */
function forSheetJs(code: string): string {
  const plain = code.replace(LOCALE_TAGS, '');
  if (!DATE_LETTERS.test(plain.replace(QUOTED, ''))) return plain;
  return plain.replace(DOTS_OF_DATES, (dot, quoted: string | undefined) => quoted ?? `\\${dot}`);
}
