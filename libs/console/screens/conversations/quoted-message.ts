import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { Range } from '../../app/merge-ranges';

/** The message that a reply quotes, from the loaded ones or the service; null if there is none, or none yet. */
export function useQuoted(conversationId: string, messageId: string): MessageDto | null {
  const queries = useQueryClient();
  const { data } = useQuery<MessageDto>({
    queryKey: queryKeys.conversation.quoted(conversationId, messageId),
    enabled: messageId !== '',
    staleTime: Infinity,
    initialData: () =>
      queries
        .getQueryData<Range<MessageDto>>(queryKeys.conversation.messages(conversationId))
        ?.items.find(({ id }) => id === messageId),
    queryFn: ({ signal }) => call(getMessage, { path: { messageId } }, { signal }),
  });
  return data ?? null;
}
