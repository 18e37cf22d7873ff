import texts from './explanations.json';

/** What a message or recipient error code means and how to fix it, in sentences for users. */
export interface Explanation {
  when: string;
  remedy: string;
}

/** All error codes of messages and recipients, sorted by name. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(texts);

/** The explanation of a code; null for a code that only a newer service defines. */
export function explanationOf(code: string): Explanation | null {
  return (texts as Record<string, Explanation | undefined>)[code] ?? null;
}
