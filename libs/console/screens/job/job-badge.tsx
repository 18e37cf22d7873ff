import { Badge, toneOf } from '../../ui/badge';
import { type CountedJob, isWithoutSuccess, jobWord } from './job-outcome';

/** The status of a job; one that is complete without reaching anybody does not look like a success. */
export function JobBadge({ job }: { job: CountedJob }) {
  return <Badge tone={isWithoutSuccess(job) ? 'danger' : toneOf(job.status)}>{jobWord(job)}</Badge>;
}
