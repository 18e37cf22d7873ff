import { Logger } from '@nestjs/common';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { Initial1790000000001 } from './migrations/0001-initial';
import { AccountsConfiguredLimits1790000000002 } from './migrations/0002-accounts-configured-limits';
import { DeliveryWorkers1790000000003 } from './migrations/0003-delivery-workers';
import { JobsAtRest1790000000004 } from './migrations/0004-jobs-at-rest';
import { DatabaseIdentity1790000000005 } from './migrations/0005-database-identity';
import { SendingHeldSends1790000000006 } from './migrations/0006-sending-held-sends';
import { PlatformWebhookSubscriptions1790000000007 } from './migrations/0007-platform-webhook-subscriptions';
import { BulkJobsPauseCodes1790000000008 } from './migrations/0008-bulk-jobs-pause-codes';
import { AccountsSenderTraffic1790000000009 } from './migrations/0009-accounts-sender-traffic';
import { AccountsKeyOverlap1790000000010 } from './migrations/0010-accounts-key-overlap';
import { AccountsAuditLog1790000000011 } from './migrations/0011-accounts-audit-log';
import { MessagesUndelivered1790000000012 } from './migrations/0012-messages-undelivered';
import { ChatHistoryUnread1790000000016 } from './migrations/0016-chat-history-unread';
import { AccountsAuditWithoutKey1790000000019 } from './migrations/0019-accounts-audit-without-key';
import { EventsWebhooks1790000000024 } from './migrations/0024-events-webhooks';
import { BulkJobsEvents1790000000025 } from './migrations/0025-bulk-jobs-events';
import { MessagesFailedOfJobs1790000000027 } from './migrations/0027-messages-failed-of-jobs';
import { AccountsMarketingMessages1790000000028 } from './migrations/0028-accounts-marketing-messages';
import { MessagesAcceptancePricing1790000000029 } from './migrations/0029-messages-acceptance-pricing';
import { IdempotencyAnswers1790000000030 } from './migrations/0030-idempotency-answers';
import { BulkJobsUploads1790000000031 } from './migrations/0031-bulk-jobs-uploads';
import { EventsOutboxWrite1790000000032 } from './migrations/0032-events-outbox-write';
import { EventsSingleBodies1790000000033 } from './migrations/0033-events-single-bodies';
import { BulkJobsWindowWaits1790000000034 } from './migrations/0034-bulk-jobs-window-waits';
import { BulkJobsSchedule1790000000035 } from './migrations/0035-bulk-jobs-schedule';
import { GroupsUsernames1790000000036 } from './migrations/0036-groups-usernames';
import { ChatHistoryJoined1790000000037 } from './migrations/0037-chat-history-joined';
import { DeliveryActivity1790000000038 } from './migrations/0038-delivery-activity';
import { AccountsConsoleSessions1790000000039 } from './migrations/0039-accounts-console-sessions';
import { BulkJobsWindowed1790000000040 } from './migrations/0040-bulk-jobs-windowed';
import { BulkJobsLaneWaits1790000000041 } from './migrations/0041-bulk-jobs-lane-waits';
import { DeliveryActivityNeverTried1790000000042 } from './migrations/0042-delivery-activity-never-tried';
import { EventsReplays1790000000053 } from './migrations/0053-events-replays';
import { EventsOutboxIndexes1790000000054 } from './migrations/0054-events-outbox-indexes';
import { GroupsCanonicalNumbers1790000000059 } from './migrations/0059-groups-canonical-numbers';
import { DatabaseSynchronousStandby1790000000064 } from './migrations/0064-database-synchronous-standby';
import { DatabaseEventsAfterRestore1790000000065 } from './migrations/0065-database-events-after-restore';
import { BulkJobsClosedAtRest1790000000066 } from './migrations/0066-bulk-jobs-closed-at-rest';
import { BulkJobsWindowJudge1790000000068 } from './migrations/0068-bulk-jobs-window-judge';
import { DeliveryActivityLateChanges1790000000069 } from './migrations/0069-delivery-activity-late-changes';
import { BulkJobsChangedAt1790000000070 } from './migrations/0070-bulk-jobs-changed-at';
import { SESSION_SETUP } from './postgres-connection';
import type { WatchedClient } from './watched-client';

/** Every migration, oldest first. A new one is added at the end; one that has landed is never edited. */
export const MIGRATIONS = [
  Initial1790000000001,
  AccountsConfiguredLimits1790000000002,
  DeliveryWorkers1790000000003,
  JobsAtRest1790000000004,
  DatabaseIdentity1790000000005,
  SendingHeldSends1790000000006,
  PlatformWebhookSubscriptions1790000000007,
  BulkJobsPauseCodes1790000000008,
  AccountsSenderTraffic1790000000009,
  AccountsKeyOverlap1790000000010,
  AccountsAuditLog1790000000011,
  MessagesUndelivered1790000000012,
  ChatHistoryUnread1790000000016,
  AccountsAuditWithoutKey1790000000019,
  EventsWebhooks1790000000024,
  BulkJobsEvents1790000000025,
  MessagesFailedOfJobs1790000000027,
  AccountsMarketingMessages1790000000028,
  MessagesAcceptancePricing1790000000029,
  IdempotencyAnswers1790000000030,
  BulkJobsUploads1790000000031,
  EventsOutboxWrite1790000000032,
  EventsSingleBodies1790000000033,
  BulkJobsWindowWaits1790000000034,
  BulkJobsSchedule1790000000035,
  GroupsUsernames1790000000036,
  ChatHistoryJoined1790000000037,
  DeliveryActivity1790000000038,
  AccountsConsoleSessions1790000000039,
  BulkJobsWindowed1790000000040,
  BulkJobsLaneWaits1790000000041,
  DeliveryActivityNeverTried1790000000042,
  EventsReplays1790000000053,
  EventsOutboxIndexes1790000000054,
  GroupsCanonicalNumbers1790000000059,
  DatabaseSynchronousStandby1790000000064,
  DatabaseEventsAfterRestore1790000000065,
  BulkJobsClosedAtRest1790000000066,
  BulkJobsWindowJudge1790000000068,
  DeliveryActivityLateChanges1790000000069,
  BulkJobsChangedAt1790000000070,
];

/** Any number that no other program uses for an advisory lock in this database. */
const MIGRATION_LOCK = 7305808551;
const LOCK_POLL_MS = 200;

/**
 * Brings the tables up to date and gives the names of the migrations that ran. On PostgreSQL any number of processes
 * may call it at the same moment: one works, the others wait until it is done. An embedded database belongs to one process.
 */
export async function migrate(source: DataSource, database: 'shared' | 'embedded'): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    if (database === 'embedded') return await runPending(source, runner);
    await runner.query(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '1min'`,
    );
    const client = (await runner.connect()) as WatchedClient;
    client.patient = true;
    await takeTurn(runner);
    try {
      return await runPending(source, runner);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]);
      await runner.query(SESSION_SETUP);
      client.patient = false;
    }
  } finally {
    await runner.release();
  }
}

/** Names of migrations as their files have them: `AccountsKeyOverlap1790000000010` is `0010 accounts key overlap`. */
export function stepsInWords(names: readonly string[]): string {
  if (names.length === MIGRATIONS.length) return `new database, tables created (${names.length} steps)`;
  const step = (name: string) => {
    const words = name.replace(/\d+$/, '').replace(/\B[A-Z]/g, ' $&');
    return `${name.slice(-4)} ${words.toLowerCase()}`;
  };
  return names.map(step).join(', ');
}

async function runPending(source: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'each';
  return (await executor.executePendingMigrations()).map((migration) => migration.name);
}

/** Asks again and again, because a session that waits inside pg_advisory_lock would block CREATE INDEX CONCURRENTLY. */
async function takeTurn(runner: QueryRunner): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const rows = (await runner.query(`SELECT pg_try_advisory_lock($1) AS taken`, [MIGRATION_LOCK])) as {
      taken: boolean;
    }[];
    if (rows[0]?.taken) return;
    if (waited === 0) new Logger('Migrations').log('Another process is migrating the database; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}
