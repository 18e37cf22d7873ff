import type { FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';
import { problemOfText } from './plain-text';

/** Texts that opt a person out or in if they are the whole message. */
export interface OptOutKeywords {
  optOutKeywords: readonly string[];
  optInKeywords: readonly string[];
}

/** The keywords of accounts without their own. */
export const DEFAULT_KEYWORDS: OptOutKeywords = {
  optOutKeywords: ['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  optInKeywords: ['START'],
};
/** Labels of buttons that opt out of marketing for every account: those of the platform's own templates. */
const OPT_OUT_BUTTONS: readonly string[] = [
  'Stop promotions',
  'Unsubscribe from promos',
  'Unsubscribe from promotions',
  'Unsubscribe from all',
];
/** Maximum number of keywords in a list. */
export const MAX_KEYWORDS = 50;
/** Maximum length of a keyword, in characters. */
export const KEYWORD_LENGTH = 64;

/** Longer texts are not compared with keywords. */
const MAX_TEXT = 256;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Spaces and punctuation, except question marks: a question is not an instruction. */
const SURROUNDING = String.raw`(?:(?![?\u00bf\u037e\u061f])[\p{P}\p{S}\p{Z}\p{C}])+`;
const EDGES = new RegExp(`^${SURROUNDING}|${SURROUNDING}$`, 'gu');
/** Opt-out keywords of every account: STOP, and what people write instead in other languages: no word that can answer a question. */
export const ALWAYS_OUT_KEYWORDS: readonly string[] = [
  ...['STOP', 'STOPALL', 'STOPP', 'ABMELDEN', 'ABBESTELLEN', 'AUSTRAGEN'],
  ...['ARRET', 'ARRÊT', 'DESABONNER', 'DÉSABONNER', 'DESINSCRIRE', 'DÉSINSCRIRE', 'BAJA', 'PARAR'],
];
const ALWAYS_OUT = ALWAYS_OUT_KEYWORDS.map(normalise);
/** Opt-in keyword of every account. */
const ALWAYS_IN = normalise('START');

/** Returns a function that reads a whole message: `out`, `in`, or null if it is not just a keyword. */
export function keywordReader({
  optOutKeywords,
  optInKeywords,
}: OptOutKeywords): (text: string) => 'out' | 'in' | null {
  const outs = optOutWords(optOutKeywords);
  const ins = new Set([ALWAYS_IN, ...optInKeywords.map(normalise)]);
  return (text) => {
    const keyword = normalise(text);
    if (outs.has(keyword)) return 'out';
    return ins.has(keyword) ? 'in' : null;
  };
}

/** Returns a predicate for labels and payloads of Marketing buttons that opt out: keywords and OPT_OUT_BUTTONS. */
export function buttonReader({ optOutKeywords }: OptOutKeywords): (text: string) => boolean {
  const outs = optOutWords([...OPT_OUT_BUTTONS, ...optOutKeywords]);
  return (text) => outs.has(normalise(text));
}

/** The errors of an account's keywords, in field order. */
export function errorsOfKeywords({ optOutKeywords, optInKeywords }: OptOutKeywords): FieldError[] {
  const outs = optOutWords(optOutKeywords);
  return [
    ...errorsOf('optOutKeywords', optOutKeywords, new Set([ALWAYS_IN]), 'START always opts in'),
    ...errorsOf('optInKeywords', optInKeywords, outs, 'it is an opt-out keyword of this list or of every account'),
  ];
}

/** Normalised texts that opt out, with those of every account. */
function optOutWords(own: readonly string[]): Set<string> {
  return new Set([...ALWAYS_OUT, ...own.map(normalise)]);
}

function errorsOf(list: string, keywords: readonly string[], others: Set<string>, why: string): FieldError[] {
  const seen = new Set<string>();
  return keywords.flatMap((keyword, index): FieldError[] => {
    const field = `${list}.${index}`;
    const error = (code: FieldCode, problem: string): FieldError[] => [
      { field, code, message: `${field} ${problem}.` },
    ];
    const problem = problemOfText(keyword, KEYWORD_LENGTH);
    if (problem) return error('keyword_invalid', problem);
    const word = normalise(keyword);
    if (word === '') return error('keyword_invalid', 'must contain a letter or a digit');
    if (others.has(word)) return error('keyword_in_both', `must not be in this list: ${why}`);
    if (seen.has(word)) return error('keyword_repeated', 'is already in the list; case and punctuation are ignored');
    seen.add(word);
    return [];
  });
}

/** Normalises a text for comparison: case, width, spaces and surrounding punctuation are ignored. */
function normalise(text: string): string {
  if (text.length > MAX_TEXT) return '';
  const words = text.normalize('NFKC').replace(INVISIBLE, '').replace(EDGES, '').replace(/\s+/gu, ' ');
  // Upper case first, so that the Turkish letters i with and without a dot become equal.
  return words.toUpperCase().replaceAll('\u0130', 'I').toLowerCase();
}
