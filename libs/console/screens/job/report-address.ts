/** Where the report of a job is downloaded; the browser asks for it with the cookie of the session. */
export function reportAddress(
  jobId: string,
  format: 'csv' | 'xlsx',
  filters: { status?: string; errorCode?: string } = {},
): string {
  const query = new URLSearchParams({ format, ...filters });
  return `/api/v1/messaging/bulk-jobs/${jobId}/report?${query}`;
}
