import { Output } from './output';

const HOSTILE = 'Order \u001b]0;owned\u0007\u009b2J\nwent';

/** What the commands write to one stream while `work` runs. */
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

describe('What a server says, on a terminal', () => {
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

  it('keeps the lines of a text, and one line one', () => {
    expect(written(process.stdout, () => out.result({}, () => HOSTILE)).split('\n')).toHaveLength(3);
    expect(written(process.stdout, () => out.line({}, () => HOSTILE)).split('\n')).toHaveLength(2);
  });

  it('is the same value when its JSON is read', () => {
    const text = written(process.stdout, () => json.result({ text: HOSTILE }, () => ''));
    expect(JSON.parse(text)).toEqual({ text: HOSTILE });
  });
});
