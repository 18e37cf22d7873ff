/**
 * What a stop writes into a job that runs: paused, or failed for good. The numbers of the parameters: whether for good, the
 * code, and the reason for people.
 */
export function stopped(final: string, problem: string, reason: string): string {
  const whenPaused = (value: string) => `CASE WHEN NOT ${final}::boolean THEN ${value} END`;
  return `status = CASE WHEN ${final}::boolean THEN 'Failed' ELSE 'Paused' END, updated_at = now(),
  pause_reason = ${whenPaused(`${reason}::text`)}, pause_problem = ${whenPaused(`${problem}::text`)},
  paused_at = ${whenPaused('clock_timestamp()')},
  error_code = CASE WHEN ${final}::boolean THEN ${problem}::text END,
  error_message = CASE WHEN ${final}::boolean THEN ${reason}::text END`;
}
