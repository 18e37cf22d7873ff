import { ScriptedServer } from '../../test/support/scripted-server';
import { runCommand } from './run';

const COMMANDS = ['jobs', 'templates', 'sending', 'login', 'groups', 'people'].map((name) => `./commands/${name}`);
const LOADED_LATE = ['./problems', ...COMMANDS];
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

  it.each([
    [['templates', 'preview'], 'Name the template, or its file with --draft.'],
    [['templates', 'preview', '--draft', 'package-lock.jsonc'], 'File not found: package-lock.jsonc.'],
    [['templates', 'preview', '--draft', 'LICENSE', 'Mira'], 'LICENSE does not contain a JSON object.'],
  ])('is a preview of nothing: %j', async (words, message) => {
    const { code, stderr } = await run(...words);
    expect([code, stderr, server.seen]).toEqual([2, `messaging: ${message}\n`, []]);
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
    expect(await run('jobs', 'show', 'j-1')).toEqual({ code: 2, stderr: expected });
  });

  it('says what the command line cannot send', async () => {
    const message = 'products is required: the products of the list.';
    const errors = [{ field: 'products', code: 'required', message }];
    server.script({ status: 422, body: { code: 'extras_mismatch', message, errors } });
    const { stderr } = await run('send', '4915112345678', '--template', 'top_sellers', '--language', 'en_US');
    expect(stderr).toContain('The template needs products, which the command line does not have: send it with the API');
  });

  it.each([
    ['a template', ['templates', 'show', 'nope'], 'No template nope: `messaging templates list` lists them, '],
    ['a group', ['groups', 'import', 'nope', 'package.json'], 'No group nope: '],
  ])('is none that names what the service does not have, which it refuses: %s', async (_, words, expected) => {
    server.script({ status: 200, body: { items: [], page: 1, totalPages: 1, nextCursor: null } });
    expect(await run(...words)).toEqual({ code: 1, stderr: expect.stringContaining(expected) });
  });

  it.each(['--key', '--url'])('has an empty %s, as of an unset variable, and uses no other', async (option) => {
    const { code, stderr } = await run('whoami', option, '');
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must not be empty.')]);
    expect(server.seen).toEqual([]);
  });

  it('leaves nobody out by an empty --not-reached-by, as of an unset variable, and sends to nobody', async () => {
    const file = ['package.json', '--template', 'hello_world', '--not-reached-by', ''];
    expect(await run('import', ...file)).toEqual({ code: 2, stderr: expect.stringContaining('It must not be empty.') });
    expect(server.seen).toEqual([]);
  });

  describe('with a key that others can read on its way', () => {
    // Another name of this machine.
    const exposed = () => server.url.replace('127.0.0.1', '0.0.0.0');

    it('warns once', async () => {
      const job = { status: 'Processing', totalRecipients: 5, successfullySent: 2, failed: 0 };
      server.script({ status: 200, body: job });
      const { stderr } = await run('jobs', 'cancel', 'j-1', '--url', exposed());
      expect(stderr.split('Others can read the API key on its way to')).toHaveLength(2);
    });

    it('does not log in without --insecure', async () => {
      const { code, stderr } = await run('login', '--url', exposed());
      expect([code, stderr]).toEqual([2, expect.stringMatching(/: use https:\/\/, or, .*--insecure\.\n$/)]);
      expect(server.seen).toEqual([]);
    });
  });

  it('is one that cancels a job without asking', async () => {
    const job = { status: 'Processing', totalRecipients: 5, successfullySent: 2, failed: 0 };
    server.script({ status: 200, body: job });
    const { code, stderr } = await run('jobs', 'cancel', 'j-1');
    const question =
      'messaging: Cancel job j-1? 3 messages will not be sent. No terminal to prompt on; confirm with --yes.\n';
    expect([code, stderr, server.seen.length]).toEqual([2, question, 1]);
  });

  it('cancels a job with --yes without reading it, for which its key needs another scope', async () => {
    server.script({ status: 409, body: { error: { code: 'job_not_active', message: 'It is over.' } } });
    const { code } = await run('jobs', 'cancel', 'j-1', '--yes');
    expect([code, server.seen.length]).toEqual([1, 1]);
  });

  it.each([
    ['a send', ['send', '4915112345678', '--template', 'x'], 'Interrupted. Nothing was sent.'],
    ['another command', ['jobs', 'show', 'j-1'], 'Interrupted.'],
  ])('is interrupted, and says what did not happen: %s', async (_, words, expected) => {
    server.script(() => process.emit('SIGINT'));
    expect(await run(...words)).toEqual({ code: 130, stderr: `messaging: ${expected}\n` });
  });

  it('has a URL at which no service is running', async () => {
    const { url } = server;
    await server.close();
    const { code, stderr } = await run('whoami', '--url', url);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/ECONNREFUSED .* Check that the service is running, and its URL/),
    ]);
    await server.start();
  });

  it('is none for the names of other command lines, and statuses in lower case', async () => {
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No.' } });
    await run('jobs', 'get', 'j-1');
    expect(server.seen[0]!.path).toContain('/bulk-jobs/j-1');
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No.' } });
    await run('jobs', 'ls', '--status', 'paused');
    expect(server.seen[0]!.path).toContain('status=Paused');
  });

  it('is none that lists the messages of a time', async () => {
    server.script({ status: 200, body: { items: [], nextCursor: null } });
    const yesterday = ['--since', '2026-11-26T00:00+01:00', '--until', '2026-11-27T00:00+01:00'];
    const { code } = await run('messages', 'list', ...yesterday, '--direction', 'outbound');
    const { searchParams } = new URL(server.seen[0]!.path, server.url);
    expect([code, Object.fromEntries(searchParams)]).toMatchObject([
      0,
      {
        direction: 'Outbound',
        createdAfter: '2026-11-25T23:00:00.000Z',
        createdBefore: '2026-11-26T23:00:00.000Z',
      },
    ]);
    expect(await run('messages', 'list', '--since', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Write it as an age'),
    });
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
