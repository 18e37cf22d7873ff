import { jobTitle } from '../../app/job-title';
import { t } from '../../language/translate';
import { ProgressBar } from '../../ui/progress-bar';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import { failedOf, hasBegun } from './use-job';

/** The progress bar of a job. `notAttempted`: recipients counted as failed because the job ended before they were attempted. */
export function JobBar({
  job,
  notAttempted = 0,
}: {
  job: Pick<
    BulkJobDto,
    'status' | 'startedAt' | 'totalRecipients' | 'successfullySent' | 'failed' | 'skipped' | 'name' | 'templateName'
  >;
  notAttempted?: number;
}) {
  return (
    <ProgressBar
      label={t('Progress of {job}', { job: jobTitle(job) })}
      total={job.totalRecipients}
      parts={
        hasBegun(job)
          ? [
              { label: t('sent'), value: job.successfullySent, tone: 'active' },
              { label: t('failed'), value: failedOf(job, notAttempted), tone: 'danger' },
              { label: t('opted out'), value: job.skipped ?? 0, tone: 'plain' },
              { label: t('not sent'), value: notAttempted, tone: 'plain' },
            ]
          : []
      }
    />
  );
}
