import { rm } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { createWebhookEndpoint } from '../../libs/client/generated/sdk.gen';
import { version } from '../../package.json';
import { openDataSource } from '../../src/infra/database/data-source';
import type { Migration } from '../../src/infra/database/migrations';
import { SCHEMA } from '../../src/schema/schema';
import { Platform } from '../support/process/platform';
import { outcomeOf, spawnService, until } from '../support/process/service';
import { unpack, versionBefore } from '../support/releases/packs';
import { WebhookReceiver } from '../support/webhook-receiver';
import { embeddedStore, type KillableService, pause } from './processes';
import { ConsistencyCheck } from './support/consistency';
import { Deployment } from './support/deployment';
import { UNANSWERED_PER_JOB, Workload } from './support/workload';

const RECIPIENTS = 400;
const ENV = {
  PLATFORM_TIMEOUT_SECONDS: '3',
  UNKNOWN_GRACE_SECONDS: '3',
  SHUTDOWN_DELAY_SECONDS: '1',
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
const MIGRATE_MS = 180_000;
/** What the next version may do: the version before continues with it. */
const EXPANSION: Migration = {
  name: '9998-upgrade-expansion',
  transaction: false,
  statements: [
    'ALTER TABLE bulk_jobs ADD COLUMN IF NOT EXISTS note text',
    `ALTER TABLE messages ADD COLUMN IF NOT EXISTS note text NOT NULL DEFAULT ''`,
    'DROP INDEX CONCURRENTLY IF EXISTS job_recipients_by_note',
    'CREATE INDEX CONCURRENTLY job_recipients_by_note ON job_recipients (job_id, phone)',
  ],
};
/** What it may not do. */
const CONTRACTION: Migration = {
  name: '9999-upgrade-contraction',
  statements: ['ALTER TABLE single_sends RENAME COLUMN valid_until TO ends_at'],
};

describe(`Processes of version ${versionBefore()} and of this tree (${version}), under load`, () => {
  let before: string;
  let platform: Platform;
  let receiver: WebhookReceiver;
  let deployment: Deployment;
  let work: Workload;
  let consistency: ConsistencyCheck;

  beforeAll(() => {
    Logger.overrideLogger(false);
    before = unpack(versionBefore());
  });

  afterAll(() => rm(before, { recursive: true, force: true }));

  beforeEach(async () => {
    platform = await Platform.spawn({ latencyMs: 100, latencyJitterMs: 200 });
    receiver = await new WebhookReceiver().start();
  });

  afterEach(async () => {
    await deployment?.close();
    await receiver.close();
    await platform.close();
  });

  /** Starts the version before and lets clients send single messages. */
  async function startBefore(processes: { apis: number; workers: number }): Promise<void> {
    deployment = await Deployment.start({ platform, reports: true, env: ENV, dist: before, ...processes });
    const reachable = () =>
      Math.max(
        0,
        deployment.apis.findIndex(({ alive }) => alive),
      );
    const keys = await deployment.keys(0);
    work = new Workload(() => deployment.client(reachable()), keys, RECIPIENTS);
    consistency = new ConsistencyCheck(deployment, platform);
    await work.makeGroups();
    work.beginSingles();
  }

  /** As an operator does it: `npm run migrate` of this tree. Then a migration of the version after it. */
  async function migrate(planted: Migration): Promise<void> {
    const databaseUrl = deployment.postgres.url;
    const folder = await embeddedStore();
    const child = spawnService({ ...folder, databaseUrl }, { program: 'migrate', platformUrl: platform.url });
    expect(await outcomeOf(child, MIGRATE_MS)).toMatchObject({ code: 0 });
    await folder.drop();
    const schema = { ...SCHEMA, migrations: [...SCHEMA.migrations, planted] };
    await (await openDataSource({ databaseUrl, dataDir: '', schema }, [])).destroy();
  }

  /** Replaces the API processes one after the other, and beside them the workers. */
  async function replaceAll(dist?: string, afterFirst = () => {}): Promise<void> {
    for (const [n, api] of deployment.apis.entries()) {
      await Promise.all([replace(api, dist), replace(deployment.workers[n]!, dist)]);
      if (n === 0) afterFirst();
    }
  }

  async function replace(one: KillableService, dist?: string): Promise<void> {
    expect(await one.stop()).toBe(0);
    await one.start(dist);
  }

  it('are migrated and replaced one by one, forth and back: nobody twice, nobody lost, no failed request', async () => {
    const started = performance.now();
    await startBefore({ apis: 2, workers: 2 });
    const body = { url: receiver.url, events: ['job.completed' as const] };
    await deployment.client().messaging().call(createWebhookEndpoint, { body });
    work.beginJob('list', 0);
    await pause(1_000);
    await migrate(EXPANSION);
    await replaceAll(undefined, () => work.beginJob('group', 0));
    await replaceAll(before);
    await work.taken();

    await consistency.ended(work.jobs);
    await consistency.expectProved();
    const unknown = (await consistency.expectJobs(work.jobs)) + (await consistency.expectSingles(work.singles));
    expect(unknown).toBeLessThanOrEqual(work.jobs.length * UNANSWERED_PER_JOB);
    consistency.expectNoneFailed();
    expect(work.singles.filter(({ status }) => status !== 201 && status !== 202)).toEqual([]);
    const told = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    await until(() => Promise.resolve(told() === work.jobs.length), 20_000, 'an event for each job');
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    process.stdout.write(
      `${work.jobs.length} jobs, ${work.singles.length} single sends, ${unknown} unknown, ${seconds} s\n`,
    );
  });

  it('fail visibly after a migration that the version before does not survive', async () => {
    await startBefore({ apis: 1, workers: 1 });
    await pause(500);
    consistency.expectNoneFailed();
    await migrate(CONTRACTION);
    const failed = () => work.singles.some(({ status }) => status === 500);
    await until(() => Promise.resolve(failed()), 20_000, 'a request fails');
    // They hold answers that they cannot record, and would not stop.
    await Promise.all(deployment.all.map((one) => one.kill()));
    await work.taken();
  });
});
