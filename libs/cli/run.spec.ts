import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { ScriptedServer } from '../../test/support/scripted-server';
import { runCommand } from './run';

const REFUSED = { status: 401, body: { code: 'unauthorized', message: 'No.' } };
const ME = { status: 200, body: { account: { name: 'Shop' } } };
const LISTS = { errorsByCode: [], errors: [], sample: [], warnings: [], plan: { estimatedSeconds: 1 } };
const SKIPPED = 'Send to 594 recipients? Skipped: 5 invalid, 1 opted out, 3 duplicates. ';
const UNPLANNED = { totalRecipients: 1, invalidRows: 0, duplicateRows: 0, optedOut: 0 };
const IN_GERMAN = ['--template', 'x', '--language', 'de'];
const LOADED_LATE = [
  './problems',
  './commands/admin',
  './commands/keys',
  './commands/login',
  './commands/jobs',
  './commands/people',
  './commands/sandbox',
  './commands/sending',
  './commands/templates',
  '../client/messaging-client',
];
// Node needs the name of the built file in an import() and Jest finds the source alone.
for (const file of LOADED_LATE) jest.doMock(`${file}.js`, () => jest.requireActual<object>(file), { virtual: true });

describe('A command line', () => {
  const { env } = process;
  let server: ScriptedServer;
  let home: string;

  beforeEach(async () => {
    server = await new ScriptedServer().start();
    home = await mkdtemp(join(tmpdir(), 'cli-'));
    process.env = { ...env, XDG_CONFIG_HOME: home, MESSAGING_URL: server.url, MESSAGING_API_KEY: 'key-1' };
  });

  afterEach(async () => {
    process.env = env;
    await server.close();
    await rm(home, { recursive: true });
  });

  /** Runs a command; `typed` is its input from a pipe. */
  async function run(words: readonly string[], typed = '', stdin: Readable = Readable.from([typed])) {
    const written = { stdout: '', stderr: '' };
    const atError = process.stdout.listeners('error');
    const spies = [
      jest.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
      ...(['stdout', 'stderr'] as const).map((stream) =>
        jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((written[stream] += String(piece)))),
      ),
    ];
    try {
      return { code: await runCommand(['node', 'messaging', ...words]), ...written };
    } finally {
      spies.forEach((spy) => spy.mockRestore());
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
      for (const each of process.stdout.listeners('error'))
        if (!atError.includes(each)) process.stdout.off('error', each as () => void);
    }
  }

  async function listFile(): Promise<string> {
    const file = join(home, 'list.csv');
    await writeFile(file, 'phone\n4915112345678\n');
    return file;
  }

  /** Removes these variables. */
  const without = (...names: string[]) => names.forEach((name) => delete process.env[name]);

  /** Stores a login like `messaging login`. */
  async function keepLogin(): Promise<void> {
    await mkdir(join(home, 'messaging'));
    await writeFile(join(home, 'messaging/login.json'), JSON.stringify({ url: server.url, key: 'kept' }));
  }

  describe('that asks', () => {
    it.each([
      ['URL of the service', '--url', []],
      ['API key', '--key', ['--url', 'http://127.0.0.1:9']],
    ])('names the option for the %s without a terminal', async (what, option, words) => {
      without('MESSAGING_URL', 'MESSAGING_API_KEY');
      const stderr = expect.stringMatching(
        new RegExp(`^messaging: ${what}: No terminal to prompt on; pass it with ${option} `),
      );
      expect(await run(['login', ...words])).toEqual({ code: 2, stdout: '', stderr });
      expect(existsSync(join(home, 'messaging'))).toBe(false);
    });

    it.each(['piped-key\n', 'piped-key'])('reads the key from a pipe: %j', async (typed) => {
      without('MESSAGING_API_KEY');
      server.script(ME);
      expect(await run(['login'], typed)).toMatchObject({ code: 0 });
      expect(server.seen[0]!.headers['x-api-key']).toBe('piped-key');
    });

    it.each([
      ['typed', 'typed-key\r', 'typed-key', 0],
      ['corrected with backspace', 'typed-kez\x7fy\r', 'typed-key', 0],
      ['cancelled with Ctrl-C', 'typed\x03', undefined, 130],
    ])('shows nothing of a key that is %s on a terminal', async (_, typed, key, code) => {
      without('MESSAGING_API_KEY');
      server.script(ME);
      const modes: boolean[] = [];
      const setRawMode = (mode: boolean) => modes.push(mode);
      const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
      terminal.write(typed);
      const ended = await run(['login'], '', terminal);
      expect(ended.code).toBe(code);
      expect(ended.stdout + ended.stderr).toContain('API key: ');
      expect(ended.stdout + ended.stderr).not.toContain('typed');
      // The terminal itself echoes unless it is in raw mode.
      expect(modes).toEqual([true, false]);
      expect(server.seen[0]?.headers['x-api-key']).toBe(key);
    });

    it('names the option to confirm without a terminal', async () => {
      const { code, stderr } = await run(['keys', 'revoke', 'key-id']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('No terminal to prompt on; confirm with --yes')]);
    });
  });

  describe('with a URL that cannot be called', () => {
    const line =
      /^messaging: "(127\.0\.0\.1|localhost):3000" is not a URL: write it with http:\/\/ or https:\/\/, such as http:\/\/127\.0\.0\.1:3000\.\n$/;

    it.each([
      ['login', ['login', '--url', '127.0.0.1:3000']],
      ['another command', ['whoami', '--url', 'localhost:3000']],
      ['the sandbox', ['sandbox', 'say', 'Hello', '--sandbox', 'localhost:3000']],
    ])('shows the right form: %s', async (_, words) => {
      expect(await run(words)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
    });

    it('advises against https on a server without it', async () => {
      process.env.MESSAGING_URL = server.url.replace('http:', 'https:');
      const stderr = expect.stringMatching(/^messaging: .* in TLS; write http:\/\/ instead of https:\/\/\.\n$/);
      expect(await run(['whoami'])).toMatchObject({ code: 4, stderr });
    });

    it('also for the variable', async () => {
      process.env.MESSAGING_URL = '127.0.0.1:3000';
      expect(await run(['whoami'])).toMatchObject({ code: 2, stderr: expect.stringMatching(line) });
    });
  });

  describe('with an invalid path', () => {
    it('rejects folders and missing files', async () => {
      const folder = await run(['import', home, '--template', 'x']);
      expect([folder.code, folder.stderr]).toEqual([2, `messaging: "${home}" is a folder, not a file.\n`]);
      const missing = await run(['import', `${home}/no.csv`, '--template', 'x']);
      expect([missing.code, missing.stderr]).toEqual([2, `messaging: File not found: ${home}/no.csv.\n`]);
    });

    it.each([
      ['jobs', 'report'],
      ['templates', 'sample'],
    ])('rejects a path that cannot be written: %s %s', async (...words) => {
      const nowhere = await run([...words, 'id', '-o', '/nonexistent/x.csv']);
      const expected = 'messaging: Cannot write /nonexistent/x.csv: the folder does not exist.\n';
      expect([nowhere.code, nowhere.stderr]).toEqual([2, expected]);
      const folder = await run([...words, 'id', '-o', home]);
      expect([folder.code, folder.stderr]).toEqual([2, `messaging: Cannot write ${home}: it is a folder.\n`]);
      expect(server.seen).toEqual([]);
    });
  });

  describe('with a person without a number', () => {
    it.each([['contacts'], ['opt-outs']])('adds the user id: %s', async (what) => {
      server.script({ status: 201, body: { id: 'c-1' } });
      expect((await run([what, 'add', 'US.1349'])).code).toBe(0);
      expect(JSON.parse(server.seen[0]!.body)).toEqual({ userId: 'US.1349' });
    });

    it('lists the user id, and the name of the contact', async () => {
      server.script({ status: 200, body: { items: [{ userId: 'US.1349', contactName: 'Anna' }], nextCursor: null } });
      expect((await run(['opt-outs', 'list'])).stdout).toMatch(/US\.1349\s+Anna/);
      expect(server.seen[0]?.path).toContain('names=true');
    });
  });

  describe('with columns by name', () => {
    const COLUMNS = '{"phone":"Mobile","values":["First name"]}';
    let file: string;

    beforeEach(async () => {
      file = join(home, 'list.csv');
      await writeFile(file, 'Mobile,First name\n12,Ann\n');
    });

    it('sends them, and writes the invalid rows to a file', async () => {
      server.script(
        { status: 200, body: { ...UNPLANNED, ...LISTS, invalidRows: 1 } },
        { status: 200, body: 'problem,row\n', headers: { 'content-type': 'text/csv' } },
      );
      const rows = join(home, 'bad.csv');
      const words = ['import', file, ...IN_GERMAN, '--columns', COLUMNS, '--bad-rows', rows, '--check'];
      const { code, stderr } = await run(words);
      expect([code, stderr]).toEqual([5, expect.stringContaining(`Invalid rows written to ${rows}`)]);
      expect(await readFile(rows, 'utf8')).toBe('problem,row\n');
      const [check, badRows] = server.seen;
      expect(check!.body).toContain(COLUMNS);
      expect(check!.body).not.toContain('name="badRows"');
      expect(badRows!.body).toMatch(/name="badRows"\r\n\r\ncsv/);
    });

    it.each([
      ['--columns', 'Mobile', 'It must be a JSON object'],
      ['--bad-rows', 'bad.pdf', 'ends in .pdf'],
    ])('refuses %s %s', async (option, value, expected) => {
      const { code, stderr } = await run(['import', file, ...IN_GERMAN, option, value]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
      expect(server.seen).toEqual([]);
    });
  });

  it('sends header media, payloads, sheet, header row and a window in the time zone', async () => {
    const file = await listFile();
    server.script({ status: 200, body: { ...UNPLANNED, ...LISTS } });
    const what = ['--media-url', 'https://example.com/a.pdf', '--payload', '0=YES', '--cell-language', 'de', '--check'];
    const when = ['--send-window', 'mon-fri 09:00-18:00', '--time-zone', 'Europe/Berlin'];
    await run(['import', file, ...IN_GERMAN, ...what, ...when, '--sheet', 'A & B', '--header-row', '3']);
    const { body } = server.seen[0]!;
    const window = { from: '09:00', until: '18:00', days: [1, 2, 3, 4, 5], timeZone: 'Europe/Berlin' };
    const media = { headerMediaUrl: 'https://example.com/a.pdf', quickReplyPayloads: '{"0":"YES"}' };
    const fields = { ...media, sheet: 'A & B', headerRow: '3', cellLanguage: 'de', sendWindow: JSON.stringify(window) };
    for (const [name, text] of Object.entries(fields)) expect(body).toContain(`name="${name}"\r\n\r\n${text}\r\n`);
    expect(body).not.toContain('name="timeZone"');
  });

  describe('whose key the service rejects', () => {
    const flag = 'The service rejected the API key given with --key. Correct it';
    const variable = 'The service rejected the API key given in MESSAGING_API_KEY. Correct it';
    const hint = ', or remove it to use the key of `messaging login`';

    beforeEach(() => server.script(REFUSED));

    it.each([
      ['a flag, before the variable', true, ['whoami', '--key', 'wrong'], ['MESSAGING_URL'], `${flag}.`],
      ['a flag, before a login', true, ['whoami', '--key', 'wrong'], ['MESSAGING_API_KEY'], `${flag}${hint}.`],
      ['a flag alone', false, ['whoami', '--key', 'wrong'], ['MESSAGING_API_KEY'], `${flag}.`],
      ['the variable, before a login', true, ['whoami'], [], `${variable}${hint}.`],
      ['the variable alone', false, ['whoami'], [], `${variable}.`],
      [
        'a login',
        true,
        ['whoami'],
        ['MESSAGING_API_KEY'],
        'The service rejected this API key. Log in with `messaging login`.',
      ],
      ['a flag of login', true, ['login', '--key', 'wrong'], ['MESSAGING_API_KEY'], `${flag}.`],
      ['typed to login', true, ['login'], ['MESSAGING_API_KEY'], 'The service rejected this API key.'],
    ])('names the remedy: %s', async (_, isKept, words, missing, expected) => {
      if (isKept) await keepLogin();
      without(...missing);
      expect(await run(words, 'wrong\n')).toEqual({ code: 3, stdout: '', stderr: `messaging: ${expected}\n` });
    });
  });

  describe('that sends', () => {
    it.each([
      [
        'Unknown',
        6,
        /^The platform did not answer: the message may have been sent\. Do not send it again before its status is known: `messaging messages show m-1`\.\n$/,
      ],
      ['Sent', 0, /^$/],
    ])('explains %s, and exits with %s', async (status, code, note) => {
      server.script({ status: 201, body: { status, messageId: 'm-1' } });
      const ended = await run(['send', '4915112345678', ...IN_GERMAN]);
      expect(ended).toEqual({ code, stdout: `${status}  m-1\n`, stderr: expect.stringMatching(note) });
    });

    it.each([
      ['+49 (0) 151/1234-5678', '49015112345678'],
      ['004915112345678', '4915112345678'],
    ])('reads %s as the digits %s', async (phone, to) => {
      server.script({ status: 201, body: { status: 'Sent', messageId: 'm-1' } });
      expect(await run(['send', phone, ...IN_GERMAN])).toMatchObject({ code: 0 });
      expect(JSON.parse(server.seen.at(-1)!.body)).toMatchObject({ to });
    });

    it.each(['abc49 15112345678', '4915112345678 x'])('sends nothing to %s', async (phone) => {
      const before = server.seen.length;
      const ended = await run(['send', phone, ...IN_GERMAN]);
      expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('is not a phone number') });
      expect(server.seen).toHaveLength(before);
    });

    it.each([
      ['somebody', {}, true],
      ['no one: every row is invalid', { invalidRows: 1 }, false],
      ['no one: everyone opted out', { optedOut: 1 }, false],
    ])('shows the duration of a send to %s', async (_, counts, isSaid) => {
      server.script({ status: 200, body: { ...UNPLANNED, ...LISTS, ...counts } });
      const file = await listFile();
      const { stderr } = await run(['import', file, ...IN_GERMAN, '--check']);
      expect(stderr).toContain('1 recipient: ');
      expect(stderr.includes('It would take about 1 s.')).toBe(isSaid);
    });
  });

  describe('that asks before an import', () => {
    it.each([
      ['the number that is sent', { totalRecipients: 600, invalidRows: 5, optedOut: 1 }, 2, SKIPPED],
      ['nothing: no recipient is left', { totalRecipients: 2, invalidRows: 1, optedOut: 1 }, 5, 'nothing was sent.\n'],
    ])('asks %s', async (_, counts, code, expected) => {
      server.script({ status: 200, body: { ...UNPLANNED, duplicateRows: 3, ...LISTS, ...counts } });
      expect(await run(['import', await listFile(), ...IN_GERMAN])).toMatchObject({
        code,
        stderr: expect.stringContaining(expected),
      });
    });
  });

  it('sends nothing, and asks nothing, with --reject-invalid and an invalid row', async () => {
    server.script({ status: 200, body: { ...UNPLANNED, ...LISTS, totalRecipients: 2, invalidRows: 1 } });
    const { code, stderr } = await run(['import', await listFile(), ...IN_GERMAN, '--reject-invalid', '--yes']);
    expect([code, stderr, server.seen.length]).toEqual([1, expect.stringContaining('or omit --reject-invalid'), 1]);
  });

  describe('that retries a job', () => {
    const coded = 'already_retried: job j-2; cancel one of the two, or retry with skipRetried';
    const warning = 'Job j-2; cancel one of the two, or retry with --skip-retried';
    const ok = (body: object) => ({ status: 200, body });
    const check = (...warnings: string[]) => ok({ recipients: 2, byErrorCode: [], unreachable: [], warnings });

    it.each([
      [[], 'A retry would reach 2 recipients.\nmessaging: Send again to 2 recipients?'],
      [[coded], `${warning}\nmessaging: Another job already retries some; --skip-retried leaves them out. Send`],
    ])('names another retry of the same recipients before sending: %j', async (warnings, expected) => {
      server.script(check(...warnings), ok({ items: [] }));
      const { code, stderr } = await run(['jobs', 'retry', 'j-1']);
      expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
    });

    it('names a retry that was created in the meantime, and sends from the given sender', async () => {
      const made = { jobId: 'j-3', totalRecipients: 2, warnings: [coded] };
      const items = [{ phoneNumberId: '1' }, { id: 's-2', phoneNumberId: '2' }];
      server.script(ok({ items }), ok({ ...check().body, leftOut: 1 }), ok({ items: [] }), { status: 202, body: made });
      const { stderr } = await run(['jobs', 'retry', 'j-1', '--sender', '2', '--skip-retried', '--yes', '--no-wait']);
      expect(server.seen.filter(({ body }) => body.includes('"skipRetried":true,"senderId":"s-2"'))).toHaveLength(2);
      const leftOut = '  1 × left out: an earlier retry reached them, or may';
      expect(stderr.split('\n')).toEqual([expect.anything(), leftOut, 'Accepted: job j-3, 2 recipients', warning, '']);
    });
  });

  describe('that writes a report', () => {
    it.each([
      ['r.xlsx', [], 'xlsx'],
      ['R.XLSX', ['--format', 'xlsx'], 'xlsx'],
      ['r.csv', [], 'csv'],
      ['r.txt', ['--format', 'xlsx'], 'xlsx'],
      ['r.csv', ['--layout', 'standard'], 'csv&layout=standard'],
    ])('requests the format of the file ending: %s %j', async (name, words, format) => {
      server.script({ status: 200, body: {} });
      expect(await run(['jobs', 'report', 'j-1', '-o', join(home, name), ...words])).toMatchObject({ code: 0 });
      expect(server.seen[0]!.path).toContain(`format=${format}`);
    });

    it.each([
      ['jobs', 'report'],
      ['templates', 'sample'],
    ])('rejects a format that contradicts the file ending: %s %s', async (...words) => {
      const { code, stderr } = await run([...words, 'id', '-o', 'r.xlsx', '--format', 'csv']);
      const expected = 'r.xlsx ends in .xlsx, but --format is csv: omit --format, or use a file name ending in .csv.';
      expect([code, stderr]).toEqual([2, `messaging: ${expected}\n`]);
      expect(server.seen).toEqual([]);
    });
  });

  describe('that explains itself', () => {
    it.each<[string[], string[]]>([
      [
        ['webhooks', 'listen'],
        ['comma-separated; default: all', 'public URL that forwards to this machine'],
      ],
      [['keys', 'create'], ['scope of the key; repeatable']],
      [['import'], ['your own reference', 'also send to duplicate rows']],
      [['jobs', 'retry'], ['recipients it did not reach']],
    ])('shows its options and those of every command: %s', async (words, texts) => {
      const { code, stdout } = await run([...words, '--help']);
      const oneLine = stdout.replace(/\s+/g, ' ');
      expect(code).toBe(0);
      for (const text of [...texts, '--json', '--yes', '--url <url>', '--key <key>']) expect(oneLine).toContain(text);
    });

    it('refers to its usage, and names valid numbers', async () => {
      const { code, stderr } = await run(['opt-outs', 'list', '--limit', '0']);
      expect(code).toBe(2);
      expect(stderr).toContain('It must be a whole number, 1 or more.');
      expect(stderr).toContain('(run with --help for usage)');
    });
  });
});
