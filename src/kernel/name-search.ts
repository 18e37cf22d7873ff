import { foldText, wordsOf } from './folded-text';

/** Escaped: bundles are read as ASCII, and esbuild does not escape patterns. */
const UMLAUTS = /[\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc]/g;
/** `ue` is no `ü` in Bauer, Neuer and Quer. */
const TWO_LETTERS = /ae|oe|(?<![aeq])ue/g;
const ONE_LETTER = /[aou](?!e)/g;
const NO_LETTERS = /[^\p{L}\p{N}]+/u;
/** With more, a text would have more than sixteen short forms; it is searched as it is. */
const MOST_TWO_LETTERS = 4;
const MOST_ONE_LETTERS = 10;
/** A shorter text would find every name that begins with two letters. */
const SHORTEST = 4;

type Words = readonly string[];

/** One way to write the words. */
interface Way {
  readonly text: string;
  /** Without hyphens and apostrophes. */
  readonly parts: Words;
}

/**
 * A search for words of names, without regard to case, to accents and to the way umlauts are written: `müller` and `mueller` find Müller and
 * Mueller, and `muller` finds also Muller. At most one of several letters without an umlaut is taken for one.
 */
export class NameSearch {
  private readonly ways: readonly Way[];
  private readonly isRespelled: boolean;

  constructor(text: string) {
    const words = wordsOf(text);
    const long = wordsOf(withTwoLetters(text));
    this.isRespelled =
      words.some((word) => word.length >= SHORTEST) && placesOf(TWO_LETTERS, long.join(' ')).length <= MOST_TWO_LETTERS;
    const others = long.join(' ') === words.join(' ') ? longerForms(words) : [long];
    this.ways = (this.isRespelled ? [words, ...others] : [words]).map((way) => {
      return { text: way.join(' '), parts: way.flatMap((word) => word.split(NO_LETTERS)).filter(Boolean) };
    });
  }

  /** Whether the names of a person contain the words in the given order, or begin with each in any order, numbers whole: `zoë müller` finds Müller, Zoë. */
  matches(names: readonly (string | null)[]): boolean {
    const name = names.filter((one) => one !== null).join(' ');
    const folded = foldText(name);
    if (this.isIn(folded)) return true;
    const long = this.isRespelled ? foldText(withTwoLetters(name)) : folded;
    return long !== folded && this.isIn(long);
  }

  /** The ways to write the words in names without accents: each match has all words of one, in part. */
  get unaccented(): readonly Words[] {
    const texts = this.ways.map(({ text }) => text);
    return [...new Set(this.isRespelled ? texts.flatMap(shorterForms) : texts)].map((text) => text.split(' '));
  }

  private isIn(folded: string): boolean {
    if (this.ways.some(({ text }) => folded.includes(text))) return true;
    const beginnings = folded.split(NO_LETTERS);
    return this.ways.some(({ parts }) => parts.length > 1 && parts.every((part) => isBeginning(part, beginnings)));
  }
}

function withTwoLetters(text: string): string {
  return text.normalize('NFC').replace(UMLAUTS, (letter) => `${foldText(letter)}e`);
}

function placesOf(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

/** Each one letter of the words that may be an umlaut, in two: `muller` as `mueller`. */
function longerForms(words: Words): Words[] {
  const text = words.join(' ');
  const places = placesOf(ONE_LETTER, text);
  if (places.length > MOST_ONE_LETTERS || placesOf(TWO_LETTERS, text).length > 0) return [];
  return places.map((place) => `${text.slice(0, place + 1)}e${text.slice(place + 1)}`.split(' '));
}

/** The text with any of its two letters in one: `mueller` as `mueller` and `muller`. */
function shorterForms(text: string): string[] {
  return placesOf(TWO_LETTERS, text).reduceRight(
    (forms, place) => forms.flatMap((form) => [form, form.slice(0, place + 1) + form.slice(place + 2)]),
    [text],
  );
}

function isBeginning(part: string, words: Words): boolean {
  return /^\d+$/.test(part) ? words.includes(part) : words.some((word) => word.startsWith(part));
}
