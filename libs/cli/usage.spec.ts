import { ScriptedServer } from '../../test/support/scripted-server';
import { runCommand } from './run';

const LOADED_LATE = ['./problems', './commands/jobs', './commands/templates', './commands/sending'];
// Node needs the name of the built file in an import() and Jest finds the source alone.
for (const file of [...LOADED_LATE, '../client/messaging-client'])
  jest.doMock(`${file}.js`, () => jest.requireActual<object>(file), { virtual: true });

describe('A wrong command', () => {
  const { env } = process;
  let server: ScriptedServer;

  beforeEach(async () => {
    server = await new ScriptedServer().start();
    process.env = { ...env, MESSAGING_URL: server.url, MESSAGING_API_KEY: 'key-1' };
  });

  afterEach(async () => {
    process.env = env;
    await server.close();
  });

  /** The exit code of a command and what it writes to standard error; nothing else may be written. */
  async function run(...words: string[]): Promise<{ code: number; stderr: string }> {
    const written = { stdout: '', stderr: '' };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((written[stream] += String(piece)))),
    );
    const atError = process.stdout.listeners('error');
    try {
      const code = await runCommand(['node', 'messaging', ...words]);
      expect(written.stdout).toBe('');
      return { code, stderr: written.stderr };
    } finally {
      spies.forEach((spy) => spy.mockRestore());
      for (const signal of signals) process.removeAllListeners(signal);
      for (const each of process.stdout.listeners('error'))
        if (!atError.includes(each)) process.stdout.off('error', each as () => void);
    }
  }

  it.each([
    [['jobs', 'report', 'j-1', '--json'], 'A report'],
    [['templates', 'sample', 'order_update', '-o', '-', '--json'], 'A sample file'],
  ])('is one that writes no JSON with --json: %j', async (words, what) => {
    const { code, stderr } = await run(...words);
    const expected = `messaging: ${what} is CSV or xlsx, not JSON: omit --json, or write it to a file with --output.\n`;
    expect([code, stderr, server.seen]).toEqual([2, expected, []]);
  });

  it('is one that writes a format which the service does not have', async () => {
    const { code, stderr } = await run('jobs', 'report', 'id', '-o', 'x.pdf');
    expect([code, stderr]).toEqual([2, 'messaging: x.pdf ends in .pdf: use a file name that ends in .csv or .xlsx.\n']);
    expect(server.seen).toEqual([]);
  });

  it('names the command that lists jobs, not the endpoint', async () => {
    const message = 'No bulk job has this id. List your jobs with GET /bulk-jobs.';
    server.script({ status: 404, body: { code: 'job_not_found', message } });
    const expected = 'messaging: No job has this id. List your jobs with `messaging jobs list`. (job_not_found)\n';
    expect(await run('jobs', 'watch', 'nope')).toEqual({ code: 1, stderr: expected });
  });

  it.each([
    [{ code: 'window_closed', message: 'Closed.' }, /reply window is closed: .* Send a template with `messaging send`/],
    [
      { code: 'validation_failed', message: 'scheduledAt must be a time, such as 09:30 with `timeZone`; textId too.' },
      /^messaging: --at must be a time, such as 09:30 with `--time-zone`; textId too\./,
    ],
  ])('has its remedy in the words of the command line: %j', async (body, expected) => {
    server.script({ status: 422, body });
    expect(await run('jobs', 'show', 'j-1')).toEqual({ code: 1, stderr: expect.stringMatching(expected) });
  });

  it('lists all errors of the fields, without a reference to the response', async () => {
    const error = (field: string) => ({ field, code: 'required', message: `${field} is required.` });
    const errors = [error('columns.phone'), error('scheduledAt')];
    const message = 'columns.phone is required. See "errors" for all 2 errors.';
    server.script({ status: 400, body: { code: 'validation_failed', message, errors, requestId: 'r-1' } });
    const expected =
      'messaging: The request has 2 errors (validation_failed, request r-1):\n' +
      '  --columns: phone is required.\n  --at is required.\n';
    expect(await run('jobs', 'show', 'j-1')).toEqual({ code: 1, stderr: expected });
  });

  it('says what the command line cannot send', async () => {
    const message = 'products is required: the products of the list.';
    const errors = [{ field: 'products', code: 'required', message }];
    server.script({ status: 422, body: { code: 'extras_mismatch', message, errors } });
    const { stderr } = await run('send', '4915112345678', '--template', 'top_sellers', '--language', 'en_US');
    expect(stderr).toContain('The template needs products, which the command line does not have: send it with the API');
  });

  it('is none for the names of other command lines, and statuses in lower case', async () => {
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No.' } });
    await run('jobs', 'get', 'j-1');
    expect(server.seen[0]!.path).toContain('/bulk-jobs/j-1');
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No.' } });
    await run('jobs', 'ls', '--status', 'paused');
    expect(server.seen[0]!.path).toContain('status=Paused');
  });

  it.each([
    ['send', '4915112345678'],
    ['import', 'list.csv'],
    ['group', 'Berlin'],
  ])('names a misspelt option before a missing one: %s', async (...words) => {
    const misspelt = await run(...words, '--templat', 'x');
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toMatch(/^messaging: unknown option '--templat'\n\(Did you mean --template\?\)\n/);
    const missing = await run(...words);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/^messaging: required option '--template <name>' not specified\n/);
  });
});
