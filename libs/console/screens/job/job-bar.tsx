import { ProgressBar } from '../../ui/progress-bar';
import type { BulkJobDto } from '../../../client/generated/types.gen';

/** How far a job is: sent and failed against all. */
export function JobBar({
  job,
}: {
  job: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed' | 'templateName'>;
}) {
  return (
    <ProgressBar
      label={`Progress of ${job.templateName}`}
      total={job.totalRecipients}
      parts={[
        { label: 'sent', value: job.successfullySent, tone: 'active' },
        { label: 'failed', value: job.failed, tone: 'danger' },
      ]}
    />
  );
}
