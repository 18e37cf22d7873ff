import { queryOptions, useQuery } from '@tanstack/react-query';
import { listSenders } from '../../client/generated/sdk.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { useSession } from './session';

/** Lists the senders of the account. */
export const SENDERS_QUERY = queryOptions({
  queryKey: queryKeys.senders,
  queryFn: ({ signal }) => call(listSenders, {}, { signal }),
});

/** The senders of the account; undefined until they are loaded, and if the key may not list them. */
export function useSenders() {
  const session = useSession();
  const { data } = useQuery({
    ...SENDERS_QUERY,
    enabled: session.can('messaging:read') || session.can('jobs:read'),
  });
  return data?.items;
}
