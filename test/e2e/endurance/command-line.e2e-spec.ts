import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anotherAccount } from '../../support/process/accounts';
import { control, groupOf, phones, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { CommandLine } from '../../support/process/command-line';
import { Platform } from '../../support/process/platform';
import { KEY, type Service, startService } from '../../support/process/service';
import { ScriptedServer } from '../../support/scripted-server';

const LONGEST_START_MS = 200;
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

describe('The command line', () => {
  let platform: Platform;
  let service: Service;
  let home: string;
  let messaging: CommandLine;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'command-line-'));
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    messaging = new CommandLine(service.url, home);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Writes a file with these rows to the folder of the command line. */
  async function fileOf(name: string, numbers: readonly string[], more = ''): Promise<string> {
    await writeFile(join(home, name), `phone\n${numbers.join('\n')}\n${more}`);
    return name;
  }

  it('stores a login for its owner only, which flags and the environment override', async () => {
    const nowhere = { MESSAGING_URL: '', MESSAGING_API_KEY: '' };
    const away = await new CommandLine('', home).run(['whoami'], nowhere);
    expect([away.code, away.stderr]).toEqual([2, expect.stringContaining('messaging login')]);
    const login = await messaging.run(['login', '--url', service.url, '--key', KEY]);
    expect([login.code, login.stdout]).toEqual([0, '']);
    const kept = join(home, 'config/messaging/login.json');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ url: service.url, key: KEY });
  });

  it.each<[string, string[], number, RegExp]>([
    [
      'a wrong key',
      ['whoami', '--key', 'wrong-key'],
      3,
      /^messaging: The service rejected the API key given with --key\. Correct it\.\n$/,
    ],
    ['an unreachable service', ['whoami', '--url', 'http://127.0.0.1:9'], 4, /The service could not be reached: .*\n$/],
    ['an invalid URL', ['whoami', '--url', 'there'], 2, /^messaging: "there" is not a URL: .*\n$/],
    [
      'an unknown template',
      ['send', '4915112345678', '--template', 'none'],
      1,
      /\(template_not_found, request .*\)\n$/,
    ],
    ['an unknown command', ['sned'], 2, /Did you mean send\?/],
    ['a missing file', ['import', 'no.csv', '--template', 'hello_world'], 2, /File not found: no\.csv\.\n$/],
    ['nobody to ask', ['opt-outs', 'list', '--limit', '0'], 2, /whole number, 1 or more/],
  ])('exits with one clear line for %s', async (_, words, code, line) => {
    const ended = await messaging.run(words);
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(line) });
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
  });

  it('names the wrong key, and detects a foreign server', async () => {
    const wrong = await messaging.run(['whoami'], { MESSAGING_API_KEY: 'wrong-key' });
    expect([wrong.code, wrong.stderr]).toEqual([
      3,
      expect.stringContaining('the API key given in MESSAGING_API_KEY. Correct it'),
    ]);
    const other = await new ScriptedServer().start();
    other.script({ status: 401, body: '<h1>Who are you?</h1>' });
    const ended = await messaging.run(['whoami', '--url', other.url]);
    await other.close();
    const line = /^messaging: The response is not from the messaging service: HTTP 401 from http.*\n$/;
    expect(ended).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(line) });
  });

  it('sends one message, and shows it', async () => {
    const words = ['send', '+49 151 12345678', 'Mira', 'PK-1', '--template', 'order_update', '--reference', 'order-1'];
    const sent = await messaging.json<{ messageId: string; status: string }>(...words);
    expect(sent.status).toBe('Sent');
    const found = await messaging.json<{ id: string }[]>('messages', 'list', '--reference', 'order-1');
    expect(found.map(({ id }) => id)).toEqual([sent.messageId]);
    const { stdout } = await messaging.run(['messages', 'show', sent.messageId]);
    expect(stdout).toMatch(/^text +Hi Mira|^text .*Mira/m);
    expect(stdout).toMatch(/^to +4915112345678$/m);
    const listed = await messaging.run(['messages', 'list', '--reference', 'order-1']);
    expect(listed.stdout).toContain(`${sent.messageId}\t4915112345678\tOutbound`);
  });

  it('sends from another sender of the account, by its number or id', async () => {
    const words = ['send', '4915112345678', '--template', 'hello_world', '--sender'];
    const only = await messaging.run([...words, '1']);
    expect([only.code, only.stderr]).toEqual([1, expect.stringContaining('Leave out --sender')]);
    const client = new Client(service);
    const { id: accountId } = (await client.get('/me')).body.account;
    const sender = { phoneNumberId: '700000000000002', businessAccountId: '204876543210002' };
    const display = { ...sender, displayPhoneNumber: '+49 30 7002' };
    const { id } = (await client.post(`/accounts/${accountId}/senders`, display)).body;
    for (const named of [id, '+49307002', sender.phoneNumberId]) await messaging.json(...words, named);
    const last = (await platform.ledger()).slice(-3).map(({ phoneNumberId }) => phoneNumberId);
    expect(last).toEqual(Array.from({ length: 3 }, () => sender.phoneNumberId));
    const unknown = await messaging.run([...words, '+49 30 1']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('+49 30 7002')]);
    expect((await client.call('DELETE', `/accounts/${accountId}/senders/${id}`)).status).toBe(204);
  });

  it('checks a file without sending; other programs get only JSON', async () => {
    const file = await fileOf('check.csv', phones(3, 9100), '12\n');
    const { code, stdout, stderr } = await messaging.run([
      'import',
      file,
      '--template',
      'hello_world',
      '--check',
      '--json',
    ]);
    expect([code, JSON.parse(stdout)]).toEqual([5, expect.objectContaining({ totalRecipients: 4, invalidRows: 1 })]);
    expect(stderr).toMatch(/1 error \(phone_invalid\), row 5: /);
    expect(await messaging.json('jobs', 'list')).toEqual([]);
  });

  it('asks before sending; without a terminal it names the option', async () => {
    const file = await fileOf('ask.csv', phones(2, 9150));
    const ended = await messaging.run(['import', file, '--template', 'hello_world']);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('Send to 2 recipients? No terminal to prompt on; confirm with --yes'),
    ]);
    expect(await messaging.json('jobs', 'list')).toEqual([]);
  });

  it('neither asks nor sends without a valid row', async () => {
    const file = await fileOf('nobody.csv', ['12', '13']);
    for (const more of [[], ['--yes']]) {
      const ended = await messaging.run(['import', file, '--template', 'hello_world', ...more]);
      expect([ended.code, ended.stderr]).toEqual([5, expect.stringMatching(/No valid recipients.*\n$/)]);
    }
    const { code, stdout } = await messaging.run(['import', file, '--template', 'hello_world', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([5, expect.objectContaining({ totalRecipients: 2, invalidRows: 2 })]);
  });

  it('imports a file, follows the job, summarises it with reasons, reports, and retries', async () => {
    const numbers = [...phones(20, 9200), '491522000002'];
    const file = await fileOf('list.csv', numbers, '12\n');
    const ended = await messaging.run(['import', file, '--template', 'hello_world', '--yes']);
    expect(ended.code).toBe(5);
    expect(ended.stdout).toMatch(/^sent +20$/m);
    expect(ended.stdout).toMatch(/phone_invalid\t1\t0\t0\tno\t23/);
    const jobId = ID.exec(ended.stderr)![0];
    expect(await messaging.json('jobs', 'show', jobId)).toMatchObject({ jobId, status: 'Completed', failed: 2 });
    const report = await messaging.run(['jobs', 'report', jobId, '--status', 'Failed']);
    expect(report.stdout.trim().split('\n')).toHaveLength(3);
    const trial = await messaging.run(['jobs', 'retry', jobId, '--dry-run', '--json']);
    expect(trial.code).toBe(0);
    expect(JSON.parse(trial.stdout)).toEqual({
      recipients: 1,
      byErrorCode: [{ errorCode: 'recipient_unreachable', count: 1 }],
      unreachable: [{ errorCode: 'phone_invalid', count: 1 }],
      warnings: [],
    });
    expect(await messaging.json('jobs', 'list')).toHaveLength(1);
    const asked = await messaging.run(['jobs', 'retry', jobId]);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('Send again to 1 recipient? No terminal to prompt on'),
    ]);
    const empty = await messaging.run(['jobs', 'retry', jobId, '--scope', 'unknown', '--yes']);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('would reach 0 recipients')]);
    const none = await messaging.run(['jobs', 'retry', jobId, '--scope', 'unknown', '--yes', '--json']);
    expect([none.code, JSON.parse(none.stdout)]).toEqual([1, expect.objectContaining({ recipients: 0 })]);
    const again = await messaging.run(['jobs', 'retry', jobId, '--yes', '--no-wait']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/Accepted: job .*, 1 recipient\n/)]);
  });

  it('shows what a cancelled job waits for', async () => {
    const counts = {
      totalRecipients: 2,
      successfullySent: 0,
      failed: 1,
      pending: 1,
      delivered: 0,
      undelivered: 0,
      invalidRows: 0,
      pauseReason: null,
    };
    const job = { jobId: 'job-1', status: 'Cancelled', error: null, throttled: null, completedAt: null, ...counts };
    const open = { ...job, progressPercentage: 50 };
    const over = { ...job, failed: 0, progressPercentage: 100, completedAt: '2026-01-15T09:30:00.000Z' };
    const slow = await new ScriptedServer().start();
    const end = { status: 200, body: 'event: end\ndata: {}\n\n', headers: { 'content-type': 'text/event-stream' } };
    const answer = { status: 200, body: open };
    slow.script(answer, answer, answer, end, { status: 200, body: over });
    const { stderr } = await messaging.run(['jobs', 'watch', 'job-1', '--url', slow.url]);
    slow.script({ status: 200, body: over });
    const late = await messaging.run(['jobs', 'watch', 'job-1', '--url', slow.url]);
    await slow.close();
    expect(stderr.match(/Cancelled. Waiting for the outcome of messages/g)).toHaveLength(1);
    expect(late.stderr).not.toContain('Waiting for the outcome');
  });

  it('sends to a group with defaults for missing values', async () => {
    expect(await messaging.run(['groups', 'add', 'Without values'])).toMatchObject({ code: 0 });
    const file = await fileOf('contacts.csv', phones(1, 9400), '12\n');
    const importing = await messaging.run(['groups', 'import', 'Without values', file, '--yes']);
    expect(importing).toMatchObject({ code: 5, stdout: '1 contact imported, 1 invalid\n' });
    expect(importing.stderr).toContain('  row 3 (phone_invalid): ');
    const words = ['group', 'Without values', '--template', 'order_update', '--yes'];
    expect((await messaging.run(words)).code).toBe(1);
    const ended = await messaging.run([...words, '--value', 'Mira', '--value', 'PK-9']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/\| .*Mira[^]*PK-9/)]);
  });

  it("sends to several groups with values from attributes, excluding another group's contacts", async () => {
    const [one, two] = phones(2, 9410) as [string, string];
    const client = new Client(service);
    await groupOf(client, 'With attributes', [{ phone: one, attributes: { Order: 'PK-1' } }]);
    await groupOf(client, 'With others', [{ phone: one }, { phone: two }]);
    await groupOf(client, 'Excluded', [{ phone: two }]);
    const words = ['group', 'With attributes', 'With others', '--exclude', 'Excluded', '--template', 'order_update'];
    const ended = await messaging.run([...words, '--attribute', 'First name=there', '--attribute', 'Order', '--yes']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/^1 recipient:[^]*\| .*there[^]*PK-1/)]);
  });

  it('leaves a job running after Ctrl-C, and names it', async () => {
    const file = await fileOf('long.csv', phones(3_000, 10_000));
    const running = messaging.start(['import', file, '--template', 'hello_world', '--yes']);
    await running.wrote('Accepted: job');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    const jobId = ID.exec(stderr)![0];
    expect(code).toBe(130);
    expect(stderr).toMatch(new RegExp(`Interrupted\\. Job ${jobId} continues .*messaging jobs cancel ${jobId}.*\\n$`));
    const cancelled = await messaging.json<{ status: string }>('jobs', 'cancel', jobId, '--yes');
    expect(['Cancelled', 'Completed']).toContain(cancelled.status);
  });

  it('names the job after Ctrl-C while the service is still storing the file', async () => {
    const check = JSON.stringify({
      ...{ totalRecipients: 1, invalidRows: 0, duplicateRows: 0, optedOut: 0, warnings: [], errors: [] },
      ...{ errorsByCode: [], sample: [], columns: [], plan: { estimatedSeconds: null } },
    });
    const answers = [
      { status: 200, body: check },
      { status: 202, body: '{"jobId":"job-1"}' },
    ];
    let posts = 0;
    const slow = createServer((request, response) => {
      const answer = answers[posts++];
      request.resume().on('end', () => {
        const tell = () => response.writeHead(answer!.status, { 'content-type': 'application/json' }).end(answer!.body);
        if (posts === 1) return tell();
        running.child.kill('SIGINT');
        setTimeout(tell, 300);
      });
    });
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const file = await fileOf('never.csv', phones(1, 9300));
    const words = ['import', file, '--template', 'hello_world', '--language', 'en_US', '--yes'];
    const running = new CommandLine(url, home).start(words);
    const { code, stderr } = await running.ended;
    slow.closeAllConnections();
    slow.close();
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Interrupted\. Job job-1 continues .*\n$/)]);
  });

  it('prints the verified events of a local service, and removes its endpoint', async () => {
    const listening = messaging.start(['webhooks', 'listen', '--json']);
    await listening.wrote('Listening as');
    const [endpoint] = await messaging.json<{ id: string }[]>('webhooks', 'list');
    expect((await messaging.run(['webhooks', 'test', endpoint!.id])).code).toBe(0);
    await listening.wrote('webhook.test');
    const [attempt] = await messaging.json<{ id: string }[]>('webhooks', 'deliveries', endpoint!.id);
    const again = await messaging.run(['webhooks', 'redeliver', attempt!.id]);
    expect(again).toMatchObject({ code: 0, stdout: 'Redelivering webhook.test.\n' });
    const since = await messaging.run(['webhooks', 'replay', endpoint!.id, '--since', '1h']);
    expect(since).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Redelivering the events since 20/) });
    listening.child.kill('SIGTERM');
    const { code, stdout } = await listening.ended;
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([code, new Set(types)]).toEqual([0, new Set(['webhook.test'])]);
    expect(await messaging.json('webhooks', 'list')).toEqual([]);
  });

  it('simulates a message from a person in the sandbox', async () => {
    const words = ['sandbox', 'say', 'Hello there', '--from', '4915112349900', '--sandbox', platform.url];
    expect(await messaging.run(words)).toMatchObject({ code: 0, stdout: '4915112349900 wrote: Hello there\n' });
  });

  it('stops and resumes an account, creates and revokes its keys, and shows senders and waiting jobs', async () => {
    const [account] = await messaging.json<{ id: string }[]>('admin', 'accounts');
    expect(await messaging.json('admin', 'stop', account!.id)).toMatchObject({ sendingPaused: true });
    const stopped = (await messaging.run(['admin', 'waiting', '--account', account!.id])).stderr;
    expect(stopped).toContain(
      `sending is STOPPED, so all its jobs wait. Resume with \`messaging admin resume ${account!.id}\`.`,
    );
    expect(await messaging.json('admin', 'resume', account!.id)).toMatchObject({ sendingPaused: false });
    const key = await messaging.json<{ id: string; key: string }>(
      'admin',
      'create-key',
      account!.id,
      'shop',
      '--scope',
      'messaging:send',
    );
    expect((await messaging.run(['whoami', '--key', key.key])).stdout).toMatch(/messaging:send/);
    expect((await messaging.run(['keys', 'list', '--key', key.key])).code).toBe(3);
    expect((await messaging.run(['admin', 'revoke-key', account!.id, key.id, '--yes'])).code).toBe(0);
  });

  it('shows the operator senders of all accounts, and waiting jobs with the reason', async () => {
    const client = new Client(service);
    const other = await anotherAccount(client);
    const jobId = await sendTo(client, phones(2_000, 20_000), {}, other.key);
    await control(client, 'pause', jobId, other.key);
    const senders = await messaging.json<{ account: string }[]>('admin', 'senders');
    expect(new Set(senders.map(({ account }) => account)).size).toBe(2);
    const named = ['--account', other.id];
    expect(await messaging.json('admin', 'senders', ...named)).toMatchObject([{ phoneNumberId: other.phoneNumberId }]);
    const waiting = [{ jobId, status: 'Paused', pauseReason: { code: 'paused_by_client' } }];
    expect(await messaging.json('admin', 'waiting')).toMatchObject(waiting);
    expect(await messaging.json('admin', 'waiting', ...named)).toMatchObject(waiting);
    const none = await messaging.run(['admin', 'senders', '--account', 'nobody']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No account nobody')]);
    expect((await messaging.run(['admin', 'senders', '--key', other.key])).code).toBe(3);
    await control(client, 'cancel', jobId, other.key);
  });

  it('manages templates, contacts and opt-outs', async () => {
    expect(await messaging.json('templates', 'sync')).toMatchObject({ complete: true });
    const preview = await messaging.run(['templates', 'preview', 'order_update', 'Mira', 'PK-1']);
    expect([preview.code, preview.stdout]).toEqual([0, expect.stringContaining('PK-1')]);
    expect((await messaging.run(['templates', 'sample', 'order_update', '-o', '-'])).stdout).toMatch(/,/);
    expect((await messaging.run(['contacts', 'add', '+4915112349911', '--name', 'Tom', '--value', 'Tom'])).code).toBe(
      0,
    );
    expect((await messaging.run(['contacts', 'list'])).stdout).toMatch(
      /^contact\tphone\tname.*\n.*\t4915112349911\tTom/,
    );
    expect((await messaging.run(['opt-outs', 'add', '4915112349911'])).code).toBe(0);
    expect(await messaging.json('opt-outs', 'list')).toHaveLength(1);
    expect((await messaging.run(['opt-outs', 'remove', '4915112349911'])).code).toBe(0);
    expect((await messaging.run(['contacts', 'remove', '4915112349911', '--erase', '--yes'])).code).toBe(0);
  });

  it('completes commands, options and values in bash, and leaves the rest to the shell', async () => {
    const { stdout: script } = await messaging.run(['completion', 'bash']);
    const shown = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _messaging; echo "${COMPREPLY[*]}"';
    const completed = async (...words: string[]) => {
      const command = ['-c', `${script}\n${shown}`, 'bash', 'messaging', ...words];
      return (await promisify(execFile)('bash', command)).stdout.trim();
    };
    expect(await completed('jobs', 're')).toBe('resume retry report');
    expect(await completed('--url', 'https://messaging.example.com', 'jobs', 'w')).toBe('watch');
    expect(await completed('send', '+4915112345678', 'jobs', '--te')).toBe('--template');
    expect(await completed('jobs', 'list', '--js')).toBe('--json');
    expect(await completed('completion', '')).toBe('bash zsh fish');
    expect(await completed('import', '')).toBe('');
    expect(await completed('jobs', 'list', '--status', '')).toBe('');
    expect((await messaging.run(['completion', 'tcsh'])).code).toBe(2);
  });

  it(`shows its help with less than ${LONGEST_START_MS} ms of processor time`, async () => {
    // Processor time, because wall time depends on other load.
    const reporter =
      "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write(`${(user+system)/1000}`)})";
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(reporter)}`;
    const times: number[] = [];
    for (let start = 0; start < 5; start++) {
      const { code, stdout, stderr } = await messaging.run(['--help'], { NODE_OPTIONS });
      expect([code, stdout]).toEqual([0, expect.stringContaining('Exit codes:')]);
      times.push(Number(stderr));
    }
    expect(Math.min(...times)).toBeLessThan(LONGEST_START_MS);
  });
});
