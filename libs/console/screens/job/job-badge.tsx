import { StateBadge } from '../../app/state-badge';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { type CountedJob, isWithoutSuccess } from './job-counts';

/** The status of a job; one that is complete without reaching anybody does not look like a success. */
export function JobBadge({ job }: { job: CountedJob }) {
  if (isWithoutSuccess(job)) return <Badge tone="danger">{t('None reached')}</Badge>;
  return <StateBadge state={job.status} />;
}
