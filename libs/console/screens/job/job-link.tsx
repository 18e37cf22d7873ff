import { useQuery } from '@tanstack/react-query';
import { jobTitle } from '../../app/job-title';
import { t } from '../../language/translate';
import { Link } from '../../ui/link';
import { jobQuery } from './job-query';

/** A link to a job by its name; until the job is loaded, and if it has been deleted, “Open job”. */
export function JobLink({ jobId }: { jobId: string }) {
  const { data } = useQuery({ ...jobQuery(jobId), retry: false });
  return (
    <Link to={`/jobs/${jobId}`}>
      <bdi>{data ? jobTitle(data) : t('Open job')}</bdi>
    </Link>
  );
}
