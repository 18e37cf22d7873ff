/**
 * The columns that a stop sets on a running job, which pauses or fails. The arguments are placeholders: whether it is final, the
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
