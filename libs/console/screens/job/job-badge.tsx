import { StateBadge } from '../../app/state-badge';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { isWithoutSuccess } from './use-job';

/** The status of a job; one that is complete without reaching anybody does not look like a success. */
export function JobBadge({ job }: { job: Parameters<typeof isWithoutSuccess>[0] }) {
  if (isWithoutSuccess(job)) return <Badge tone="danger">{t('All failed')}</Badge>;
  return <StateBadge state={job.status} />;
}
