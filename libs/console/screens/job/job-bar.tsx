import { ProgressBar } from '../../ui/progress-bar';
import type { BulkJobDto } from '../../../client/generated/types.gen';

/** The progress bar of a job. `notAttempted`: recipients counted as failed because the job ended before they were attempted. */
export function JobBar({
  job,
  notAttempted = 0,
}: {
  job: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed' | 'templateName'>;
  notAttempted?: number;
}) {
  return (
    <ProgressBar
      label={`Progress of ${job.templateName}`}
      total={job.totalRecipients}
      parts={[
        { label: 'sent', value: job.successfullySent, tone: 'active' },
        { label: 'failed', value: job.failed - notAttempted, tone: 'danger' },
        { label: 'not sent', value: notAttempted, tone: 'plain' },
      ]}
    />
  );
}
