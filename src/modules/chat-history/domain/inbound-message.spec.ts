import { conversationNews, type InboundMessage } from './inbound-message';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const message = (id: string, wroteAfter: number, placedAfter: number): InboundMessage & { conversationId: string } => ({
  ...{ id, accountId: 'account', conversationId: 'conversation', platformMessageId: `wamid.${id}` },
  ...{ phone: '4915112345678', userId: null, profileName: null, type: 'Text', content: { text: id } },
  ...{ at: new Date(START + wroteAfter), placedAt: new Date(START + placedAfter) },
});

describe('What new messages change about a conversation', () => {
  it('is the one that stands last, and a window from the one that was written last', () => {
    expect(conversationNews([message('a', 8000, 9000), message('b', 0, 9001)])).toEqual([
      expect.objectContaining({
        lastMessageId: 'b',
        lastMessageAt: new Date(START + 9001),
        unread: 2,
        windowExpiresAt: new Date(START + 8000 + DAY_MS),
      }),
    ]);
  });
});
