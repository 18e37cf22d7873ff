import { QueryClient } from '@tanstack/react-query';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import { removeFromOtherStates } from './other-states';

describe('A conversation with a new state', () => {
  it('leaves the loaded lists of other states, in whichever range it is, and no other list', () => {
    const queries = new QueryClient();
    const lists = [{ state: 'Open' }, { unread: 'true', state: 'Open' }, { state: 'Done' }, {}, { search: 'Mira' }];
    const list = { items: [{ id: 'c-1' }, { id: 'c-2' }], nextCursor: 'next' };
    for (const filters of lists) queries.setQueryData(queryKeys.conversations.list(filters), list);
    queries.setQueryData(queryKeys.conversations.unread, 2);
    removeFromOtherStates(queries, { id: 'c-2', state: 'Done' } as ConversationDto);
    const left = lists.map((filters) => queries.getQueryData<typeof list>(queryKeys.conversations.list(filters)));
    expect(left.map((one) => one?.items.length)).toEqual([1, 1, 2, 2, 2]);
    expect(left[0]).toEqual({ items: [{ id: 'c-1' }], nextCursor: 'next' });
    expect(queries.getQueryData(queryKeys.conversations.unread)).toBe(2);
    queries.clear();
  });
});
