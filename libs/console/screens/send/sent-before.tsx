import { useQuery } from '@tanstack/react-query';
import { getBulkJob, listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { jobTitle } from '../../app/job-title';
import { useSession } from '../../app/session';
import { validRecipients } from '../../app/valid-recipients';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { Note } from '../../ui/states';
import { Time } from '../../ui/time';

const DAY_MS = 86_400_000;
/** Jobs with the template whose files are compared. */
const MOST = 10;

interface Sent {
  fileName: string;
  templateName: string;
}

/**
 * Warns if a file of this name was used with this template within a day, as the same people would get the message again. `notReachedBy`: the
 * jobs whose people are left out already. `onLeaveOut`: leaves out those of this job.
 */
export function SentBefore({
  fileName,
  templateName,
  notReachedBy,
  onLeaveOut,
}: Sent & { notReachedBy: readonly string[]; onLeaveOut?: (jobId: string) => void }) {
  const session = useSession();
  const { data: before } = useQuery({
    queryKey: queryKeys.jobs.sentBefore(templateName, fileName),
    queryFn: ({ signal }) => largestWith({ fileName, templateName }, signal),
    enabled: session.can('jobs:read'),
  });
  if (!before || notReachedBy.includes(before.jobId)) return null;
  return (
    <Note tone="warning">
      <p>
        {rich(
          'A file with this name was used with this template {ago}, for {people, plural, one {# recipient} other {# recipients}}: {job}. People in both files get the message again.',
          {
            ago: <Time at={before.createdAt} />,
            people: validRecipients(before),
            job: <Link to={`/jobs/${before.jobId}`}>{jobTitle(before)}</Link>,
          },
        )}
      </p>
      {onLeaveOut && (
        <Button small onClick={() => onLeaveOut(before.jobId)}>
          {t('Leave these people out')}
        </Button>
      )}
    </Note>
  );
}

/** The job with the most recipients, as a later one may be a retry of a few. */
async function largestWith({ fileName, templateName }: Sent, signal: AbortSignal): Promise<BulkJobDetailDto | null> {
  const createdAfter = new Date(Date.now() - DAY_MS).toISOString();
  const query = { kind: 'Import', createdAfter, pageSize: 100 } as const;
  const { items } = await call(listBulkJobs, { query }, { signal });
  const same = items.filter((job) => job.templateName === templateName && job.status !== 'Cancelled').slice(0, MOST);
  const details = await Promise.all(same.map(({ jobId }) => call(getBulkJob, { path: { jobId } }, { signal })));
  const [largest = null] = details
    .filter((job) => job.fileName === fileName)
    .sort((one, other) => validRecipients(other) - validRecipients(one));
  return largest;
}
