import { errorTitle, hasPlatformCode } from '../../api/error-title';
import { isEnglish, ServiceText } from '../../ui/error-words';
import { humanize } from '../../ui/format';

/**
 * The error of a job or a recipient: the title of its code instead of a message with codes of the platform, or of another language than that
 * of the console.
 */
export function ProblemText({ code, message }: { code: string; message: string }) {
  const title = errorTitle(code);
  const isReadable = !hasPlatformCode(message) && (isEnglish() || title === humanize(code));
  return isReadable ? <ServiceText text={message} /> : title;
}
