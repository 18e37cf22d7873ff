import { errorTitle, hasPlatformCode } from '../../api/error-title';
import { rich } from '../../language/translate';
import { isEnglish, ServiceText } from '../../ui/error-words';
import { humanize } from '../../ui/format';

/**
 * The error of a job or a recipient: the title of its code, as on every screen, and the message, unless it has codes of the platform or
 * another language than the console.
 */
export function ProblemText({ code, message }: { code: string; message: string }) {
  const title = errorTitle(code);
  const isReadable = !hasPlatformCode(message) && (isEnglish() || title === humanize(code));
  if (!isReadable || message === title) return title;
  return rich('{problem}: {message}', { problem: title, message: <ServiceText text={message} /> });
}
