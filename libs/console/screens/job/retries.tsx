import { jobTitle } from '../../app/job-title';
import { STATE_WORDS } from '../../app/states';
import { rich, t } from '../../language/translate';
import { Link } from '../../ui/link';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto, BulkJobDto } from '../../../client/generated/types.gen';
import { useJobList } from '../jobs/use-job-list';
import { notReached } from './job-outcome';

/** The retries of a job, with links and what became of them; renders nothing if there are none. */
export function Retries({ job }: { job: BulkJobDetailDto }) {
  const { data } = useJobList({ retryOf: job.jobId });
  return data?.items.map((retry) => (
    <p key={retry.jobId}>
      {rich('Retried in {job}: {outcome}', {
        job: (
          <Link to={`/jobs/${retry.jobId}`}>
            <bdi>{jobTitle(retry)}</bdi>
          </Link>
        ),
        outcome: outcomeOf(retry),
      })}
    </p>
  ));
}

function outcomeOf(retry: BulkJobDto): string {
  if (!isOver(retry)) return STATE_WORDS[retry.status];
  return t('{lost, number} of {total, number} not reached', { lost: notReached(retry), total: retry.totalRecipients });
}
