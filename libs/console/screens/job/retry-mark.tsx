import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { jobQuery } from './job-query';

/** Marks a retry in a list, where it has the name of the job that it repeats. */
export function RetryMark({ jobId }: { jobId: string }) {
  // Lists do not say of which job one is a retry, and that never changes.
  const { data } = useQuery({ ...jobQuery(jobId), retry: false, staleTime: Infinity, refetchOnWindowFocus: false });
  return data?.retryOf ? <Badge tone="plain">{t('Retry', {}, 'a job')}</Badge> : null;
}
