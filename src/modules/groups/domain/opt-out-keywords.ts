import type { FieldFault } from '../../../kernel/domain-error';
import { problemOfText } from './plain-text';

/** Texts that opt a person out or in when they are a whole message. */
export interface OptOutKeywords {
  optOutKeywords: readonly string[];
  optInKeywords: readonly string[];
}

/** What holds for an account that has chosen none. */
export const DEFAULT_KEYWORDS: OptOutKeywords = {
  optOutKeywords: ['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  optInKeywords: ['START'],
};
/** Most keywords of one list. */
export const MAX_KEYWORDS = 50;
/** Longest keyword, in characters. */
export const KEYWORD_LENGTH = 64;

/** A longer text is no keyword with something around it. */
const MAX_TEXT = 256;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** A question is no order, so question marks stay. */
const AROUND = String.raw`(?:(?![?\u00bf\u037e\u061f])[\p{P}\p{S}\p{Z}\p{C}])+`;
const EDGES = new RegExp(`^${AROUND}|${AROUND}$`, 'gu');
/** These two hold whatever an account chooses: one word has to work everywhere. */
const ALWAYS = { out: folded('STOP'), in: folded('START') };

/** Reads what a whole message says: `out`, `in`, or null for everything that is not a keyword alone. */
export function keywordReader({
  optOutKeywords,
  optInKeywords,
}: OptOutKeywords): (text: string) => 'out' | 'in' | null {
  const outs = new Set([ALWAYS.out, ...optOutKeywords.map(folded)]);
  const ins = new Set([ALWAYS.in, ...optInKeywords.map(folded)]);
  return (text) => {
    const said = folded(text);
    if (outs.has(said)) return 'out';
    return ins.has(said) ? 'in' : null;
  };
}

/** What is wrong with the keywords that an account chooses, in field order. */
export function faultsOfKeywords({ optOutKeywords, optInKeywords }: OptOutKeywords): FieldFault[] {
  const outs = new Set([ALWAYS.out, ...optOutKeywords.map(folded)]);
  return [
    ...faultsOf('optOutKeywords', optOutKeywords, new Set([ALWAYS.in]), 'START always opts in'),
    ...faultsOf('optInKeywords', optInKeywords, outs, 'it opts out already; STOP always does'),
  ];
}

function faultsOf(list: string, keywords: readonly string[], others: Set<string>, why: string): FieldFault[] {
  const seen = new Set<string>();
  return keywords.flatMap((keyword, index): FieldFault[] => {
    const field = `${list}.${index}`;
    const fault = (code: string, problem: string): FieldFault[] => [{ field, code, message: `${field} ${problem}.` }];
    const problem = problemOfText(keyword, KEYWORD_LENGTH);
    if (problem) return fault('keyword_invalid', problem);
    const word = folded(keyword);
    if (word === '') return fault('keyword_invalid', 'must contain a letter or a digit');
    if (others.has(word)) return fault('keyword_in_both', `cannot stand in this list: ${why}`);
    if (seen.has(word))
      return fault('keyword_repeated', 'stands in the list already; case and punctuation do not count');
    seen.add(word);
    return [];
  });
}

/** What two texts that say the same have in common: no difference of case, width, blanks or punctuation around. */
function folded(text: string): string {
  if (text.length > MAX_TEXT) return '';
  const words = text.normalize('NFKC').replace(INVISIBLE, '').replace(EDGES, '').replace(/\s+/gu, ' ');
  // The Turkish letters with and without a dot are one here: upper case first makes both of one kind.
  return words.toUpperCase().replaceAll('\u0130', 'I').toLowerCase();
}
