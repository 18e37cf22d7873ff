import { asMessagingError } from '../api/call';
import { locale, t } from '../language/translate';
import { REMEDIES, TRANSLATIONS } from './error-remedies';

/** Errors whose message repeats the sentence, names no reason of the service, or is that of their fields. */
const ADDS_NOTHING = /_not_found$|^(?:rate_limited|unexpected_answer|validation_failed)$/;

/**
 * What went wrong, in the language of the console if it has a sentence for the code; otherwise the message of the service, which is
 * English: in another language, a sentence on what to do comes first. For errors of fields see FieldProblem.
 */
export function ErrorWords({ error }: { error: unknown }) {
  const { code, message } = asMessagingError(error);
  const words = wordsOf(error);
  if (words) return words;
  const remedy = remedyOf(error);
  if (remedy === null) return message;
  if (ADDS_NOTHING.test(code)) return remedy;
  return (
    <>
      {remedy} <ServiceText text={message} />
    </>
  );
}

/** The same in the language of the console only, for places without room. */
export function errorSummary(error: unknown): string {
  return wordsOf(error) ?? remedyOf(error) ?? asMessagingError(error).message;
}

/** The sentence for the code of an error, in place of its message. */
function wordsOf(error: unknown): string | undefined {
  const { code } = asMessagingError(error);
  return REMEDIES[code] ?? (isEnglish() ? undefined : TRANSLATIONS[code]);
}

/** A text that the service or the platform wrote, in English. */
export function ServiceText({ text }: { text: string }) {
  return isEnglish() ? text : <span lang="en">{text}</span>;
}

/** A list of such texts, such as the warnings of a check. */
export function ServiceTexts({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <ServiceText text={text} />
        </li>
      ))}
    </ul>
  );
}

/** Whether the console is in English. */
export function isEnglish(): boolean {
  return locale().split('-')[0] === 'en';
}

/** What a person can do about errors of this status; null if the message is in the language of the console. */
function remedyOf(error: unknown): string | null {
  const { statusCode } = asMessagingError(error);
  // Without an answer, the console itself wrote the message.
  if (isEnglish() || statusCode === 0) return null;
  if (statusCode === 401 || statusCode === 403) return t('Your API key does not allow this.');
  if (statusCode === 404) return t('This does not exist, or no longer.');
  if (statusCode === 409) return t('This is not possible in the current state. Reload the page and look again.');
  if (statusCode === 429) return t('There were too many requests. Wait a moment and try again.');
  if (statusCode >= 500) return t('The service is in trouble. Try again later.');
  return t('The service does not accept this. Check what you entered.');
}
