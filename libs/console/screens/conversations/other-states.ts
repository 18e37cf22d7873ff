import type { QueryClient } from '@tanstack/react-query';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import type { Range } from '../../app/merge-ranges';

/** Removes a conversation from the loaded lists of another state: a refetch reads only their newest range. */
export function removeFromOtherStates(queries: QueryClient, { id, state }: ConversationDto): void {
  const isOther = (filters: unknown) => {
    const listed = (filters as Pick<ConversationDto, 'state'> | undefined)?.state;
    return listed !== undefined && listed !== state;
  };
  queries.setQueriesData<Range<ConversationDto>>(
    { queryKey: queryKeys.conversations.lists, predicate: ({ queryKey }) => isOther(queryKey[2]) },
    (list) => list && { ...list, items: list.items.filter((one) => one.id !== id) },
  );
}
