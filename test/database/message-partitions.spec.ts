import type { Database } from '../../src/infra/database/database';
import { MessagePartitions } from '../../src/modules/messages/adapters/message-partitions';
import { Clock } from '../../src/kernel/clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';

class FixedClock extends Clock {
  constructor(private readonly time: Date) {
    super();
  }

  now(): Date {
    return this.time;
  }

  monotonic(): number {
    return 0;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

describeOnDatabase('The partitions of the message history', (open, isShared) => {
  let database: Database;
  let messageNumber = 0;

  beforeAll(async () => {
    database = await open();
  });

  const at = (time: string) => new MessagePartitions(database, new FixedClock(new Date(time)));

  async function addMessages(time: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidV7(Date.parse(time) + messageNumber++));
    for (let from = 0; from < count; from += 2_000) {
      await database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, created_at)
         SELECT id, id, id, 'outbound', 'template', 'sent', now() FROM unnest($1::uuid[]) AS id`,
        [ids.slice(from, from + 2_000)],
      );
    }
    return ids;
  }

  async function partitionsOf(ids: string[]): Promise<Record<string, number>> {
    const rows = await database.rows<{ partition: string; count: number }>(
      `SELECT tableoid::regclass::text AS partition, count(*)::int AS count FROM messages WHERE id = ANY ($1::uuid[]) GROUP BY 1`,
      [ids],
    );
    return Object.fromEntries(rows.map((row) => [row.partition, row.count]));
  }

  it('exist for this month and the next three from the first migration', async () => {
    expect(await at(new Date().toISOString()).createAhead()).toEqual([]);
  });

  it('are vacuumed after a fiftieth of them changed, those of the first migration and later ones, as are single sends', async () => {
    await at('2041-05-01T00:00:00Z').createAhead();
    const rows = await database.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND NOT ('autovacuum_vacuum_scale_factor=0.02' = ANY (COALESCE(reloptions, '{}')))
         AND (relname LIKE 'messages\\_%' OR relname IN ('single_sends', 'idempotency_keys', 'inbound_media'))`,
    );
    expect(rows).toEqual([]);
  });

  it('are created for this month and the next three, across years, and only once', async () => {
    const partitions = at('2040-11-30T23:59:59Z');
    const names = ['messages_2040_11', 'messages_2040_12', 'messages_2041_01', 'messages_2041_02'];
    expect(await partitions.createAhead()).toEqual(names);
    expect(await partitions.createAhead()).toEqual([]);
  });

  it('contain exactly the messages of their month', async () => {
    await at('2040-11-30T23:59:59Z').createAhead();
    const ids = [uuidV7(Date.parse('2040-12-01T00:00:00Z')), uuidV7(Date.parse('2041-01-01T00:00:00Z') - 1)];
    await database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, created_at)
       SELECT id, id, id, 'outbound', 'template', 'sent', now() FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    expect(await partitionsOf(ids)).toEqual({ messages_2040_12: 2 });
  });

  it('take over messages from the default partition, more than one statement moves', async () => {
    const early = await addMessages('2050-05-10T12:00:00Z', 5_100);
    const other = await addMessages('2055-01-01T00:00:00Z', 3);
    expect(await partitionsOf([...early, ...other])).toEqual({ messages_default: 5_103 });
    await at('2050-05-20T00:00:00Z').createAhead();
    expect(await partitionsOf([...early, ...other])).toEqual({ messages_2050_05: 5_100, messages_default: 3 });
  });

  it('have every index of the history, so that messages are found by platform id', async () => {
    await at('2060-01-01T00:00:00Z').createAhead();
    const rows = await database.rows<{ name: string; count: number }>(
      `SELECT tablename AS name, count(*)::int AS count FROM pg_indexes
       WHERE tablename IN ('messages_2060_01', 'messages_default') GROUP BY 1`,
    );
    const counts = Object.fromEntries(rows.map((row) => [row.name, row.count]));
    expect(counts.messages_2060_01).toBe(counts.messages_default);
  });

  it('update a reported message without an index write, whenever they were created', async () => {
    const now = new Date().toISOString();
    await at('2065-01-01T00:00:00Z').createAhead();
    for (const time of [now, '2065-01-10T12:00:00Z', '2069-01-01T00:00:00Z']) {
      const ids = await addMessages(time, 100);
      const place = async () =>
        database.rows<{ page: string }>(
          `SELECT split_part(ctid::text, ',', 1) AS page FROM messages WHERE id = ANY ($1::uuid[]) ORDER BY id`,
          [ids],
        );
      const before = await place();
      await database.execute(`UPDATE messages SET status = 'read' WHERE id = ANY ($1::uuid[])`, [ids]);
      expect(await place()).toEqual(before);
    }
  });

  it('are created once by concurrent processes', async () => {
    const early = await addMessages('2070-02-10T12:00:00Z', 10);
    const made = await Promise.all([1, 2, 3].map(() => at('2070-02-11T00:00:00Z').createAhead()));
    expect(made.flat().sort()).toEqual([
      'messages_2070_02',
      'messages_2070_03',
      'messages_2070_04',
      'messages_2070_05',
    ]);
    expect(await partitionsOf(early)).toEqual({ messages_2070_02: 10 });
  });

  describe('of expired months', () => {
    const existing = async (year: number): Promise<string[]> => {
      const rows = await database.rows<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE $1 ORDER BY 1`,
        [`messages_${year}_%`],
      );
      return rows.map(({ name }) => name);
    };
    const empty = (ids: string[]) => database.execute(`DELETE FROM messages WHERE id = ANY ($1::uuid[])`, [ids]);

    it('are removed when the whole month has expired', async () => {
      await at('2080-01-10T00:00:00Z').createAhead();
      const ids = await addMessages('2080-02-10T12:00:00Z', 1);
      const later = at('2080-06-15T00:00:00Z');
      const removed = await later.dropEmpty(new Date('2080-03-31T23:59:59Z'));
      expect(removed.filter((name) => name.startsWith('messages_2080'))).toEqual(['messages_2080_01']);
      expect(await existing(2080)).toEqual(['messages_2080_02', 'messages_2080_03', 'messages_2080_04']);
      await empty(ids);
      expect(await later.dropEmpty(new Date('2080-04-01T00:00:00Z'))).toEqual(['messages_2080_02', 'messages_2080_03']);
    });

    it('are never removed during their month', async () => {
      await at('2081-01-10T00:00:00Z').createAhead();
      const dropped = await at('2081-02-28T23:59:59Z').dropEmpty(new Date('2090-01-01T00:00:00Z'));
      expect(dropped.filter((name) => name.startsWith('messages_2081'))).toEqual(['messages_2081_01']);
    });

    it('do not lose a late message: it is stored in the default partition', async () => {
      await at('2082-01-10T00:00:00Z').createAhead();
      await at('2082-12-01T00:00:00Z').dropEmpty(new Date('2082-02-01T00:00:00Z'));
      const late = await addMessages('2082-01-10T12:00:00Z', 1);
      expect(await partitionsOf(late)).toEqual({ messages_default: 1 });
    });

    it('are removed after an interrupted removal, and kept if an operator detached them', async () => {
      await at('2083-01-10T00:00:00Z').createAhead();
      await addMessages('2083-02-10T12:00:00Z', 1);
      await database.execute(`ALTER TABLE messages DETACH PARTITION messages_2083_01`);
      await database.execute(`ALTER TABLE messages DETACH PARTITION messages_2083_02`);
      await at('2083-12-01T00:00:00Z').dropEmpty(new Date('2083-03-01T00:00:00Z'));
      expect(await existing(2083)).toEqual(['messages_2083_02', 'messages_2083_03', 'messages_2083_04']);
    });

    it('are removed once by concurrent processes', async () => {
      await at('2084-01-10T00:00:00Z').createAhead();
      const before = new Date('2084-05-01T00:00:00Z');
      await Promise.all([1, 2, 3].map(() => at('2084-12-01T00:00:00Z').dropEmpty(before)));
      // The loser may have found a table gone and left the rest to its next round.
      await at('2084-12-01T00:00:00Z').dropEmpty(before);
      expect(await existing(2084)).toEqual([]);
    });

    if (isShared) {
      it('wait for transactions that use the history, and block others only briefly', async () => {
        await at('2085-01-10T00:00:00Z').createAhead();
        let end = (): void => undefined;
        const ended = new Promise<void>((resolve) => (end = resolve));
        let begun = (): void => undefined;
        const inUse = new Promise<void>((resolve) => (begun = resolve));
        const using = database.transaction(async () => {
          await database.rows(`SELECT 1 FROM messages LIMIT 1`);
          begun();
          await ended;
        });
        await inUse;
        const before = new Date('2085-02-01T00:00:00Z');
        const removing = at('2085-12-01T00:00:00Z').dropEmpty(before);
        let longest = 0;
        for (let write = 0; write < 40; write++) {
          const start = performance.now();
          await addMessages('2085-06-10T12:00:00Z', 1);
          longest = Math.max(longest, performance.now() - start);
        }
        expect(await removing).toEqual([]);
        // The last of the three waits lasts a second.
        expect(longest).toBeLessThan(6_000);
        end();
        await using;
        expect(await at('2085-12-01T00:00:00Z').dropEmpty(before)).toEqual(['messages_2085_01']);
      });

      it('remain if written to at that time', async () => {
        await at('2086-01-10T00:00:00Z').createAhead();
        let ids: string[] = [];
        let begun = (): void => undefined;
        const writing = new Promise<void>((resolve) => (begun = resolve));
        const written = database.transaction(async () => {
          ids = await addMessages('2086-01-10T12:00:00Z', 1);
          begun();
          await new Promise((resolve) => setTimeout(resolve, 150));
        });
        await writing;
        const removed = await at('2086-12-01T00:00:00Z').dropEmpty(new Date('2086-02-01T00:00:00Z'));
        expect(removed).not.toContain('messages_2086_01');
        await written;
        expect(await partitionsOf(ids)).toEqual({ messages_2086_01: 1 });
      });
    }
  });

  it('are made from the history alone, whatever temporary tables the session has', async () => {
    const columns = await database.transaction(async () => {
      await database.execute('CREATE TEMP TABLE messages (planted int) ON COMMIT DROP');
      await database.execute(`SELECT change_message_partition('create', 'messages_2099_01')`);
      const found = await database.rows<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'messages_2099_01'::regclass AND attnum > 0`,
      );
      await database.execute(`SELECT change_message_partition('drop', 'messages_2099_01')`);
      return found.map(({ name }) => name);
    });
    expect(columns).toContain('conversation_id');
    expect(columns).not.toContain('planted');
  });
});
