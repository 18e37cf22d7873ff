/** Download URL of a job's report; authenticated by the session cookie. */
export function reportUrl(
  jobId: string,
  format: 'csv' | 'xlsx',
  filters: { status?: string; errorCode?: string } = {},
): string {
  const query = new URLSearchParams({ format, ...filters });
  return `/api/v1/messaging/bulk-jobs/${jobId}/report?${query}`;
}
