import { asMessagingError } from '../api/call';
import { locale, t } from '../language/translate';

/** What a person can do about errors that their status does not explain. */
const REMEDIES: Readonly<Record<string, string>> = {
  account_suspended: t('The operator of the service suspended this account. Ask them to activate it.'),
  beyond_own_key: t('This would exceed your own API key. Stay within its scopes, expiry and addresses.'),
  console_needs_tls: t('Open the console over HTTPS or, on the machine of the service, as http://localhost.'),
  cross_site_request: t('Open the console at its own address, in a current browser.'),
};

/**
 * The message of an error. The service writes English: in another language, a sentence on what to do comes first. For
 * errors of fields see FieldProblem.
 */
export function ErrorWords({ error }: { error: unknown }) {
  const { message } = asMessagingError(error);
  const sentence = sentenceOf(error);
  if (sentence === null) return message;
  return (
    <>
      {sentence} <ServiceText text={message} />
    </>
  );
}

/** The same in the language of the console only, for places without room: the message, or the sentence on what to do. */
export function errorSummary(error: unknown): string {
  return sentenceOf(error) ?? asMessagingError(error).message;
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

/** What a person can do about an error; null if its own message is in the language of the console. */
function sentenceOf(error: unknown): string | null {
  const { code, statusCode } = asMessagingError(error);
  // Without an answer, the console itself wrote the message.
  if (isEnglish() || statusCode === 0) return null;
  if (REMEDIES[code]) return REMEDIES[code];
  if (statusCode === 401 || statusCode === 403) return t('Your API key does not allow this.');
  if (statusCode === 404) return t('This does not exist, or no longer.');
  if (statusCode === 409) return t('This is not possible in the current state. Reload the page and look again.');
  if (statusCode === 429) return t('There were too many requests. Wait a moment and try again.');
  if (statusCode >= 500) return t('The service is in trouble. Try again later.');
  return t('The service does not accept this. Check what you entered.');
}
