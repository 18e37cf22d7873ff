import type { MessageDto } from '../../libs/client/generated/types.gen';
import { appendRange, mergeNewest, type Range } from '../../libs/console/app/merge-ranges';
import { checkAttachment } from '../../libs/console/screens/conversations/attachment';
import { initialsOf, isOpen, windowOf } from '../../libs/console/screens/conversations/conversation-labels';
import { threadRows } from '../../libs/console/screens/conversations/thread-rows';
import { parsePeople } from '../../libs/console/screens/groups/pasted-people';

interface Item {
  id: string;
  at: string;
}

describe('A cursor list', () => {
  const order = { idOf: ({ id }: Item) => id, orderOf: ({ at }: Item) => at };
  const range = (items: string, nextCursor: string | null): Range<Item> => ({
    items: [...items].map((at) => ({ id: at, at })),
    nextCursor,
  });
  const shown = ({ items, nextCursor }: Range<Item>) => [items.map(({ id }) => id).join(''), nextCursor];

  it('keeps loaded items on a refetch and continues from the last cursor', () => {
    expect(shown(mergeNewest(range('jihgfe', 'after e'), range('kjih', 'after h'), order))).toEqual([
      'kjihgfe',
      'after e',
    ]);
  });

  it('drops items that are gone', () => {
    expect(shown(mergeNewest(range('jihg', 'after g'), range('jh', 'after h'), order))).toEqual(['jhg', 'after g']);
    expect(shown(mergeNewest(range('jihg', 'after g'), range('j', null), order))).toEqual(['j', null]);
  });

  it('starts over if more new items arrived than one range holds', () => {
    expect(shown(mergeNewest(range('cba', null), range('zyx', 'after x'), order))).toEqual(['zyx', 'after x']);
  });

  it('shows an item that moved to the front once', () => {
    const kept = { items: [...range('ji', null).items, { id: 'old', at: 'a' }], nextCursor: 'more' };
    const newest = { items: [{ id: 'old', at: 'k' }, ...range('j', null).items], nextCursor: 'after j' };
    expect(shown(mergeNewest(kept, newest, order))).toEqual(['oldji', 'more']);
  });

  it('appends a range only at the cursor it was loaded with', () => {
    expect(shown(appendRange(range('ji', 'after i'), 'after i', range('ih', null), order))).toEqual(['jih', null]);
    expect(shown(appendRange(range('ji', 'after i'), 'after x', range('w', null), order))).toEqual(['ji', 'after i']);
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

  it('is oldest first, with a row per day, and a start row once fully loaded', () => {
    const messages = [message('3', { createdAt: '2026-11-21T10:00:00Z' }), message('2'), message('1')];
    const kinds = (isWhole: boolean) =>
      threadRows(messages, isWhole).map(({ kind, key }) => (kind === 'message' ? key : kind));
    expect(kinds(false)).toEqual(['day', '1', '2', 'day', '3']);
    expect(kinds(true)[0]).toBe('start');
  });

  it('attaches the latest reaction of each side to its message, except removed or failed ones', () => {
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

  it('quotes the message replied to, if it is loaded', () => {
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

describe('The reply window of a conversation', () => {
  const now = new Date('2026-11-20T10:00:00Z');
  const at = (time: string | null) => windowOf({ windowExpiresAt: time }, now);

  it('counts down, and is closed at its end and without a received message', () => {
    expect(at('2026-11-21T09:30:00Z')).toEqual({ state: 'open', label: '23 h 30 min left', left: '23 h 30 min' });
    expect(at('2026-11-20T10:30:00Z')).toEqual({ state: 'ends', label: '30 min left', left: '30 min' });
    expect(at('2026-11-20T10:00:00Z').state).toBe('closed');
    expect(at(null).state).toBe('never');
    expect([at('2026-11-20T10:30:00Z'), at('2026-11-20T10:00:00Z'), at(null)].map(isOpen)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('comes with initials in any script', () => {
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

describe('An attachment', () => {
  it('is checked by type and size before the upload', () => {
    const file = (type: string, size: number) => checkAttachment({ name: 'a', type, size });
    expect(file('image/png', 5 * 1024 * 1024)).toEqual({ type: 'Image', takesText: true });
    expect(file('image/png', 5 * 1024 * 1024 + 1)).toHaveProperty('problem');
    expect(file('audio/ogg; codecs=opus', 1)).toEqual({ type: 'Audio', takesText: false });
    expect(file('image/svg+xml', 1)).toHaveProperty('problem');
    expect(file('application/pdf', 0)).toHaveProperty('problem');
  });
});

describe('Pasted people', () => {
  it('are parsed as one number and name per line, with line numbers', () => {
    expect(parsePeople('+49 151 1, Mira Aydın\r\n\n4916;Tom\tLi\n7\n')).toEqual({
      contacts: [{ phone: '+49 151 1', name: 'Mira Aydın' }, { phone: '4916', name: 'Tom Li' }, { phone: '7' }],
      lines: [1, 3, 4],
    });
  });
});
