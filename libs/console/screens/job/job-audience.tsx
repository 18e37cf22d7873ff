import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { getGroup } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobAudienceDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { Link } from '../../ui/link';
import { Fact } from '../../ui/panel';
import { JobLink } from './job-link';

/** Where the recipients of a job are from: a file by its name, a group with a link, or the number of groups. */
export function JobSource({ job: { kind, fileName, audience } }: { job: BulkJobDetailDto }) {
  const session = useSession();
  const [first, ...others] = audience?.groupIds ?? [];
  if (others.length > 0) return <span>{t('To {count, number} groups', { count: others.length + 1 })}</span>;
  if (first === undefined || !session.can('groups:read')) {
    return <bdi>{fileName ?? (kind === 'Group' ? t('To a group') : t('From a file'))}</bdi>;
  }
  return <span>{rich('To {group}', { group: <GroupLink groupId={first} /> })}</span>;
}

/** The groups that a job was sent to, and who of the recipients was left out. */
export function AudienceFacts({ audience: { groupIds, excludeGroupIds, notReachedBy } }: { audience: JobAudienceDto }) {
  const canReadGroups = useSession().can('groups:read');
  const excluded = canReadGroups ? excludeGroupIds : [];
  return (
    <>
      {canReadGroups && groupIds.length > 0 && (
        <Fact label={t('Groups')}>
          <GroupLinks groupIds={groupIds} />
        </Fact>
      )}
      {(excluded.length > 0 || notReachedBy !== null) && (
        <Fact label={t('Left out')}>
          {excluded.length > 0 && (
            <div>{rich('Members of {groups}', { groups: <GroupLinks groupIds={excluded} /> })}</div>
          )}
          {[notReachedBy ?? []].flat().map((jobId) => (
            <div key={jobId}>{rich('People reached by {job}', { job: <JobLink jobId={jobId} /> })}</div>
          ))}
        </Fact>
      )}
    </>
  );
}

function GroupLinks({ groupIds }: { groupIds: readonly string[] }) {
  return groupIds.map((groupId, index) => (
    <Fragment key={groupId}>
      {index > 0 && ', '}
      <GroupLink groupId={groupId} />
    </Fragment>
  ));
}

/** A link to a group by its name; until the group is loaded “Open group”. */
function GroupLink({ groupId }: { groupId: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.groups.one(groupId),
    queryFn: ({ signal }) => call(getGroup, { path: { groupId } }, { signal }),
    retry: false,
  });
  if (error && asMessagingError(error).code === 'group_not_found') return t('a deleted group');
  return (
    <Link to={`/groups/${groupId}`}>
      <bdi>{data?.name ?? t('Open group')}</bdi>
    </Link>
  );
}
