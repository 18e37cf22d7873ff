import type { RecordedInbound } from '../../messages/domain/inbound-message';
import { conversationUpdates } from './conversation-update';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const message = (id: string, writtenAfter: number, orderedAfter: number): RecordedInbound => ({
  ...{ id, accountId: 'account', conversationId: 'conversation', platformMessageId: `wamid.${id}` },
  ...{ phone: '4915112345678', userId: null, profileName: null, username: null, type: 'Text', content: { text: id } },
  ...{ at: new Date(START + writtenAfter), orderedAt: new Date(START + orderedAfter), changes: null, isNew: true },
});

describe('The update of a conversation', () => {
  it('takes the last message by order, and the window by the latest timestamp', () => {
    expect(conversationUpdates([message('a', 8000, 9000), message('b', 0, 9001)])).toEqual([
      expect.objectContaining({
        lastMessageId: 'b',
        lastMessageAt: new Date(START + 9001),
        unread: 2,
        windowExpiresAt: new Date(START + 8000 + DAY_MS),
      }),
    ]);
  });
});
