import { useQuery } from '@tanstack/react-query';
import { listOptOuts } from '../../client/generated/sdk.gen';
import type { OptOutDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { useSession } from './session';

/** The API cannot be asked for one person: as many of the newest opt-outs as fit in one request. */
const NEWEST = 100;

/** The opt-out of a person from marketing only, if it is among the newest; `isKnown`: without one, there is none. */
export function useMarketingOptOut({ phone, userId }: Pick<OptOutDto, 'phone' | 'userId'>) {
  const session = useSession();
  const { data } = useQuery({
    queryKey: queryKeys.optOuts.newest,
    queryFn: ({ signal }) => call(listOptOuts, { query: { pageSize: NEWEST } }, { signal }),
    enabled: session.can('groups:read'),
  });
  const optOut = data?.items.find(
    (one) =>
      one.scope === 'Marketing' &&
      ((phone !== null && one.phone === phone) || (userId !== null && one.userId === userId)),
  );
  return { optOut, isKnown: data !== undefined && data.totalCount <= NEWEST };
}
