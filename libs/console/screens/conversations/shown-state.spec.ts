import { hasNoNewMessage, isNewer, isShown } from './shown-state';

const EARLIER = '2026-01-15T09:30:00.000Z';
const LATER = '2026-01-15T09:30:01.000Z';

describe('An event at the start of a stream', () => {
  it('is ignored if the list shows its unread messages and the latest one', () => {
    const shown = [
      { id: 'a', unreadCount: 2, lastMessageAt: EARLIER },
      { id: 'b', unreadCount: 0, lastMessageAt: EARLIER },
    ];
    const is = (conversationId: string, unreadCount: number, lastMessageAt = EARLIER) =>
      isShown(shown, { conversationId, unreadCount, lastMessageAt });
    expect([is('a', 2), is('a', 3), is('a', 0), is('b', 0), is('c', 1)]).toEqual([true, false, false, false, false]);
    // A colleague has replied.
    expect(is('a', 2, LATER)).toBe(false);
  });

  it('counts if it came during the first load and is newer than what was loaded', () => {
    const loaded = [
      { id: 'a', unreadCount: 0, lastMessageAt: LATER },
      { id: 'b', unreadCount: 0, lastMessageAt: EARLIER },
    ];
    const is = (conversationId: string, lastMessageAt: string) =>
      isNewer(loaded, { conversationId, unreadCount: 1, lastMessageAt });
    expect([is('b', EARLIER), is('a', LATER), is('c', EARLIER), is('c', LATER)]).toEqual([false, false, false, false]);
    expect([is('b', LATER), is('c', '2026-01-15T09:30:02.000Z')]).toEqual([true, true]);
    expect(isNewer([], { conversationId: 'c', unreadCount: 1, lastMessageAt: EARLIER })).toBe(true);
  });
});

describe('An event of a conversation', () => {
  const has = (messages: string[] | undefined, unreadCount: number, lastMessageAt: string) =>
    hasNoNewMessage(
      messages?.map((createdAt) => ({ createdAt })),
      { conversationId: 'a', unreadCount, lastMessageAt },
    );

  it('reports no new message if everything is read and the latest one is loaded', () => {
    expect([has([EARLIER], 0, EARLIER), has([LATER, EARLIER], 0, LATER)]).toEqual([true, true]);
  });

  it('reports a reply that comes together with a read mark', () => expect(has([EARLIER], 0, LATER)).toBe(false));

  it('may report a message while some are unread, and before any are loaded', () => {
    expect([has([EARLIER], 1, EARLIER), has([], 0, EARLIER), has(undefined, 0, EARLIER)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
