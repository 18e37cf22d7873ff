import texts from './explanations.json';

/** What a code of a message or a recipient means, and what to do about it: sentences for people. */
export interface Explanation {
  when: string;
  remedy: string;
}

/** All codes that a message or a recipient can have, by name. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(texts);

/** The explanation of a code; `null` for one that a newer service made up. */
export function explanationOf(code: string): Explanation | null {
  return (texts as Record<string, Explanation | undefined>)[code] ?? null;
}
