import type { QueryClient } from '@tanstack/react-query';
import type {
  ActingKeyDto,
  ConversationMessageDto,
  ReplyDto,
  SendTemplateDto,
  SentMessageDto,
  SentReplyDto,
  TemplateDto,
} from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import type { Range } from '../../app/merge-ranges';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';

type Sent = Pick<SentReplyDto, 'messageId' | 'status' | 'platformMessageId' | 'createdAt'>;
type Contents = Pick<ConversationMessageDto, 'type' | 'renderedText' | 'content'> & Partial<ConversationMessageDto>;

/** The messages that this tab sent. */
const sentHere = new Set<string>();

/** Whether this tab sent the message since it was loaded. */
export function isSentHere(messageId: string): boolean {
  return sentHere.has(messageId);
}

/** Adds a sent reply to the loaded messages, as the service will list it. */
export function addSentReply(
  queries: QueryClient,
  conversationId: string,
  sent: SentReplyDto,
  reply: Pick<ReplyDto, 'text' | 'mediaId' | 'fileName' | 'replyTo'> & { type: ConversationMessageDto['type'] },
  sentBy: ActingKeyDto,
): void {
  const { type, text, mediaId, fileName, replyTo } = reply;
  add(queries, conversationId, sent, (loaded) => {
    const quoted = loaded.find(({ id }) => id === replyTo)?.platformMessageId;
    return {
      ...{ type, sentBy, renderedText: text ?? null },
      content: { text, ...(mediaId && { media: { mediaId, fileName } }), ...(quoted && { replyTo: quoted }) },
    };
  });
}

/** The same for a template. */
export function addSentTemplate(
  queries: QueryClient,
  conversationId: string,
  sent: SentMessageDto,
  template: TemplateDto,
  request: SendTemplateDto,
  sentBy: ActingKeyDto,
): void {
  const parameters = (request.templateParameters ?? []).map(({ text }) => text);
  const { header, body, footer } = bubbleOfTemplate(template, parameters);
  const { headerMediaId, headerMediaUrl: url, headerMediaFileName: fileName, headerLocation: location } = request;
  const hasMedia = headerMediaId !== undefined || url !== undefined;
  add(queries, conversationId, sent, () => ({
    ...{ type: 'Template', sentBy, parameters, senderId: request.senderId },
    ...{ templateName: sent.templateName, languageCode: sent.languageCode },
    renderedText: [header?.kind === 'text' ? header.text : '', body, footer].filter(Boolean).join('\n\n'),
    content: {
      ...(hasMedia && { media: { mediaId: headerMediaId ?? null, url, fileName } }),
      ...(location && { location }),
    },
  }));
}

function add(
  queries: QueryClient,
  conversationId: string,
  { messageId, status, platformMessageId, createdAt }: Sent,
  contentsAmong: (loaded: readonly ConversationMessageDto[]) => Contents,
): void {
  sentHere.add(messageId);
  queries.setQueryData<Range<ConversationMessageDto>>(queryKeys.conversation.messages(conversationId), (loaded) => {
    if (!loaded || loaded.items.some(({ id }) => id === messageId)) return loaded;
    const message: ConversationMessageDto = {
      ...{ id: messageId, conversationId, direction: 'Outbound', status, platformMessageId, createdAt },
      ...{ contactPhone: null, userId: null, templateName: null, languageCode: null, parameters: null },
      ...{ statusHistory: [], error: null, jobId: null, rowNumber: null, reference: null },
      ...{ acceptance: null, pricing: null },
      ...contentsAmong(loaded.items),
    };
    return { ...loaded, items: [message, ...loaded.items] };
  });
}
