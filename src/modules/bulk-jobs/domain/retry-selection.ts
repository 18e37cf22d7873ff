/** Which recipients are retried: failed and cancelled, undelivered, with an unknown outcome, or all of these. */
export const RETRY_SCOPES = ['failed', 'undelivered', 'unknown', 'all'] as const;
export type RetryScope = (typeof RETRY_SCOPES)[number];

/** Which recipients of a job are retried. */
export interface RetrySelection {
  retryOf: string;
  scope: RetryScope;
  /** Only recipients with one of these codes; empty: any code. */
  errorCodes: readonly string[];
  /** Other retries whose reached people are left out; null: nobody is left out for that reason. */
  without: readonly string[] | null;
}

/** Another retry of the same job. Null, from early versions: its selection is unknown. */
export interface EarlierRetry {
  jobId: string;
  scope: RetryScope | null;
  errorCodes: readonly string[] | null;
}

/** A warning with the id of the first retry whose selection overlaps; none if no selection does. */
export function repeatedRetryWarnings(selection: RetrySelection, earlier: readonly EarlierRetry[]): string[] {
  const repeated = earlier.find((one) => !selection.without?.includes(one.jobId) && overlaps(selection, one));
  if (!repeated) return [];
  return [
    `already_retried: job ${repeated.jobId} already retries some of these recipients, who may receive the message twice. ` +
      `Unless that is intended, cancel one of the two, or retry with skipRetried; an Idempotency-Key prevents a second job from a repeated request.`,
  ];
}

function overlaps({ scope, errorCodes }: RetrySelection, earlier: EarlierRetry): boolean {
  const isSameScope = earlier.scope === null || [scope, 'all'].includes(earlier.scope) || scope === 'all';
  const earlierCodes = earlier.errorCodes ?? [];
  const isSameCode = [errorCodes.length, earlierCodes.length].includes(0);
  return isSameScope && (isSameCode || errorCodes.some((code) => earlierCodes.includes(code)));
}
