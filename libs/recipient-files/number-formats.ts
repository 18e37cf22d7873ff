import { CellLanguage, cellLanguageWarning } from './cell-language';
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
  private readonly language: CellLanguage | undefined;
  private firstLocal: { text: string; english: string } | undefined;

  /**
   * `date1904`: day 0 is 1904-01-01, as in files of old Macintosh programs. `language`: of the program, as BCP 47; absent: what depends on it is
   * in English.
   */
  constructor(
    readonly date1904: boolean,
    private readonly languageTag?: string,
  ) {
    if (languageTag !== undefined) this.language = new CellLanguage(languageTag, date1904);
  }

  /**
   * The text of `value` under a format: a code, the number of a built-in one, or none for "General". An integer is
   * written out in full even where a narrow column would round it to 1.23E+12.
   */
  text(value: number, format?: string | number): string {
    const text = this.textIn(this.language, value, format);
    // Plain digits, such as those of phone numbers, are the same in every language.
    if (this.language !== undefined && this.firstLocal === undefined && text !== String(value)) {
      const english = this.textIn(undefined, value, format);
      if (english !== text) this.firstLocal = { text, english };
    }
    return text;
  }

  /** The warning that texts depend on the language that was given, with the first of them. */
  warnings(): string[] {
    if (this.firstLocal === undefined) return [];
    const { text, english } = this.firstLocal;
    return [cellLanguageWarning(this.languageTag, text, english)];
  }

  private textIn(language: CellLanguage | undefined, value: number, format?: string | number): string {
    if (format === undefined || format === 0 || format === TEXT || format === '@' || format === 'General') {
      return this.general(language, value);
    }
    const short = language?.shortForm(value, format);
    if (short !== undefined) return short;
    const code = format === SHORT_DATE ? SHORT_DATE_CODE : format;
    if (typeof code === 'string' && code.length > MAX_CODE_LENGTH) return this.general(language, value);
    try {
      // 1.005 is stored as slightly less but displayed as 1.01, as spreadsheet programs round the decimal value.
      const rounded = Number.isInteger(value) ? value : value * (1 + 1e-15);
      const textOf = (applied: string | number) =>
        sheetJs().SSF.format(typeof applied === 'string' ? forSheetJs(applied) : applied, rounded, {
          date1904: this.date1904,
        });
      if (language === undefined) return textOf(code);
      if (typeof code === 'number') return language.numberText(textOf(code));
      return isDateCode(code)
        ? textOf(language.dateCode(value, code))
        : language.numberText(textOf(language.numberCode(code)));
    } catch {
      // An invalid format code, which spreadsheet programs do not write.
      return this.general(language, value);
    }
  }

  private general(language: CellLanguage | undefined, value: number): string {
    if (Number.isInteger(value) && Math.abs(value) < EXACT_INTEGERS_BELOW) return String(value);
    const english = sheetJs().SSF.format('General', value);
    return language?.numberText(english) ?? english;
  }
}

function isDateCode(code: string): boolean {
  return DATE_LETTERS.test(code.replace(QUOTED, ''));
}

/** Works around SheetJS, which reads language tags as currencies and misreads the dots of dd.mm.yyyy. */
function forSheetJs(code: string): string {
  const plain = code.replace(LOCALE_TAGS, '');
  if (!isDateCode(plain)) return plain;
  return plain.replace(DOTS_OF_DATES, (dot, quoted: string | undefined) => quoted ?? `\\${dot}`);
}
