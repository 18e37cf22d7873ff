import type { MessageDto } from '../../libs/client/generated/types.gen';
import { appended, joined, type Range } from '../../libs/console/app/joined-ranges';
import { judge } from '../../libs/console/screens/conversations/attachment';
import { initialsOf, isOpen, windowOf } from '../../libs/console/screens/conversations/conversation-words';
import { threadRows } from '../../libs/console/screens/conversations/thread-rows';
import { peopleOf } from '../../libs/console/screens/groups/pasted-people';

interface Item {
  id: string;
  at: string;
}

describe('A list that is read range by range', () => {
  const order = { idOf: ({ id }: Item) => id, orderOf: ({ at }: Item) => at };
  const range = (items: string, nextCursor: string | null): Range<Item> => ({
    items: [...items].map((at) => ({ id: at, at })),
    nextCursor,
  });
  const shown = ({ items, nextCursor }: Range<Item>) => [items.map(({ id }) => id).join(''), nextCursor];

  it('keeps what was read when its beginning is read again, and goes on where it was', () => {
    expect(shown(joined(range('jihgfe', 'after e'), range('kjih', 'after h'), order))).toEqual(['kjihgfe', 'after e']);
  });

  it('leaves out what is gone, and what was passed over', () => {
    expect(shown(joined(range('jihg', 'after g'), range('jh', 'after h'), order))).toEqual(['jhg', 'after g']);
    expect(shown(joined(range('jihg', 'after g'), range('j', null), order))).toEqual(['j', null]);
  });

  it('begins anew where more came than one range holds', () => {
    expect(shown(joined(range('cba', null), range('zyx', 'after x'), order))).toEqual(['zyx', 'after x']);
  });

  it('shows what moved to the front once', () => {
    const kept = { items: [...range('ji', null).items, { id: 'old', at: 'a' }], nextCursor: 'more' };
    const newest = { items: [{ id: 'old', at: 'k' }, ...range('j', null).items], nextCursor: 'after j' };
    expect(shown(joined(kept, newest, order))).toEqual(['oldji', 'more']);
  });

  it('appends a range only where it was asked for', () => {
    expect(shown(appended(range('ji', 'after i'), 'after i', range('ih', null), order))).toEqual(['jih', null]);
    expect(shown(appended(range('ji', 'after i'), 'after x', range('w', null), order))).toEqual(['ji', 'after i']);
  });
});

describe('A thread', () => {
  const message = (id: string, change: Partial<MessageDto> = {}): MessageDto =>
    ({
      id,
      direction: 'Inbound',
      type: 'Text',
      status: 'Received',
      platformMessageId: `wamid.${id}`,
      createdAt: '2026-11-20T10:00:00Z',
      content: {},
      ...change,
    }) as MessageDto;
  const reaction = (id: string, to: string, emoji: string | null, change: Partial<MessageDto> = {}) =>
    message(id, { type: 'Reaction', content: { reaction: { platformMessageId: `wamid.${to}`, emoji } }, ...change });

  it('is oldest first, with a line for each day, and its beginning once all of it was read', () => {
    const messages = [message('3', { createdAt: '2026-11-21T10:00:00Z' }), message('2'), message('1')];
    const kinds = (isWhole: boolean) =>
      threadRows(messages, isWhole).map(({ kind, key }) => (kind === 'message' ? key : kind));
    expect(kinds(false)).toEqual(['day', '1', '2', 'day', '3']);
    expect(kinds(true)[0]).toBe('start');
  });

  it('shows the latest reaction of each side at its message, and none that was taken back or failed', () => {
    const rows = threadRows(
      [
        reaction('7', '1', '🎉', { direction: 'Outbound', status: 'Failed' }),
        reaction('6', '2', null),
        reaction('5', '2', '👍'),
        reaction('4', '1', '❤️', { direction: 'Outbound', status: 'Sent' }),
        reaction('3', '1', '😀'),
        message('2'),
        message('1'),
      ],
      false,
    );
    const found = rows.flatMap((row) =>
      row.kind === 'message' ? [[row.key, row.reactions.map(({ emoji }) => emoji)]] : [],
    );
    expect(found).toEqual([
      ['1', ['😀', '❤️']],
      ['2', []],
      ['7', []],
    ]);
  });

  it('quotes the message that is answered, where it is there', () => {
    const rows = threadRows(
      [
        message('3', { content: { replyTo: 'wamid.gone' } }),
        message('2', { content: { replyTo: 'wamid.1' } }),
        message('1'),
      ],
      false,
    );
    const quoted = rows.flatMap((row) => (row.kind === 'message' ? [row.quoted?.id ?? row.quoted] : []));
    expect(quoted).toEqual([undefined, '1', null]);
  });
});

describe('The window of a conversation', () => {
  const now = new Date('2026-11-20T10:00:00Z');
  const at = (time: string | null) => windowOf({ windowExpiresAt: time }, now);

  it('counts down, and is closed at its end and for who never wrote', () => {
    expect(at('2026-11-21T09:30:00Z')).toEqual({ state: 'open', words: '23 h 30 min left' });
    expect(at('2026-11-20T10:30:00Z')).toEqual({ state: 'ends', words: '30 min left' });
    expect(at('2026-11-20T10:00:00Z').state).toBe('closed');
    expect(at(null).state).toBe('never');
    expect([at('2026-11-20T10:30:00Z'), at('2026-11-20T10:00:00Z'), at(null)].map(isOpen)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('stands beside letters of the name, of any script', () => {
    expect(['Mira Aydın', 'משה כהן', '李雷', '+49 151', '  ', null].map(initialsOf)).toEqual([
      'MA',
      'מכ',
      '李',
      '',
      '',
      '',
    ]);
  });
});

describe('A file for an answer', () => {
  it('is judged by kind and size before it leaves', () => {
    const file = (type: string, size: number) => judge({ name: 'a', type, size });
    expect(file('image/png', 5 * 1024 * 1024)).toEqual({ type: 'Image', takesText: true });
    expect(file('image/png', 5 * 1024 * 1024 + 1)).toHaveProperty('problem');
    expect(file('audio/ogg; codecs=opus', 1)).toEqual({ type: 'Audio', takesText: false });
    expect(file('image/svg+xml', 1)).toHaveProperty('problem');
    expect(file('application/pdf', 0)).toHaveProperty('problem');
  });
});

describe('Pasted people', () => {
  it('are a number and a name a line, with the lines on which they stand', () => {
    expect(peopleOf('+49 151 1, Mira Aydın\r\n\n4916;Tom\tLi\n7\n')).toEqual({
      contacts: [{ phone: '+49 151 1', name: 'Mira Aydın' }, { phone: '4916', name: 'Tom Li' }, { phone: '7' }],
      lines: [1, 3, 4],
    });
  });
});
