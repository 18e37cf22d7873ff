import { actorIn } from '../support/audit';
import type { Database } from '../../src/infra/database/database';
import { messagePartition } from '../../src/modules/messages/adapters/message-partition';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { daysAgo, type StoredMessage, storeMessages, RetentionParts, StoppedClock } from '../support/retention-parts';
import { ago, SqlSendingTables } from '../support/sending-tables';

const SEED = 20261122;

describeOnDatabase('Retention', (open, isShared) => {
  let database: Database;
  let parts: RetentionParts;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    // The history of a service after months, with past partitions.
    const start = new Date();
    for (let month = 1; month <= 3; month++) {
      const { name, from, to } = messagePartition(start, -month);
      await database.execute(`CREATE TABLE ${name} PARTITION OF messages FOR VALUES FROM ('${from}') TO ('${to}')`);
    }
    parts = new RetentionParts(database);
  });

  beforeEach(async () => {
    tables = await accountKeeping(1);
  });

  async function accountKeeping(days: number): Promise<SqlSendingTables> {
    const made = new SqlSendingTables(database);
    await made.addSender();
    await parts.terms.set(actorIn(made.accountId), days);
    return made;
  }

  const keep = (...messages: Omit<StoredMessage, 'accountId'>[]): Promise<string[]> =>
    storeMessages(
      database,
      messages.map((message) => ({ accountId: tables.accountId, ...message })),
    );

  async function idsIn(table: string, column = 'id', accountId = tables.accountId): Promise<string[]> {
    const rows = await database.rows<{ id: string }>(
      `SELECT ${column} AS id FROM ${table} WHERE account_id = $1 ORDER BY 1`,
      [accountId],
    );
    return rows.map(({ id }) => id);
  }

  const messagesLeft = (accountId?: string): Promise<string[]> => idsIn('messages', 'id', accountId);

  describe('of messages', () => {
    it("deletes messages past the account's retention from every partition, and nothing newer", async () => {
      const young = await keep({ age: 0 }, { age: 0.99 }, { age: 0.5, idAge: 80 }, { age: 0.5, idAge: 3000 });
      await keep({ age: 1.01 }, { age: 40 }, { age: 80 }, { age: 3000 }, { age: 2, idAge: -3000 });
      await parts.round();
      expect(await messagesLeft()).toEqual([...young].sort());
    });

    it('uses the retention of each account; a change applies from the next round', async () => {
      const other = await accountKeeping(90);
      const [ofOther] = await storeMessages(database, [{ accountId: other.accountId, age: 80 }]);
      await keep({ age: 80 });
      await parts.round();
      expect(await messagesLeft()).toEqual([]);
      expect(await messagesLeft(other.accountId)).toEqual([ofOther]);
      await parts.terms.set(actorIn(other.accountId), 79);
      await parts.round();
      expect(await messagesLeft(other.accountId)).toEqual([]);
    });

    it("deletes more than one step's worth, also with equal times", async () => {
      const at = { age: 2, conversationId: uuidV7() };
      await keep(...Array.from({ length: 1_203 }, () => at));
      await database.execute(`UPDATE messages SET created_at = $2 WHERE account_id = $1`, [
        tables.accountId,
        daysAgo(2),
      ]);
      await parts.round();
      expect(await messagesLeft()).toEqual([]);
      expect(parts.telemetry.rounds.at(-1)).toMatchObject({ messages: 1_203, conversations: 1 });
    });

    it('keeps single sends that wait, are in flight or may still settle, and deletes the others with their sends', async () => {
      const [waiting, flying, inGrace, sent, unknown] = await keep(...Array.from({ length: 5 }, () => ({ age: 2 })));
      const settled = { retryAt: null, giveUpAt: null };
      await tables.addSingle({ messageId: waiting, retryAt: ago(-60) });
      await tables.addSingle({ messageId: flying, retryAt: null, giveUpAt: ago(-30), sendingEpoch: 1 });
      await tables.addSingle({ messageId: inGrace, ...settled, outcome: 'Unknown', unknownSince: ago(5) });
      await tables.addSingle({ messageId: sent, ...settled, outcome: 'Sent' });
      await tables.addSingle({ messageId: unknown, ...settled, outcome: 'Unknown', problem: 'outcome_unknown' });
      await parts.round();
      expect(await messagesLeft()).toEqual([waiting, flying, inGrace].sort());
      const sends = await database.rows<{ id: string }>(
        `SELECT message_id AS id FROM single_sends WHERE sender_id = $1`,
        [tables.senderId],
      );
      expect(sends.map(({ id }) => id).sort()).toEqual([waiting, flying, inGrace].sort());
      await database.execute(
        `UPDATE single_sends SET outcome = 'Sent', unknown_since = NULL, retry_at = NULL WHERE sender_id = $1`,
        [tables.senderId],
      );
      await parts.round();
      expect(await messagesLeft()).toEqual([]);
    });

    it('keeps the messages of an unfinished job', async () => {
      const unfinished = await tables.addJob(1, { status: 'Paused' });
      const finished = await tables.addJob(1, { status: 'Completed', completedAt: daysAgo(0.1) });
      const [open] = await keep({ age: 40, jobId: unfinished }, { age: 2, jobId: finished });
      await parts.round();
      expect(await messagesLeft()).toEqual([open]);
    });

    it('includes the media of inbound messages', async () => {
      const [old, young] = await keep({ age: 2, direction: 'Inbound' }, { age: 0.5, direction: 'Inbound' });
      await parts.media.fetchLater(
        [old, young].map((messageId) => ({
          messageId: messageId!,
          accountId: tables.accountId,
          senderId: null,
          platformMediaId: '900000000000011',
          mimeType: 'image/jpeg',
          receivedAt: daysAgo(2),
        })),
      );
      await parts.round();
      await expect(parts.media.open(tables.accountId, old!)).rejects.toMatchObject({ code: 'media_not_found' });
      await expect(parts.media.open(tables.accountId, young!)).rejects.toMatchObject({ code: 'media_not_ready' });
    });
  });

  describe('of conversations', () => {
    it('deletes exactly those without messages', async () => {
      const [empty, held, young] = [uuidV7(), uuidV7(), uuidV7()];
      const [open] = await keep(
        { age: 30, conversationId: held },
        { age: 2, conversationId: empty },
        { age: 3, conversationId: held },
        { age: 3, conversationId: young },
        { age: 0.5, conversationId: young },
      );
      await tables.addSingle({ messageId: open, retryAt: ago(-60) });
      await parts.round();
      expect(await idsIn('conversations')).toEqual([held, young].sort());
    });
  });

  describe('of recipients', () => {
    it('deletes those of jobs past the retention, and keeps the job with its counts', async () => {
      const done = { status: 'Completed', successfullySent: 1_100, cursor: 1_101 };
      const old = await tables.addJob(1_100, { ...done, completedAt: daysAgo(1.1) });
      const cancelled = await tables.addJob(3, { status: 'Cancelled', completedAt: daysAgo(2) });
      const young = await tables.addJob(2, { ...done, completedAt: daysAgo(0.9) });
      const unfinished = await tables.addJob(2, { status: 'Paused', startedAt: daysAgo(500) });
      await parts.round();
      const left = async (jobId: string): Promise<number> => (await tables.recipients(jobId)).length;
      expect(await Promise.all([old, cancelled, young, unfinished].map(left))).toEqual([0, 0, 2, 2]);
      expect(await tables.job(old)).toMatchObject({ ...done, recipientsCleared: true });
      expect(await tables.job(young)).toMatchObject({ recipientsCleared: false, recipientsExpiredAt: null });
      expect(parts.telemetry.rounds.at(-1)).toMatchObject({ recipients: 1_103 });
    });

    it('deletes what describes their file and the pace of their job, and keeps its name and reference', async () => {
      const done = { status: 'Completed', startedAt: daysAgo(2), completedAt: daysAgo(1.1) };
      const [old, young] = [
        await tables.addJob(2, done),
        await tables.addJob(2, { ...done, completedAt: daysAgo(0.9) }),
      ];
      const ids = [old, young];
      await database.execute(
        `UPDATE bulk_jobs SET name = 'Spring', file_name = 'mira.xlsx', upload_hash = '\\x00', header_media = '{"media":{"link":"https://e.com/m.png"}}',
           report_columns = '{"fields":[],"sheet":["Phone"]}' WHERE id = ANY($1)`,
        [ids],
      );
      await database.execute(`INSERT INTO job_pace (job_id, sent, failed) SELECT unnest($1::uuid[]), 2, 0`, [ids]);
      await database.execute(
        `INSERT INTO job_pace_samples (job_id, at, sent, failed) SELECT unnest($1::uuid[]), now(), 2, 0`,
        [ids],
      );
      await parts.round();
      const kept = (id: string) =>
        database.rows(
          `SELECT name, reference, successfully_sent AS sent,
             num_nonnulls(file_name, upload_hash, header_media, report_columns) AS texts,
             (SELECT count(*)::int FROM job_pace_samples s WHERE s.job_id = j.id) AS samples
           FROM bulk_jobs j WHERE id = $1`,
          [id],
        );
      const names = { name: 'Spring', reference: 'spring', sent: 0 };
      expect(await kept(old)).toEqual([{ ...names, texts: 0, samples: 0 }]);
      expect(await kept(young)).toEqual([{ ...names, texts: 4, samples: 1 }]);
    });

    it('marks them unreadable before deleting the first, and continues an interrupted round', async () => {
      const job = await tables.addJob(1_200, { status: 'Completed', completedAt: daysAgo(2) });
      const cut = new AbortController();
      const cutting = new RetentionParts(database, new CutClock(() => cut.abort()));
      await database.execute(`UPDATE retention_turn SET due_at = '-infinity'`);
      for (;;) {
        const before = (await tables.recipients(job)).length;
        const { recipientsExpiredAt, recipientsCleared } = (await tables.job(job)) as unknown as Record<
          string,
          unknown
        >;
        expect(before === 1_200 || recipientsExpiredAt !== null).toBe(true);
        expect(recipientsCleared).toBe(before === 0);
        if (before === 0) break;
        expect(await cutting.retention.round(cut.signal)).toBe(false);
        if (!(await parts.round())) throw new Error('the lease was not released');
      }
    });
  });

  it('deletes tier conversations older than a day, portfolio by portfolio', async () => {
    const [one, two] = [uuidV7(), uuidV7()];
    await database.execute(`INSERT INTO portfolios (id) VALUES ($1), ($2)`, [one, two]);
    await database.execute(
      `INSERT INTO tier_conversations (portfolio_id, person, at)
       SELECT p, n::text, now() - CASE WHEN n <= 7 THEN interval '1 hour' ELSE interval '26 hours' END
       FROM unnest($1::text[]) AS p, generate_series(1, 1200) AS n`,
      [[one, two]],
    );
    await parts.round();
    const rows = await database.rows(
      `SELECT portfolio_id AS id, count(*)::int AS count FROM tier_conversations WHERE portfolio_id = ANY($1) GROUP BY 1`,
      [[one, two]],
    );
    expect(rows).toEqual(expect.arrayContaining([one, two].map((id) => ({ id, count: 7 }))));
  });

  it('deletes portfolios that no sender belongs to, once their tier conversations are deleted', async () => {
    // That of the sender is the business account.
    const [unused, waiting] = [uuidV7(), uuidV7()];
    await database.execute(`INSERT INTO portfolios (id) VALUES ('2'), ($1), ($2) ON CONFLICT DO NOTHING`, [
      unused,
      waiting,
    ]);
    await database.execute(
      `INSERT INTO tier_conversations (portfolio_id, person, at) VALUES ($1, '1', now() - interval '26 hours'), ($2, '1', now())`,
      [unused, waiting],
    );
    await parts.round();
    const left = await database.rows<{ id: string }>(`SELECT id FROM portfolios WHERE id = ANY($1) `, [
      ['2', unused, waiting],
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual([waiting, '2'].sort());
  });

  it('deletes audit log entries after two years, in several steps', async () => {
    await database.execute(
      `INSERT INTO audit_log (id, account_id, actor_account_id, action, fields, created_at)
       SELECT gen_random_uuid(), $1, $1, 'key.changed', '{}', $2::timestamptz - CASE WHEN n <= 3 THEN interval '729 days' ELSE interval '731 days' END
       FROM generate_series(1, 1200) AS n`,
      [tables.accountId, new Date()],
    );
    await parts.round();
    expect(await idsIn('audit_log')).toHaveLength(3);
    expect(parts.telemetry.counts.audit_log).toBeGreaterThanOrEqual(1197);
  });

  it('deletes exactly the expired, settled messages of any history', async () => {
    const random = mulberry(SEED);
    const days = 1 + Math.floor(random() * 40);
    await parts.terms.set(actorIn(tables.accountId), days);
    const unfinished = await tables.addJob(1, { status: 'Processing' });
    const finished = await tables.addJob(1, { status: 'Completed', completedAt: daysAgo(0.01) });
    const conversations = Array.from({ length: 40 }, () => uuidV7());
    const wanted = Array.from({ length: 600 }, () => ({
      accountId: tables.accountId,
      age: random() * 80,
      idAge: random() < 0.5 ? undefined : random() * 120 - 20,
      conversationId: conversations[Math.floor(random() * 40)]!,
      jobId: [undefined, undefined, unfinished, finished][Math.floor(random() * 4)],
      isOpen: random() < 0.2,
    }));
    const ids = await storeMessages(database, wanted);
    for (const [index, id] of ids.entries()) {
      const { jobId, isOpen } = wanted[index]!;
      if (jobId) continue;
      await tables.addSingle(
        isOpen ? { messageId: id, retryAt: ago(-600) } : { messageId: id, retryAt: null, outcome: 'Sent' },
      );
    }
    await parts.round();
    const stays = (index: number): boolean => {
      const { age, jobId, isOpen } = wanted[index]!;
      return age < days || jobId === unfinished || (jobId === undefined && isOpen);
    };
    expect(await messagesLeft()).toEqual(ids.filter((_, index) => stays(index)).sort());
    const talking = new Set(wanted.filter((_, index) => stays(index)).map((message) => message.conversationId));
    expect(await idsIn('conversations')).toEqual([...talking].sort());
  }, 60_000);

  describe('takes turns', () => {
    it('so that one of several processes does the round, and the next is due an hour later', async () => {
      const processes = [1, 2, 3].map(() => new RetentionParts(database));
      await keep(...Array.from({ length: 700 }, () => ({ age: 2 })));
      await database.execute(`UPDATE retention_turn SET due_at = '-infinity'`);
      const { signal } = new AbortController();
      const did = await Promise.all(processes.map(({ retention }) => retention.round(signal)));
      expect(did.filter(Boolean)).toHaveLength(1);
      expect(processes.reduce((sum, { telemetry }) => sum + (telemetry.counts.messages ?? 0), 0)).toBe(700);
      expect(await processes[0]!.retention.round(signal)).toBe(false);
      const [turn] = await database.rows<{ minutes: number }>(
        `SELECT extract(epoch FROM due_at - now())::float8 / 60 AS minutes FROM retention_turn`,
      );
      expect(turn!.minutes).toBeGreaterThan(50);
    });

    it('and a killed process delays the others only until its lease expires', async () => {
      await database.execute(
        `UPDATE retention_turn SET owner = $1, due_at = '-infinity', lease_until = now() + interval '1 minute'`,
        [uuidV7()],
      );
      expect(await parts.retention.round(new AbortController().signal)).toBe(false);
      await database.execute(`UPDATE retention_turn SET lease_until = now() - interval '1 second'`);
      expect(await parts.retention.round(new AbortController().signal)).toBe(true);
    });
  });

  if (isShared) {
    it('skips locked rows until the next round', async () => {
      const job = await tables.addJob(3, { status: 'Completed', completedAt: daysAgo(2) });
      const [locked, writing] = await keep({ age: 2 }, { age: 2 }, { age: 2 });
      await tables.addSingle({ messageId: writing, retryAt: null, outcome: 'Sent' });
      const [held, release] = [gate(), gate()];
      const holding = database.transaction(async () => {
        await database.execute(`SELECT 1 FROM messages WHERE id = $1 FOR UPDATE`, [locked]);
        await database.execute(`SELECT 1 FROM single_sends WHERE message_id = $1 FOR UPDATE`, [writing]);
        await database.execute(`SELECT 1 FROM job_recipients WHERE job_id = $1 AND position = 2 FOR UPDATE`, [job]);
        held.open();
        await release.opened;
      });
      await held.opened;
      await parts.round();
      release.open();
      await holding;
      expect(parts.telemetry.failures).toEqual([]);
      expect(await messagesLeft()).toEqual([locked, writing].sort());
      expect((await tables.recipients(job)).map(({ position }) => position)).toEqual([2]);
      expect(await tables.job(job)).toMatchObject({ recipientsCleared: false });
      await parts.round();
      expect(await messagesLeft()).toEqual([]);
      expect(await tables.job(job)).toMatchObject({ recipientsCleared: true });
    });
  }
});

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Stops the process in the first pause. */
class CutClock extends StoppedClock {
  constructor(private readonly cut: () => void) {
    super();
  }

  override sleep(): Promise<void> {
    this.cut();
    return this.turn();
  }
}

/** Random numbers from 0 to 1, the same in every run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
