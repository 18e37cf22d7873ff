import { errorTitle } from '../../api/error-title';
import { ServiceText } from '../../ui/error-words';
import { humanize } from '../../ui/format';

/** The error of a job or a recipient: the title of its code or, if the language of the console has none, the message of the service. */
export function ProblemText({ code, message }: { code: string; message: string }) {
  const title = errorTitle(code);
  return title === humanize(code) ? <ServiceText text={message} /> : title;
}
