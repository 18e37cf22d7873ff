import { explanationOf, firstSentence, plainText } from '../../api/explanations';

/** What a problem of the platform means that stopped a job, and what to do; null for a code without an explanation. */
export function explainedStop(code: string): string | null {
  const explanation = explanationOf(code);
  return explanation && [firstSentence(explanation.when), plainText(explanation.remedy)].join(' ');
}
