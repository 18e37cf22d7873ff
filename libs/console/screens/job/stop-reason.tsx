import type { BulkJobDetailDto, BulkJobErrorDto, PauseReasonDto } from '../../../client/generated/types.gen';
import { rich } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { explainedStop } from './explained-stop';
import { ProblemText } from './problem-text';
import { platformAnswer, stopWords } from './stop-words';

/** Why the service paused or ended the job, with the answer of the platform, if there is one. */
export function stopReason({ code, message }: PauseReasonDto | BulkJobErrorDto, { templateName }: BulkJobDetailDto) {
  const words = stopWords(code, templateName) ?? explainedStop(code);
  if (words === null) return <ProblemText code={code} message={message} />;
  const answer = platformAnswer(message);
  return (
    <>
      {words} {answer && rich('WhatsApp answered: “{answer}”', { answer: <ServiceText text={answer} /> })}
    </>
  );
}
