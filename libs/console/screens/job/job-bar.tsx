import { ProgressBar } from '../../ui/progress-bar';
import type { BulkJobDto } from '../../../client/generated/types.gen';

/** How far a job is: sent and failed against all. `neverTried`: those counted as failed whose turn did not come. */
export function JobBar({
  job,
  neverTried = 0,
}: {
  job: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed' | 'templateName'>;
  neverTried?: number;
}) {
  return (
    <ProgressBar
      label={`Progress of ${job.templateName}`}
      total={job.totalRecipients}
      parts={[
        { label: 'sent', value: job.successfullySent, tone: 'active' },
        { label: 'failed', value: job.failed - neverTried, tone: 'danger' },
        { label: 'not sent', value: neverTried, tone: 'plain' },
      ]}
    />
  );
}
