import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { store, stored } from '../../ui/storage';
import { listConversations } from '../../../client/generated/sdk.gen';
import type { ListConversationsData } from '../../../client/generated/types.gen';

/** The filters of the list, as in the URL. */
export interface ShownConversations extends Record<string, string> {
  search: string;
  /** A value of SHOWN. */
  show: string;
  /** `Open` or `Done`, of people who wrote. */
  state: string;
  /** `longestWaiting` or `newest` first, of people who wait for a reply. */
  order: string;
}

/** Filters of the list, as the API takes them. */
export type ConversationFilters = Pick<
  NonNullable<ListConversationsData['query']>,
  'search' | 'unread' | 'state' | 'awaitingReply' | 'order'
>;

/** The first range, which is refetched often; the further ones are loaded on scrolling. */
export const FIRST_RANGE = 100;
const NEXT_RANGE = 200;

/** The filters of a URL that names none; empty: as last chosen in this browser. */
export const UNNAMED: ShownConversations = { search: '', show: '', state: 'Open', order: '' };
const FIRST_CHOSEN = { show: 'wrote', order: 'longestWaiting' };

/** The filters of a URL, with those last chosen in place of the ones that it does not name. */
export function shownBy(inUrl: ShownConversations): ShownConversations {
  const chosen = (name: keyof typeof FIRST_CHOSEN) => inUrl[name] || stored(placeOf(name)) || FIRST_CHOSEN[name];
  // A link to those that are done means the people who wrote.
  const show = inUrl.state === UNNAMED.state ? chosen('show') : inUrl.show || FIRST_CHOSEN.show;
  return { ...inUrl, show, order: chosen('order') };
}

/** Keeps a choice for later visits of this browser. */
export function keepChosen({ show, order }: Partial<ShownConversations>): void {
  if (show !== undefined) store(placeOf('show'), show);
  if (order !== undefined) store(placeOf('order'), order);
}

function placeOf(name: keyof typeof FIRST_CHOSEN): string {
  return `inbox.${name}`;
}

/** The query of the API for these filters; a search covers everyone. */
export function queryOf({ search, show, state, order }: ShownConversations): ConversationFilters {
  if (search !== '') return { search };
  switch (show) {
    case 'waiting':
      return { awaitingReply: 'true', ...(order === 'longestWaiting' && { order }) };
    case 'unread':
      return { unread: 'true', state: 'Open' };
    case 'keywords':
      return { state: 'Keyword' };
    case 'all':
      return {};
    default:
      return { state: state === 'Done' ? 'Done' : 'Open' };
  }
}

/** A range of the list, the newest without a `cursor`. */
export function loadConversations(filters: ConversationFilters, cursor: string | undefined, signal?: AbortSignal) {
  const limit = cursor === undefined ? FIRST_RANGE : NEXT_RANGE;
  return call(listConversations, { query: { cursor, limit, ...filters, lastStatus: 'true' } }, { signal });
}

/** The first query of the inbox that opens with these filters in its URL. */
export function firstConversations(search: URLSearchParams) {
  const named = Object.entries(UNNAMED).map(([name, value]) => [name, search.get(name) ?? value]);
  const filters = queryOf(shownBy(Object.fromEntries(named) as ShownConversations));
  return queryOptions({
    queryKey: queryKeys.conversations.list(filters),
    queryFn: ({ signal }) => loadConversations(filters, undefined, signal),
  });
}
