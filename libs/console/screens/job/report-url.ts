import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { reportLanguage } from '../../app/report-language';
import { LOCAL_TIME_ZONE } from '../send/send-options';

type Format = 'csv' | 'xlsx';

/** The formats of a report, that of the uploaded file first. */
export function reportFormats({ fileName }: Pick<BulkJobDetailDto, 'fileName'>): readonly [Format, Format] {
  return /\.(csv|txt)$/i.test(fileName ?? '') ? ['csv', 'xlsx'] : ['xlsx', 'csv'];
}

/**
 * Download URL of a job's report: the columns and the delimiter of the uploaded file, times in the time zone of this browser, words in the language of the console.
 * Authenticated by the session cookie.
 */
export function reportUrl(
  jobId: string,
  format: Format,
  filters: { status?: string; errorCode?: string } = {},
): string {
  const form = { format, layout: 'sheet', delimiter: 'sheet', timeZone: LOCAL_TIME_ZONE, language: reportLanguage() };
  return `/api/v1/messaging/bulk-jobs/${jobId}/report?${new URLSearchParams({ ...form, ...filters })}`;
}
