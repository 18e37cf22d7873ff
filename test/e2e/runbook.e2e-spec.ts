import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createApiKey,
  createContact,
  createWebhookEndpoint,
  getBulkJobStatus,
  getMe,
  listAccountSenders,
} from '../../libs/client/generated/sdk.gen';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { documentedCode } from '../support/documented-code';
import { anotherAccount } from '../support/process/accounts';
import { control, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { MAIN } from '../support/process/command-line';
import { KEY, type Service, startService } from '../support/process/service';

const run = promisify(execFile);
const PHONE = '4915112345678';

describe('The commands of docs/runbook.md', () => {
  const blocks = documentedCode('runbook.md', 'sh').map(({ section, code }): [string, string] => [section, code]);
  let service: Service;
  let client: Client;
  let folder: string;
  let variables: Record<string, string>;
  let pausedJob: string;
  let runningJob: string;
  let ownAccount: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runbook-'));
    await writeFile(join(folder, 'messaging'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
      mode: 0o755,
    });
    service = await startService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', MESSAGES_PER_SECOND: '20' } });
    client = new Client(service);
    const messaging = client.messaging();
    ownAccount = (await messaging.call(getMe, {})).account.id;
    const job = await sendTo(client, phones(5));
    await ended(client, job);
    pausedJob = await sendTo(client, phones(500, 100));
    await control(client, 'pause', pausedJob);
    runningJob = await sendTo(client, phones(500, 700));
    const endpoint = { url: 'http://127.0.0.1:9/events', events: ['message.failed' as const] };
    const key = { name: 'leaked', scopes: ['messaging:read' as const] };
    await messaging.call(createContact, { body: { phone: PHONE } });
    const { id: account } = await anotherAccount(client);
    const { items } = await messaging.call(listAccountSenders, { path: { accountId: account } });
    const { PATH: path } = process.env;
    variables = {
      PATH: `${folder}:${path}`,
      URL: service.url,
      PUBLIC_URL: service.url,
      METRICS: `${service.url}/metrics`,
      EVERY: `${service.url}/metrics`,
      API: service.api,
      KEY,
      PHONE,
      ACCOUNT: account,
      SENDER: items[0]!.id!,
      ACCESS_TOKEN: SANDBOX_CREDENTIALS.accessToken,
      APP_SECRET: SANDBOX_CREDENTIALS.appSecret,
      JOB: job,
      ENDPOINT: (await messaging.call(createWebhookEndpoint, { body: endpoint })).id,
      LEAKED: (await messaging.call(createApiKey, { body: key })).id,
    };
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(blocks)('run: %s', async (section, code) => {
    const isAboutPaused = section === 'Jobs are paused or failed';
    const isAboutOwnJob = section === 'Why a job waits';
    const env = {
      ...variables,
      ...(isAboutPaused && { JOB: pausedJob }),
      ...(section === 'Send outside the hours' && { JOB: runningJob }),
      ...(isAboutOwnJob && { ACCOUNT: ownAccount }),
    };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], { env, cwd: folder });
    expect(stdout).not.toMatch(/"statusCode":|undefined/);
    if (section === 'Webhooks of the platform are silent') expect(stdout).toBe('403\n');
    if (!isAboutPaused) return;
    const { status } = await client.messaging().call(getBulkJobStatus, { path: { jobId: pausedJob } });
    expect(status).not.toBe('Paused');
  });

  it('keep nothing of an earlier list, and fail with a message, while requests fail', async () => {
    const [, code] = blocks.find(([section, text]) => section === 'Who was sent what' && text.includes('sent.tsv'))!;
    const list = join(folder, 'sent.tsv');
    await writeFile(list, 'of yesterday\n');
    const env = { ...variables, URL: 'http://127.0.0.1:9' };
    const ended = run('bash', ['-euc', code], { env, cwd: folder });
    await expect(ended).rejects.toMatchObject({ stderr: expect.stringContaining('could not be reached') as string });
    expect(await readFile(list, 'utf8')).toBe('');
  });

  it('are many, and only variables are no commands', () => {
    expect(blocks.length).toBeGreaterThan(12);
    const others = documentedCode('runbook.md', 'text').map(({ section }) => section);
    expect(others).toEqual(['# Runbook', '# Runbook']);
  });
});
