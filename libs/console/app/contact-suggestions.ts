import { useQuery } from '@tanstack/react-query';
import { listContacts } from '../../client/generated/sdk.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { t } from '../language/translate';
import { phoneText } from '../ui/phone-text';
import type { Choice } from '../ui/select';
import { useDebounced } from '../ui/use-debounced';
import { useSession } from './session';

const DEBOUNCE_MS = 250;
const MOST = 6;
/** Numbers have no letters. */
const NAME = /\p{L}{2}/u;

/** The contacts whose name contains the text, as phone numbers to choose; `problem`: why there are none for a name. */
export function useContactSuggestions(text: string): {
  suggestions: readonly Choice<string>[];
  isName: boolean;
  problem?: string;
} {
  const session = useSession();
  const search = useDebounced(text.trim(), DEBOUNCE_MS);
  const canSearch = session.can('groups:read');
  const isName = canSearch && NAME.test(text);
  const { data } = useQuery({
    queryKey: queryKeys.contacts.list({ suggest: search }),
    enabled: isName && NAME.test(search),
    queryFn: ({ signal }) => call(listContacts, { query: { search, limit: MOST } }, { signal }),
  });
  const found = isName && search === text.trim() ? data?.items : undefined;
  const suggestions = (found ?? []).flatMap(({ name, phone }) =>
    phone === null
      ? []
      : [{ value: `+${phone}`, label: name === null ? phoneText(phone) : `${name}, ${phoneText(phone)}` }],
  );
  const isUnknown = found !== undefined && suggestions.length === 0;
  return { suggestions, isName, problem: isUnknown ? t('No contact with a phone number has this name.') : undefined };
}
