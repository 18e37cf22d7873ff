import type { RecordedInbound } from '../../messages/domain/inbound-message';
import { conversationUpdates as updatesWith } from './inbound-conversations';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const message = (id: string, writtenAfter: number, orderedAfter: number): RecordedInbound => ({
  ...{ id, accountId: 'account', senderId: 'sender', conversationId: 'conversation', platformMessageId: `wamid.${id}` },
  ...{ phone: '4915112345678', userId: null, profileName: null, username: null, type: 'Text', content: { text: id } },
  ...{ at: new Date(START + writtenAfter), orderedAt: new Date(START + orderedAfter), changes: null, isNew: true },
});

const conversationUpdates = (messages: readonly RecordedInbound[], ...keywords: string[]) =>
  updatesWith(messages, new Set(keywords));

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

  it('takes the sender that the person wrote to last', () => {
    const older = { ...message('a', 0, 0), senderId: 'other' };
    const notice = { ...message('c', 2000, 2000), senderId: 'third', type: 'System' } as const;
    expect(conversationUpdates([message('b', 1000, 1000), notice, older])).toEqual([
      expect.objectContaining({ lastMessageId: 'c', senderId: 'sender' }),
    ]);
    expect(conversationUpdates([notice])).toEqual([expect.objectContaining({ senderId: null })]);
  });

  it('waits since the first new message that is neither a keyword nor a repetition', () => {
    const [stop, question, further] = [message('a', 0, 0), message('b', 1000, 1000), message('c', 2000, 2000)];
    const since = (...messages: RecordedInbound[]) => conversationUpdates(messages, 'a')[0]!.waitingSince;
    expect(since(further, question, stop)).toEqual(question.orderedAt);
    expect(since({ ...question, isNew: false }, further)).toEqual(further.orderedAt);
    expect(since(stop)).toBeNull();
  });

  it('opens it by what the person wrote, but not by a keyword, a reaction or a repetition', () => {
    const [question, stop] = [message('a', 0, 0), message('b', 1000, 1000)];
    const reaction = { ...message('c', 2000, 2000), type: 'Reaction' } as const;
    const stateAfter = (...messages: RecordedInbound[]) => {
      const [update] = conversationUpdates(messages, 'b');
      return [update!.state, update!.lastInboundId];
    };
    expect(stateAfter(question, stop)).toEqual(['Open', 'b']);
    expect(stateAfter(stop, { ...question, orderedAt: new Date(START + 5000) })).toEqual(['Open', 'a']);
    expect(stateAfter(stop, reaction)).toEqual(['Keyword', 'b']);
    expect(stateAfter(reaction)).toEqual([null, null]);
    expect(stateAfter({ ...question, isNew: false })).toEqual([null, 'a']);
  });
});
