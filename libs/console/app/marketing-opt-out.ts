import { useQuery } from '@tanstack/react-query';
import { listOptOuts } from '../../client/generated/sdk.gen';
import type { OptOutDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { useSession } from './session';

type Person = Pick<OptOutDto, 'phone' | 'userId'>;

/** The address of the opt-outs of a person. */
export function optOutsAddress({ phone, userId }: Person): string {
  return `/opt-outs?${new URLSearchParams({ person: phone === null ? (userId ?? '') : `+${phone}` }).toString()}`;
}

/** The opt-out of a person from marketing only. */
export function useMarketingOptOut({ phone, userId }: Person): OptOutDto | undefined {
  const session = useSession();
  const person = phone ?? userId;
  const { data } = useQuery({
    queryKey: queryKeys.optOuts.of(person),
    queryFn: ({ signal }) => call(listOptOuts, { query: { person: person! } }, { signal }),
    enabled: person !== null && session.can('groups:read'),
  });
  return data?.items.find(({ scope }) => scope === 'Marketing');
}
