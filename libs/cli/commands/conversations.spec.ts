import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { localTime } from '../local-time';
import { Output } from '../output';
import type { Session } from '../session';
import { list, reply, show } from './conversations';

const ID = '0199d1b5-6a5e-5c3a-9b1f-2f8d4c1e7a90';
const MIRA = { id: ID, contactPhone: '4915112345678', contactName: 'Mira', unreadCount: 1, windowExpiresAt: null };
const MESSAGES = [
  { createdAt: '2026-01-15T09:31:00.000Z', direction: 'Outbound', status: 'Sent', renderedText: 'At ten.' },
  { createdAt: '2026-01-15T09:30:00.000Z', direction: 'Inbound', status: 'Received', renderedText: 'When?' },
];

/** Runs a command on `found` conversations; returns its exit code, what it writes, and what it calls. */
async function run(
  command: (session: Session) => Promise<number>,
  found: object[] = [MIRA],
  json = false,
  answers: object = {},
) {
  let text = '';
  for (const stream of ['stdout', 'stderr'] as const) {
    jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((text += String(piece))));
  }
  const client = {
    conversations: jest.fn(() => Readable.from(found)),
    call: jest.fn(() => Promise.resolve(MIRA)),
    each: jest.fn(() => Readable.from(MESSAGES)),
    reply: jest.fn(() => Promise.resolve({ messageId: 'm-1', status: 'Sent' })),
    ...answers,
  };
  const session = {
    client: () => Promise.resolve(client),
    out: new Output({ json }),
    signal: new AbortController().signal,
  };
  try {
    return { code: await command(session as unknown as Session), text, client };
  } finally {
    jest.restoreAllMocks();
  }
}

describe('Conversations', () => {
  it('are listed by what waits', async () => {
    const { text, client } = await run((session) => list(session, { limit: 5, waiting: true, unread: true }));
    expect(client.conversations).toHaveBeenCalledWith({ unread: 'true', awaitingReply: 'true' }, expect.anything());
    expect(text).toContain('4915112345678\tMira\t1');
  });

  it.each([
    ['listed', (session: Session) => list(session, { limit: 1 }), [MIRA, MIRA]],
    ['shown', (session: Session) => show(session, ID, { limit: 1 }), [MIRA]],
  ])('say at the end that there are more if they are cut: %s', async (_, command, found) => {
    const note = 'Only the first 1 are listed; raise --limit to see more.\n';
    expect((await run(command, found)).text.endsWith(`\n${note}`)).toBe(true);
    expect((await run(command, found, true)).text.endsWith(`\n${note}`)).toBe(true);
  });

  it('say nothing if they are complete', async () => {
    expect((await run((session) => list(session, { limit: 1 }))).text).not.toContain('raise --limit');
  });

  it('are shown with their texts on a narrow terminal', async () => {
    const { isTTY, columns } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, columns: 40 });
    const { text } = await run((session) => show(session, ID, { limit: 5 }));
    Object.assign(process.stdout, { isTTY, columns });
    expect(stripVTControlCharacters(text)).toMatch(/^text +At ten\.$/m);
  });

  it.each([ID, '+49 (0)151 12345678', '015112345678'])(
    'are shown by number or id, the latest message last: %s',
    async (name) => {
      const { text } = await run((session) => show(session, name, { limit: 5 }));
      expect(text).toMatch(/^person +Mira, 4915112345678$/m);
      expect(text).toMatch(/^reply window +closed: only a template can be sent$/m);
      expect(text.trimEnd().split('\n').slice(-2)).toEqual([
        '2026-01-15T09:30:00.000Z\tperson\tReceived\tWhen?\t',
        '2026-01-15T09:31:00.000Z\taccount\tSent\tAt ten.',
      ]);
    },
  );

  it('are shown with the local time at which their reply window ends', async () => {
    const windowExpiresAt = '2999-01-15T09:30:00.000Z';
    const client = { call: () => Promise.resolve({ ...MIRA, windowExpiresAt }) };
    const { text } = await run((session) => show(session, ID, { limit: 5 }), [MIRA], false, client);
    const [, end] = /^reply window +open until (.+)$/m.exec(text) ?? [];
    expect(end).toBe(localTime(windowExpiresAt));
  });

  it('are JSON with their messages', async () => {
    const { text } = await run((session) => show(session, ID, { limit: 2 }), [MIRA], true);
    expect(JSON.parse(text)).toEqual({ ...MIRA, messages: MESSAGES.toReversed() });
  });

  it('are replied to', async () => {
    const { code, text, client } = await run((session) => reply(session, '+4915112345678', 'Yes.', {}));
    expect([code, text]).toEqual([0, 'Sent  m-1\n']);
    expect(client.reply).toHaveBeenCalledWith(ID, { text: 'Yes.' }, expect.anything());
  });

  it.each([
    ['the first digits of a number', '4915112345', [MIRA]],
    ['a number of several people', '015112345678', [MIRA, { ...MIRA, contactPhone: '4315112345678' }]],
    ['another number', '+4915112345679', []],
    ['a name', 'Mira', [MIRA]],
  ])('are not replied to by %s', async (_, name, found) => {
    await expect(run((session) => reply(session, name, 'Yes.', {}), found)).rejects.toThrow('conversations list');
  });
});
