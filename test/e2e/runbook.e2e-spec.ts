import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
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
import { documentedCode } from '../support/documented-code';
import { anotherAccount } from '../support/process/accounts';
import { control, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
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
  let ownAccount: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runbook-'));
    service = await startService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', MESSAGES_PER_SECOND: '20' } });
    client = new Client(service);
    const messaging = client.messaging();
    ownAccount = (await messaging.call(getMe, {})).account.id;
    const job = await sendTo(client, phones(5));
    await ended(client, job);
    pausedJob = await sendTo(client, phones(500, 100));
    await control(client, 'pause', pausedJob);
    const endpoint = { url: 'http://127.0.0.1:9/events', events: ['message.failed' as const] };
    const key = { name: 'leaked', scopes: ['messaging:read' as const] };
    await messaging.call(createContact, { body: { phone: PHONE } });
    const { id: account } = await anotherAccount(client);
    const { items } = await messaging.call(listAccountSenders, { path: { accountId: account } });
    variables = {
      URL: service.url,
      METRICS: `${service.url}/metrics`,
      API: service.api,
      KEY,
      PHONE,
      ACCOUNT: account,
      SENDER: items[0]!.id!,
      ACCESS_TOKEN: 'sandbox-access-token',
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
      ...{ PATH: process.env.PATH, ...variables },
      ...(isAboutPaused && { JOB: pausedJob }),
      ...(isAboutOwnJob && { ACCOUNT: ownAccount }),
    };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], { env, cwd: folder });
    expect(stdout).not.toMatch(/"statusCode":|undefined/);
    if (!isAboutPaused) return;
    const { status } = await client.messaging().call(getBulkJobStatus, { path: { jobId: pausedJob } });
    expect(status).not.toBe('Paused');
  });

  it('are many', () => {
    expect(blocks.length).toBeGreaterThan(12);
  });
});
