import { t } from '../language/translate';
import texts from './explanations.json';

/** What a message or recipient error code means and how to fix it, in sentences for users. */
export interface Explanation {
  when: string;
  remedy: string;
}

/** Remedies for people who use the console; those of the API name its fields and headers. */
const REMEDIES: Readonly<Record<string, () => string>> = {
  extras_invalid: () => t('Correct what the error names, then send it again.'),
  parameter_invalid: () => t('Correct the value that the error names, then send it again.'),
  platform_rejected: () =>
    t('Correct what the error names, then send it again. If that is unclear, report it to the operator.'),
  sender_deleted: () =>
    t(
      'Send from another sender: cancel the job and retry it from there; in a conversation, send a template. If there is none, ask the operator of the service to give the account one.',
    ),
  offer_expired: () => t('Send it again with an offer that ends later.'),
};

/** All error codes of messages and recipients, sorted by name. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(texts);

/** A text without the marks of code. */
export function plainText(text: string): string {
  return text.replaceAll('`', '');
}

/** The explanation of a code, in the language of the console; null for a code that only a newer service defines. */
export function explanationOf(code: string): Explanation | null {
  const found = (texts as Record<string, Explanation | undefined>)[code];
  return found ? { when: t(found.when), remedy: REMEDIES[code]?.() ?? t(found.remedy) } : null;
}
