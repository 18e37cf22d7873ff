import { PassThrough, Readable } from 'node:stream';
import { Output } from './output';
import { firstOf } from './cut-list';
import { Session } from './session';

describe('A question before a send', () => {
  const stop = new AbortController();
  const session = new Session(new Output({ json: false }), stop.signal, {});
  let terminal: PassThrough;
  let written: string;

  beforeEach(() => {
    written = '';
    terminal = Object.assign(new PassThrough(), { isTTY: true });
    jest.spyOn(process, 'stdin', 'get').mockReturnValue(terminal as never);
    jest.spyOn(process.stderr, 'write').mockImplementation((piece) => Boolean((written += String(piece))));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['y\n', true, ''],
    ['n\n', false, 'Nothing was sent.\n'],
  ])('says on %j whether something was sent', async (typed, expected, note) => {
    terminal.write(typed);
    expect(await session.confirmed('Send?', 'Nothing was sent.')).toBe(expected);
    expect(written.replace('Send? [y/N] ', '')).toBe(note);
  });

  it('says so after Ctrl-C, too', async () => {
    const answer = session.confirmed('Send?', 'Nothing was sent.');
    stop.abort();
    await expect(answer).rejects.toThrow(/^Interrupted\. Nothing was sent\.$/);
  });
});

describe('A list', () => {
  const keys = Array.from({ length: 1_001 }, (_, index) => index);

  it.each([
    [1_000, 1_000, true],
    [1_001, 1_001, false],
    [undefined, 1_001, false],
  ])('with the limit %s has %s items, and more: %s', async (limit, length, hasMore) => {
    const found = await firstOf<number>(Readable.from(keys), limit);
    expect([found.items.length, found.hasMore]).toEqual([length, hasMore]);
  });
});
