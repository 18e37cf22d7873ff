import { t } from '../language/translate';
import texts from './explanations.json';

/** What a message or recipient error code means and how to fix it, in sentences for users. */
export interface Explanation {
  when: string;
  /** The cause as the service words it in English: its messages that say no more begin with it. */
  original: string;
  remedy: string;
}

/** Remedies for people who use the console; those of the API name its fields and headers. */
const REMEDIES: Readonly<Record<string, () => string>> = {
  extras_invalid: () => t('Correct what the error names, then send it again.'),
  opted_out: () =>
    t('Wait until the person sends START, or opt them in again under “Opt-outs”, only at their request.'),
  parameter_invalid: () => t('Correct the value that the error names, then send it again.'),
  parameter_missing: () => t('Fill in the value, then send it again.'),
  platform_rejected: () =>
    t('Correct what the error names, then send it again. If that is unclear, report it to the operator.'),
  sender_deleted: () =>
    t(
      'Send from another sender: cancel the job and retry it from there; in a conversation, send a template. If there is none, ask the operator of the service to give the account one.',
    ),
  offer_expired: () => t('Send it again with an offer that ends later.'),
};

const AGAIN = () => t('Send again later.');
const ONCE_IT_WORKS = () => t('Send again once WhatsApp works again.');

/** Remedies of what the service retries by itself, once it has given up. */
const FINAL_REMEDIES: Readonly<Record<string, () => string>> = {
  account_in_maintenance: ONCE_IT_WORKS,
  account_rate_limited: AGAIN,
  app_rate_limited: AGAIN,
  flow_throttled: AGAIN,
  management_rate_limited: AGAIN,
  pair_rate_limited: () => t('Try again later, and send this person fewer messages in a short time.'),
  platform_fault: ONCE_IT_WORKS,
  platform_overloaded: ONCE_IT_WORKS,
  platform_rate_limited: AGAIN,
  template_misclassified: () =>
    t(
      'Correct the categories of the templates in WhatsApp Manager, and send again once WhatsApp has lifted the limit.',
    ),
  template_still_syncing: () =>
    t(
      'Send again in ten minutes. WhatsApp can take that long to prepare a template that is new or has not been used for a week.',
    ),
  throughput_exceeded: AGAIN,
};

/** All error codes of messages and recipients, sorted by name. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(texts);

/** An explanation of the service in the words of the console, whose platform is WhatsApp. */
export function inConsoleWords(text: string): string {
  return text.replace(/\b(?:the (?!platform code))?platform\b/gi, 'WhatsApp');
}

/** The first cause of a code: the others are rarer, or say the same in other words. */
export function firstSentence(text: string): string {
  return text.split(/(?<=\p{L}{2}\.) (?=\p{Lu})/u)[0]!;
}

/** A text without the marks of code. */
export function plainText(text: string): string {
  return text.replaceAll('`', '');
}

/**
 * The explanation of a code, in the language of the console; null for a code that only a newer service defines. `isFinal`: the service
 * no longer retries.
 */
export function explanationOf(code: string, isFinal = true): Explanation | null {
  const found = (texts as Record<string, Omit<Explanation, 'original'> | undefined>)[code];
  if (!found) return null;
  const remedy = REMEDIES[code] ?? (isFinal ? FINAL_REMEDIES[code] : undefined);
  const [when, usual] = [inConsoleWords(found.when), inConsoleWords(found.remedy)];
  return { when: t(when), original: found.when, remedy: remedy?.() ?? t(usual) };
}
