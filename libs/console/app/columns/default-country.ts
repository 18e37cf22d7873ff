import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getMe } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { store, stored } from '../../ui/storage';
import { callingRegion } from '../calling-codes';
import { SENDERS_QUERY } from '../senders';
import { useSession } from '../session';

const PLACE = 'console.country.';

/** The country of numbers without a country code to begin with, and how another choice is remembered. */
export interface DefaultCountry {
  /** ISO 3166: as last chosen in this browser, else that of the account, else that of its senders; empty: unknown. */
  first: string;
  isLoading: boolean;
  remember: (country: string) => void;
}

export function useDefaultCountry(): DefaultCountry {
  const session = useSession();
  const place = PLACE + session.account.id;
  const canList = session.can('messaging:read') || session.can('jobs:read');
  const { data = '', isLoading } = useQuery({
    queryKey: [...queryKeys.senders, 'country'],
    queryFn: async ({ signal, client }) => {
      const { account } = await call(getMe, {}, { signal });
      if (account.defaultCountry || !canList) return account.defaultCountry ?? '';
      return countryOfSenders((await client.fetchQuery(SENDERS_QUERY)).items);
    },
    staleTime: 'static',
    retry: false,
  });
  return { first: stored(place) ?? data, isLoading, remember: (country) => store(place, country || null) };
}

/** The country of numbers that are typed without a country code. */
export interface NumberCountry {
  /** ISO 3166; empty: unknown. */
  country: string;
  isLoading: boolean;
  /** Also for the next numbers, in this browser. */
  choose: (country: string) => void;
}

export function useNumberCountry(): NumberCountry {
  const { first, isLoading, remember } = useDefaultCountry();
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (country: string) => {
    setChosen(country);
    remember(country);
  };
  return { country: chosen ?? first, isLoading, choose };
}

/** The country of all these numbers; empty: they have several, or none that is known. */
function countryOfSenders(senders: readonly { displayPhoneNumber?: string | null }[]): string {
  const regions = senders.map(({ displayPhoneNumber }) => callingRegion(displayPhoneNumber ?? ''));
  return new Set(regions).size === 1 ? (regions[0] ?? '') : '';
}
