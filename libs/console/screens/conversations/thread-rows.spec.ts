import type { ConversationMessageDto } from '../../../client/generated/types.gen';
import { threadRows } from './thread-rows';

describe('A failed reply', () => {
  it('is repeated if a later message has the same text', () => {
    const message = (id: string, renderedText: string, more: object = {}) =>
      ({
        ...{ id, renderedText, direction: 'Outbound', type: 'Text', status: 'Failed', platformMessageId: null },
        ...{ createdAt: '2026-11-28T10:00:00.000Z', content: null },
        ...more,
      }) as ConversationMessageDto;
    // Newest first.
    const messages = [
      message('question', 'Only once', { direction: 'Inbound', status: 'Received' }),
      message('last', 'On its way'),
      message('other', 'Only once'),
      message('sent', 'On its way', { status: 'Sent' }),
      message('first', 'On its way'),
    ];
    const repeated = threadRows(messages, false).flatMap((row) =>
      row.kind === 'message' && row.isRepeated ? [row.message.id] : [],
    );
    expect(repeated).toEqual(['first']);
  });
});
