import type { ConversationMessageDto } from '../../../client/generated/types.gen';

/** The newest reply by any key among the messages, newest first, that arrived after the one with the id `seenId`; failed ones are none. */
export function latestReply(
  messages: readonly ConversationMessageDto[],
  seenId: string | undefined,
): ConversationMessageDto | undefined {
  const end = messages.findIndex(({ id }) => id === seenId);
  return messages
    .slice(0, Math.max(end, 0))
    .find(
      ({ sentBy, jobId, type, status }) =>
        sentBy !== undefined && jobId === null && type !== 'Reaction' && status !== 'Failed',
    );
}
