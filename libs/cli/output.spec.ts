import { stripVTControlCharacters } from 'node:util';
import { type Column, fitted, Output } from './output';

const HOSTILE = 'Order \u001b]0;owned\u0007\u009b2J\nwent';

/** What the commands write to one stream during `work`. */
function written(stream: NodeJS.WriteStream, work: () => void): string {
  const pieces: string[] = [];
  const write = jest.spyOn(stream, 'write').mockImplementation((piece) => pieces.push(String(piece)) > 0);
  try {
    work();
  } finally {
    write.mockRestore();
  }
  return pieces.join('');
}

describe('Server texts on a terminal', () => {
  const out = new Output({ json: false });
  const json = new Output({ json: true });
  const clean = /^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/;

  it.each([
    ['a result', process.stdout, () => out.result({}, () => HOSTILE)],
    ['a result as JSON', process.stdout, () => json.result({ text: HOSTILE }, () => '')],
    ['a line', process.stdout, () => out.line({}, () => HOSTILE)],
    ['a line as JSON', process.stdout, () => json.line({ text: HOSTILE }, () => '')],
    ['facts', process.stdout, () => out.facts({}, [['text', HOSTILE]])],
    ['a note', process.stderr, () => out.note(HOSTILE)],
    ['a problem', process.stderr, () => out.problem(HOSTILE)],
  ])('moves no cursor: %s', (_, stream, write) => {
    const text = written(stream, write);
    expect(text).toMatch(clean);
    expect(text).toContain('owned');
  });

  it('keeps the lines of a text, and a single line single', () => {
    expect(written(process.stdout, () => out.result({}, () => HOSTILE)).split('\n')).toHaveLength(3);
    expect(written(process.stdout, () => out.line({}, () => HOSTILE)).split('\n')).toHaveLength(2);
  });

  it('is the same value when parsed from its JSON', () => {
    const text = written(process.stdout, () => json.result({ text: HOSTILE }, () => ''));
    expect(JSON.parse(text)).toEqual({ text: HOSTILE });
  });
});

describe('A note on a narrow terminal', () => {
  const { isTTY, columns: width } = process.stderr;
  const out = new Output({ json: false });
  const text =
    'The account has a single sender. Leave out --sender.\nRow 3: a second line that is long enough to wrap.';

  afterEach(() => {
    Object.assign(process.stderr, { isTTY, columns: width });
  });

  it.each([
    ['a note', () => out.note(text)],
    ['a problem', () => out.problem(text)],
  ])('keeps words whole and lines separate: %s', (_, write) => {
    Object.assign(process.stderr, { isTTY: true, columns: 50 });
    const shown = stripVTControlCharacters(written(process.stderr, write));
    const lines = shown.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(50);
    expect(shown.replace('messaging: ', '').trimEnd().split(/\s+/)).toEqual(text.split(/\s+/));
  });

  it('is unchanged for other programs', () => {
    Object.assign(process.stderr, { isTTY: false, columns: 50 });
    expect(written(process.stderr, () => out.note(text))).toBe(`${text}\n`);
  });
});

describe('A long fact on a narrow terminal', () => {
  const { isTTY, columns: width } = process.stdout;
  const id = '0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90';
  const facts = [
    ['expected end', id],
    ['status', 'Paused: the template order_update has been paused by the platform'],
  ] as const;
  const shown = () => written(process.stdout, () => new Output({ json: false }).facts({}, facts));

  afterEach(() => {
    Object.assign(process.stdout, { isTTY, columns: width });
  });

  it('continues below its beginning, and cuts no id', () => {
    Object.assign(process.stdout, { isTTY: true, columns: 50 });
    expect(stripVTControlCharacters(shown()).split('\n')).toEqual([
      `expected end  ${id}`,
      'status        Paused: the template order_update',
      '              has been paused by the platform',
      '',
    ]);
  });

  it('stays on its line for other programs', () => {
    Object.assign(process.stdout, { isTTY: false, columns: 50 });
    expect(shown().trimEnd().split('\n')).toHaveLength(2);
  });
});

describe('A list for other programs', () => {
  const { isTTY } = process.stdout;
  const columns: Column<{ id: number; text: string }>[] = [
    ['id', ({ id }) => id],
    ['text', ({ text }) => text],
  ];

  afterEach(() => {
    Object.assign(process.stdout, { isTTY });
  });

  /** What a list writes; `seen` gets what was written before each item. */
  async function shown(json: boolean, limit: number, seen: string[] = [], ids = [1, 2]): Promise<string> {
    Object.assign(process.stdout, { isTTY: false });
    const pieces: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((piece) => pieces.push(String(piece)) > 0),
    );
    async function* items() {
      for (const id of ids) {
        seen.push(pieces.join(''));
        yield await Promise.resolve({ id, text: 'a\nb' });
      }
    }
    await new Output({ json }).firstOfList(items(), columns, 'None.', limit);
    spies.forEach((spy) => spy.mockRestore());
    return pieces.join('');
  }

  it('is written while it arrives, as it would be as a whole', async () => {
    const seen: string[] = [];
    expect(await shown(false, 9, seen)).toBe('id\ttext\n1\ta b\n2\ta b\n');
    expect(seen).toEqual(['', 'id\ttext\n1\ta b\n']);
    const both = [1, 2].map((id) => ({ id, text: 'a\nb' }));
    expect(await shown(true, 9, seen)).toBe(`${JSON.stringify(both, null, 2)}\n`);
    expect(seen[3]).toMatch(/^\[\n/);
  });

  it('ends at its limit, or is empty', async () => {
    expect(await shown(false, 1)).toMatch(/^id\ttext\n1\ta b\nOnly the first 1 are listed/);
    expect(await shown(true, 9, [], [])).toBe('[]\n');
    expect(await shown(false, 9, [], [])).toBe('None.\n');
  });
});

describe('A list on a terminal', () => {
  const { isTTY, columns: width } = process.stdout;
  const jobs = ['0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', '0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a91'].map((id, index) => ({
    id,
    status: 'Completed',
    reference: index === 0 ? 'spring-sale' : null,
    template: 'order_update',
    created: '2026-01-15T09:30:00.000Z',
  }));
  const columns: Column<(typeof jobs)[number]>[] = [
    ['job', ({ id }) => id],
    ['status', ({ status }) => status],
    ['reference', ({ reference }) => reference],
    ['template', ({ template }) => template],
    ['created', ({ created }) => created],
  ];
  const shownOn = async (wide: number, essential?: string) => {
    Object.assign(process.stdout, { isTTY: true, columns: wide });
    const pieces: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((piece) => pieces.push(String(piece)) > 0),
    );
    await new Output({ json: false }).list(jobs, columns, '', essential);
    spies.forEach((spy) => spy.mockRestore());
    return stripVTControlCharacters(pieces.join(''));
  };

  afterEach(() => {
    Object.assign(process.stdout, { isTTY, columns: width });
  });

  it('is a table if most columns fit, and names the others', async () => {
    const lines = (await shownOn(80)).trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^job +status +reference +template *$/);
    expect(lines[3]).toBe('A wider terminal or --json also shows: created');
  });

  it('is a block per row with all columns if most would not fit', async () => {
    const blocks = (await shownOn(50)).trim().split('\n\n');
    expect(blocks[1]!.split('\n')).toEqual([
      `job       ${jobs[1]!.id}`,
      'status    Completed',
      'template  order_update',
      'created   2026-01-15T09:30:00.000Z',
    ]);
    expect(blocks[0]).toContain('reference  spring-sale');
  });

  it('is a block per row if its essential column would be hidden or illegible', async () => {
    expect((await shownOn(80, 'created')).trim().split('\n\n')).toHaveLength(2);
    expect(await shownOn(80, 'template')).toMatch(/^job +status/);
  });
});

describe('A count that is mostly 0', () => {
  const { isTTY } = process.stdout;
  afterEach(() => {
    Object.assign(process.stdout, { isTTY });
  });

  it.each([
    [true, 0, null],
    [true, 3, 3],
    [false, 0, 0],
  ])('is empty on a terminal alone: %s, %s', (isTerminal, count, expected) => {
    Object.assign(process.stdout, { isTTY: isTerminal });
    expect(new Output({ json: false }).rareCount(count)).toBe(expected);
  });
});

describe('The columns of a table', () => {
  const id = 36;
  const line = (widths: number[]) => widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));

  it('get their full width if there is room', () => {
    expect(fitted([id, 10, 30], 80)).toEqual([id, 10, 30]);
  });

  it.each([80, 50])('keep the id whole in %s columns, and fit the line', (total) => {
    const widths = fitted([id, 10, 38, 7, 6, 58, 24], total);
    expect(widths[0]).toBe(id);
    expect(line(widths)).toBeLessThanOrEqual(total);
  });

  it('are dropped from the end if unreadable', () => {
    expect(fitted([id, 9, 5, 4, 6, 12, 24], 80)).toEqual([id, 9, 5, 4, 6]);
  });

  it('shrink where they are widest', () => {
    expect(fitted([8, 12, 58, 38], 80)).toEqual([8, 12, 27, 27]);
  });
});
