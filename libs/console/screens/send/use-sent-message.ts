import { useQuery } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDto, SentMessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';

const POLL_MS = 1000;
/** How long the message is polled; the conversation shows later status changes. */
const POLL_LIMIT_MS = 120_000;
const FINAL: readonly string[] = ['Read', 'Undelivered', 'Failed', 'Cancelled'];

/** A message that was just sent, kept up to date if the key may read messages. */
export function useSentMessage(sent: SentMessageDto) {
  const session = useSession();
  return useQuery({
    queryKey: queryKeys.messages.one(sent.messageId),
    queryFn: ({ signal }) => call(getMessage, { path: { messageId: sent.messageId } }, { signal }),
    enabled: session.can('messaging:read'),
    refetchInterval: ({ state }) => (mayStillChange(state.data ?? sent) ? POLL_MS : false),
  });
}

function mayStillChange({ status, createdAt }: Pick<MessageDto, 'createdAt'> & { status: string }): boolean {
  return !FINAL.includes(status) && Date.now() - new Date(createdAt).getTime() < POLL_LIMIT_MS;
}
