import type { QueryClient } from '@tanstack/react-query';
import type { ActingKeyDto, ConversationMessageDto, ReplyDto, SentReplyDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import type { Range } from '../../app/merge-ranges';

/** Adds a sent reply to the loaded messages, as the service will list it. */
export function addSentReply(
  queries: QueryClient,
  conversationId: string,
  { messageId, status, platformMessageId, createdAt }: SentReplyDto,
  reply: Pick<ReplyDto, 'text' | 'mediaId' | 'fileName' | 'replyTo'> & { type: ConversationMessageDto['type'] },
  sentBy: ActingKeyDto,
): void {
  const { type, text, mediaId, fileName, replyTo } = reply;
  queries.setQueryData<Range<ConversationMessageDto>>(queryKeys.conversation.messages(conversationId), (loaded) => {
    if (!loaded || loaded.items.some(({ id }) => id === messageId)) return loaded;
    const quoted = loaded.items.find(({ id }) => id === replyTo)?.platformMessageId;
    const message: ConversationMessageDto = {
      ...{ id: messageId, conversationId, direction: 'Outbound', type, status, platformMessageId, createdAt, sentBy },
      renderedText: text ?? null,
      content: { text, ...(mediaId && { media: { mediaId, fileName } }), ...(quoted && { replyTo: quoted }) },
      ...{ contactPhone: null, userId: null, templateName: null, languageCode: null, parameters: null },
      ...{ statusHistory: [], error: null, jobId: null, rowNumber: null, reference: null },
      ...{ acceptance: null, pricing: null },
    };
    return { ...loaded, items: [message, ...loaded.items] };
  });
}
