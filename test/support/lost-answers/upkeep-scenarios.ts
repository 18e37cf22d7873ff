import { messagePartition } from '../../../src/modules/messages/adapters/message-partition';
import { lowestUuidAt, uuidV7 } from '../../../src/kernel/uuid';
import { TrafficMarks } from '../../../src/modules/accounts/domain/traffic-marks';
import { storeMessages } from '../retention-parts';
import { newTables, removeOthers, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

const DAY_MS = 86_400_000;
const OLD = new Date('2020-01-02T00:00:00Z');

/** The partitions of these tables, by name. */
function partitionsOf({ database }: SteppedService, tables: readonly string[]): Promise<object[]> {
  return database.rows(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent WHERE p.relname = ANY($1::text[]) ORDER BY c.relname`,
    [tables],
  );
}

function dayName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Removal of expired data, and creation of upcoming partitions. */
export const UPKEEP_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the removal of expired idempotency keys': {
    loops: ['idempotency_keys'],
    async prepare(service) {
      const { accountId } = await newTables(service);
      for (const hours of [1, 25, 26]) {
        await service.database.execute(
          `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id, created_at)
           VALUES ($1, 'POST /x', $2, 'f', gen_random_uuid(), now(), gen_random_uuid(), now() - make_interval(hours => $3))`,
          [accountId, `key ${hours}`, hours],
        );
      }
      return {
        outcome: () => service.database.rows('SELECT key FROM idempotency_keys WHERE account_id = $1', [accountId]),
      };
    },
  },
  'the removal of ended sessions of the console': {
    loops: ['console_sessions'],
    async prepare({ database }) {
      await database.execute('DELETE FROM console_sessions');
      for (const days of [0, 400]) {
        await database.execute(
          `INSERT INTO console_sessions (token_hash, key_id, key_prefix, created_at, last_used_at)
           SELECT sha256(gen_random_uuid()::text::bytea), id, 'prefix', at, at
           FROM api_keys, (SELECT now() - make_interval(days => $1) AS at) a LIMIT 1`,
          [days],
        );
      }
      return { outcome: () => database.rows('SELECT count(*)::int AS left FROM console_sessions') };
    },
  },
  'the removal of old parked reports': {
    loops: ['parked_reports'],
    async prepare({ database }) {
      const [newId, oldId] = [uuidV7(), uuidV7()];
      for (const [id, at] of [
        [newId, new Date()],
        [oldId, OLD],
      ]) {
        await database.execute(`INSERT INTO parked_updates VALUES ($1, 'reason', 'body', $2)`, [id, at]);
        await database.execute(`INSERT INTO platform_events VALUES ($1, 'kind', '2', 'body', $2)`, [id, at]);
      }
      const left = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE id IN ($1, $2)) AS ${table}`;
      return {
        outcome: () => database.rows(`SELECT ${left('parked_updates')}, ${left('platform_events')}`, [newId, oldId]),
      };
    },
  },
  'the removal of the expired history': {
    loops: ['retention'],
    async prepare(service) {
      const { database } = service;
      await removeOthers(service);
      await database.execute('DELETE FROM messages');
      const { accountId } = await newTables(service);
      await storeMessages(database, [
        { accountId, age: 800 },
        { accountId, age: 900 },
        { accountId, age: 1 },
      ]);
      const due = async () => {
        await database.execute(`UPDATE retention_turn SET lease_until = '-infinity', due_at = '-infinity'`);
      };
      await due();
      return {
        expire: due,
        outcome: () =>
          database.rows(
            `SELECT (SELECT count(*)::int FROM messages WHERE account_id = $1) AS messages,
               (SELECT count(*)::int FROM conversations WHERE account_id = $1) AS conversations,
               (SELECT owner IS NULL AND due_at > now() FROM retention_turn) AS free`,
            [accountId],
          ),
      };
    },
  },
  'the counts of unread conversations': {
    loops: ['unread_counts'],
    async prepare(service) {
      const { database } = service;
      const [first, second] = [await newTables(service), await newTables(service)].map(({ accountId }) => accountId);
      await database.execute('INSERT INTO unread_counts (account_id, count) VALUES ($1, 5)', [second]);
      await database.execute(
        `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction, unread_count, state)
         SELECT gen_random_uuid(), account, gen_random_uuid(), now(), 'Inbound', 1, 'Open' FROM unnest($1::uuid[]) AS account, generate_series(1, 3)`,
        [[first, second]],
      );
      return {
        outcome: () =>
          database.rows(
            `SELECT (SELECT count FROM unread_counts WHERE account_id = $1) AS first,
               (SELECT count FROM unread_counts WHERE account_id = $2) AS second,
               (SELECT count(*)::int FROM unread_changes WHERE account_id IN ($1, $2)) AS left`,
            [first, second],
          ),
      };
    },
  },
  'the erasure of a person': {
    loops: ['erasures'],
    async prepare(service) {
      const { database } = service;
      await database.execute('DELETE FROM erasures');
      const tables = await newTables(service);
      const jobId = await tables.addJob(3, {
        status: 'Cancelled',
        completedAt: new Date(),
        cursor: 4,
        settledBelow: 4,
      });
      const [first] = await tables.recipients(jobId);
      await database.execute(
        // It has started: at first it waits for the jobs of the previous second.
        `INSERT INTO erasures (id, account_id, phone, requested_at, due_at, progress)
         VALUES ($1, $2, $3, now(), now(), '{"answers":true}')`,
        [jobId, tables.accountId, first!.phone],
      );
      return {
        laterRounds: 1,
        async expire() {
          await database.execute('UPDATE erasures SET due_at = now() WHERE round = 1');
        },
        async outcome() {
          const erasures = await database.rows(
            `SELECT round, progress, owner, completed_at, due_at > now() + interval '1 min' AS waits FROM erasures`,
          );
          return [erasures, (await tables.recipients(jobId)).map(({ phone }) => phone)];
        },
      };
    },
  },
  'the partitions of the log of deliveries': {
    loops: ['webhook_log_partitions'],
    async prepare(service) {
      const tables = ['webhook_deliveries', 'webhook_bodies'];
      const [from, to] = [OLD, new Date(OLD.getTime() + DAY_MS)].map(lowestUuidAt);
      for (const table of tables) {
        await service.database.execute(`DROP TABLE ${dayName(table, new Date(Date.now() + 6 * DAY_MS))}`);
        await service.database.execute(
          `CREATE TABLE ${dayName(table, OLD)} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`,
        );
      }
      return { outcome: () => partitionsOf(service, tables) };
    },
  },
  'the partitions of the message history': {
    loops: ['message_partitions'],
    async prepare(service) {
      for (const month of [2, 3]) {
        await service.database.execute(`DROP TABLE ${messagePartition(new Date(), month).name}`);
      }
      return { outcome: () => partitionsOf(service, ['messages']) };
    },
  },
  'the marks of what was reported of a sender': {
    loops: ['sender_traffic'],
    async prepare(service) {
      const { senderId } = await newTables(service);
      const marks = service.get(TrafficMarks);
      marks.accepted(senderId, OLD);
      marks.accepted(senderId, new Date(OLD.getTime() + 1000));
      return {
        outcome: () =>
          service.database.rows(
            `SELECT last_accepted_at, last_webhook_at, unreported_since FROM sender_traffic WHERE sender_id = $1`,
            [senderId],
          ),
      };
    },
  },
};
