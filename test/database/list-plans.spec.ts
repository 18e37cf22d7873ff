import type { Database } from '../../src/infra/database/database';
import type { TimeCursor } from '../../src/kernel/time-cursor';
import { uuidTime, uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import type { BulkJobFilter } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type {
  ConversationFilter,
  ConversationRange,
} from '../../src/modules/chat-history/domain/conversation-store.port';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { PostgresOptOutStore } from '../../src/modules/groups/adapters/postgres-opt-out-store';
import { messagePartition, PARTITION_STORAGE } from '../../src/modules/messages/adapters/message-partition';
import type { MessageFilter } from '../../src/modules/messages/domain/message-archive.port';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { describeOnDatabase } from '../support/databases';
import { pagesOf, readingsOf } from '../support/explained-plans';
import { daysAgo, RetentionParts, storeMessages } from '../support/retention-parts';

const JOBS = 30_000;
const OPT_OUTS = 15_000;
const CONVERSATIONS = 20_000;

describeOnDatabase('Lists of large tables', (open, isShared) => {
  const accountId = uuidV7();
  const senderId = uuidV7();
  let database: Database;
  let jobs: PostgresBulkJobStore;

  beforeAll(async () => {
    database = await open();
    jobs = new PostgresBulkJobStore(database);
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free'), ($2, 'Other', 'Free')`, [
      accountId,
      uuidV7(),
    ]);
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $2, '1', '2')`,
      [senderId, accountId],
    );
    const [template, revision] = [uuidV7(), uuidV7()];
    await database.transaction(async () => {
      await database.execute('SET CONSTRAINTS ALL DEFERRED');
      await database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $3, '2')`,
        [template, accountId, revision],
      );
      await database.execute(`INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, '{}')`, [
        revision,
        template,
      ]);
    });
    for (let first = 1; first <= JOBS; first += 5000) {
      await database.execute(
        `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, name, reference,
           created_at, completed_at)
         SELECT gen_random_uuid(), $1, $2, CASE WHEN n % 3 = 0 THEN 'Group' ELSE 'Import' END, 'Completed', 'promo', 'en_US', $3,
           'Spring ' || n, 'order-' || n, t.at, t.at
         FROM generate_series($4::int, $4::int + 4999) n, LATERAL (SELECT now() - n * interval '1 minute' AS at) t`,
        [accountId, senderId, revision, first],
      );
    }
    for (let first = 1; first <= OPT_OUTS; first += 5000) {
      await database.execute(
        `INSERT INTO opt_outs (account_id, person, phone, source, created_at)
         SELECT $1, p.phone, p.phone, 'Api', now() - n * interval '1 s'
         FROM generate_series($2::int, $2::int + 4999) n, LATERAL (SELECT (491510000000 + n)::text AS phone) p`,
        [accountId, first],
      );
    }
    if (isShared) for (const table of ['bulk_jobs', 'opt_outs']) await database.execute(`VACUUM ANALYZE ${table}`);
  }, 120_000);

  const list = (filter: BulkJobFilter, page: number) => jobs.list(accountId, filter, { page, pageSize: 20 });
  const optOuts = (page: number) => new PostgresOptOutStore(database).list(accountId, { page, pageSize: 20 });

  it('count 10,000 jobs, and further ones as far as the page after the requested one', async () => {
    expect(await list({}, 1)).toMatchObject({ totalCount: 10_000, items: { length: 20 } });
    expect(await list({}, 600)).toMatchObject({ totalCount: 12_020, items: { length: 20 } });
    expect(await list({}, JOBS / 20)).toMatchObject({ totalCount: JOBS, items: { length: 20 } });
    expect(await list({}, JOBS / 20 + 1)).toMatchObject({ totalCount: JOBS, items: [] });
    expect(await list({ reference: 'order-17' }, 1)).toMatchObject({ totalCount: 1, items: [{ name: 'Spring 17' }] });
    expect(await list({ search: 'PRING 2999' }, 1)).toMatchObject({
      totalCount: 11,
      items: { length: 11, 0: { name: 'Spring 2999' } },
    });
    expect(await list({ search: '77' }, 1)).toMatchObject({
      items: { 0: { name: 'Spring 77' }, 1: { name: 'Spring 177' } },
    });
  });

  it('count 10,000 opt-outs, and further ones as far as the page after the requested one', async () => {
    expect(await optOuts(1)).toMatchObject({ totalCount: 10_000, items: { length: 20, 0: { phone: '491510000001' } } });
    expect(await optOuts(600)).toMatchObject({ totalCount: 12_020, items: { 19: { phone: '491510012000' } } });
    expect(await optOuts(OPT_OUTS / 20)).toMatchObject({
      totalCount: OPT_OUTS,
      items: { 19: { phone: '491510015000' } },
    });
  });

  // The embedded database holds less.
  if (!isShared) return;

  it.each<[string, BulkJobFilter, number, number]>([
    ['the first page', {}, 1, 500],
    ['the last page', {}, JOBS / 20, 1000],
    ['a page of one status and kind', { status: 'Completed', kind: 'Group' }, 100, 1000],
    ['a status that no job has', { status: 'Paused' }, 1, 1000],
    ['a reference', { reference: 'order-17' }, 1, 100],
    ['the retries of a job', { retryOf: uuidV7() }, 1, 100],
    ['a part of a name', { search: 'pring 2999' }, 1, 600],
  ])('read few pages of jobs: %s', async (_what, filter, page, most) => {
    const readings = await readingsOf(database, () => list(filter, page));
    expect(readings.flatMap(({ whole }) => whole).filter((table) => table === 'bulk_jobs')).toEqual([]);
    expect(pagesOf(readings)).toBeLessThan(most);
  });

  it('skip to a late page once, and count with it', async () => {
    const [places, ...rest] = await readingsOf(database, () => list({}, JOBS / 20));
    expect(places!.rows).toBe(JOBS);
    expect(rest.map(({ rows }) => rows)).toEqual([20]);
    const late = await readingsOf(database, () => optOuts(OPT_OUTS / 20));
    expect(late.map(({ rows }) => rows)).toEqual([OPT_OUTS + 20]);
  });

  it('read few pages of the last jobs and opt-outs by cursor, and count nothing', async () => {
    const whole = { page: JOBS / 100, pageSize: 100 };
    const lastJobs = (await jobs.list(accountId, {}, whole)).items;
    const [job] = lastJobs;
    const ofJobs = () => jobs.slice(accountId, {}, { at: job!.createdAt.toISOString(), id: job!.id }, 100);
    const slice = await ofJobs();
    expect(slice.nextCursor).toBeNull();
    expect(slice.items.map(({ id }) => id).slice(-99)).toEqual(lastJobs.slice(1).map(({ id }) => id));
    expect(pagesOf(await readingsOf(database, ofJobs))).toBeLessThan(900);

    const store = new PostgresOptOutStore(database);
    const lastOptOuts = (await store.list(accountId, { page: OPT_OUTS / 100, pageSize: 100 })).items;
    const { phone, createdAt } = lastOptOuts[0]!;
    const after = { at: new Date(createdAt.getTime() + 1).toISOString(), id: `${phone} All` };
    const ofOptOuts = () => store.slice(accountId, { people: null, after, limit: 100 });
    expect((await ofOptOuts()).items).toEqual(lastOptOuts);
    expect(pagesOf(await readingsOf(database, ofOptOuts))).toBeLessThan(500);
  });

  it('read few pages of opt-outs, also for the last page', async () => {
    const readings = await readingsOf(database, () => optOuts(OPT_OUTS / 20));
    expect(readings.flatMap(({ whole }) => whole)).toEqual([]);
    expect(pagesOf(readings)).toBeLessThan(500);
  });

  it('read few pages of conversations in one state among those that a campaign started', async () => {
    for (let first = 1; first <= CONVERSATIONS; first += 5000) {
      await database.execute(
        `INSERT INTO conversations (id, account_id, contact_phone, last_message_id, last_message_at, unread_count, last_direction, last_inbound_id, state)
         SELECT gen_random_uuid(), $1, n::text, gen_random_uuid(), now() - n * interval '1 s', CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END,
           'Outbound', CASE WHEN n % 10000 = 0 THEN gen_random_uuid() END, CASE WHEN n % 1000 = 0 THEN 'Open' WHEN n % 100 = 0 THEN 'Done' END
         FROM generate_series($2::int, $2::int + 4999) n`,
        [accountId, first],
      );
    }
    const store = new PostgresConversationStore(database);
    const rowsReadBy = async (filter: ConversationFilter, expected: number, range: Partial<ConversationRange> = {}) => {
      const list = () => store.list(accountId, { after: undefined, limit: 101, filter, ...range });
      expect(await list()).toHaveLength(expected);
      const [reading] = await readingsOf(database, list);
      expect(reading!.whole).toEqual([]);
      return reading!.rows;
    };
    expect(await rowsReadBy({ state: 'Open' }, CONVERSATIONS / 1000)).toBe(CONVERSATIONS / 1000);
    expect(await rowsReadBy({ awaitingReply: true }, CONVERSATIONS / 10_000)).toBe(CONVERSATIONS / 10_000);
    const longest = { filter: { awaitingReply: true }, order: 'longestWaiting' } as const;
    expect(await rowsReadBy(longest.filter, CONVERSATIONS / 10_000, longest)).toBe(CONVERSATIONS / 10_000);
    const [first, second] = await store.list(accountId, { after: undefined, limit: 2, ...longest });
    expect([first, second].map((one) => one?.conversation.contactPhone)).toEqual(['20000', '10000']);
    expect(await rowsReadBy(longest.filter, 1, { ...longest, after: first!.position })).toBe(1);

    const ending = () => store.endingWith(accountId, '1000', { filter: {}, limit: 25 });
    expect(await ending()).toHaveLength(CONVERSATIONS / 10_000);
    expect((await readingsOf(database, ending)).flatMap(({ whole }) => whole)).toEqual([]);

    // Without a count; then from its first one.
    await database.execute('VACUUM ANALYZE conversations');
    expect(await store.countUnread(accountId)).toBe(CONVERSATIONS / 1000);
    expect(await store.foldUnread(5000)).toBe(CONVERSATIONS / 1000);
    await database.execute(`UPDATE conversations SET unread_count = 0 WHERE account_id = $1 AND state = 'Open'`, [
      accountId,
    ]);
    await database.execute('ANALYZE unread_changes');
    expect(await store.countUnread(accountId)).toBe(0);
    const [count] = await readingsOf(database, () => store.countUnread(accountId));
    expect(count!.rows).toBe(1 + CONVERSATIONS / 1000);
    await store.foldUnread(5000);
    const [folded] = await readingsOf(database, () => store.countUnread(accountId));
    expect(folded!.rows).toBe(1);
    expect(folded!.pages).toBeLessThan(10);
  });

  it('read only the rows of a small account beside a large one', async () => {
    const [small, busy] = [uuidV7(), uuidV7()];
    for (const [account, count] of [
      [small, 5],
      [busy, 2000],
    ] as const) {
      await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Small', 'Free')`, [account]);
      await database.execute(
        `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1::uuid, $1::uuid, $1::text, '2')`,
        [account],
      );
      await database.execute(
        `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, name, completed_at, paused_at)
         SELECT gen_random_uuid(), $1, $1, j.kind, CASE n % 5 WHEN 0 THEN 'Paused' WHEN 1 THEN 'Scheduled' ELSE 'Completed' END, 'promo', 'en_US',
           j.revision_id, 'Spring ' || n, CASE WHEN n % 5 > 1 THEN now() END, now()
         FROM (SELECT * FROM bulk_jobs LIMIT 1) j, generate_series(1, $2::int) n`,
        [account, count],
      );
    }
    await database.execute(
      `INSERT INTO opt_outs (account_id, person, phone, source) SELECT $1, n::text, n::text, 'Api' FROM generate_series(1, 5) n`,
      [small],
    );
    await database.execute(
      `INSERT INTO conversations (id, account_id, contact_phone, last_message_id, last_message_at, unread_count, last_direction, state)
       SELECT gen_random_uuid(), $1, n::text, gen_random_uuid(), now(), n % 2, 'Inbound', 'Open' FROM generate_series(1, 5) n`,
      [small],
    );
    // As autovacuum does, with the target of the server.
    for (const table of ['bulk_jobs', 'opt_outs', 'conversations']) await database.execute(`VACUUM ANALYZE ${table}`);
    const [{ target }] = (await database.rows<{ target: number }>(
      `SELECT current_setting('default_statistics_target')::int AS target`,
    )) as [{ target: number }];
    expect(target).toBeGreaterThanOrEqual(100);
    const first = { page: 1, pageSize: 20 };
    const optOutsOf = new PostgresOptOutStore(database);
    const conversations = new PostgresConversationStore(database);
    const conversationsWith = (filter: ConversationFilter) =>
      conversations.list(small, { after: undefined, limit: 21, filter });
    const lists: Record<string, () => Promise<unknown>> = {
      jobs: () => jobs.list(small, {}, first),
      'jobs by cursor': () => jobs.slice(small, {}, null, 20),
      'jobs of a status': () => jobs.list(small, { status: 'Completed' }, first),
      'jobs by name': () => jobs.list(small, { search: 'pring 3' }, first),
      'open jobs': () => jobs.open(small),
      'open jobs of the large one, which has none': () => jobs.open(accountId),
      'opt-outs': () => optOutsOf.list(small, first),
      conversations: () => conversationsWith({}),
      'unread conversations': () => conversationsWith({ unread: true }),
      'conversations awaiting a reply': () => conversationsWith({ awaitingReply: true }),
      'the count of unread conversations': () => conversations.countUnread(small),
    };
    const tooMuch: object[] = [];
    for (const [what, read] of Object.entries(lists)) {
      const readings = await readingsOf(database, read);
      const rows = readings.reduce((sum, one) => sum + one.rows, 0);
      if (rows > 60) tooMuch.push({ what, readings });
    }
    expect(tooMuch).toEqual([]);
    expect(await jobs.open(small)).toEqual({ processing: 0, waiting: 0, scheduled: 1, paused: 1 });
  });

  it('read nothing of other accounts for the export of an account, and only the recipients of a page', async () => {
    const small = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Small', 'Free')`, [small]);
    await database.execute(
      `INSERT INTO inbound_media (message_id, account_id, platform_media_id, received_at, state)
       SELECT gen_random_uuid(), CASE WHEN n = 1 THEN $1 ELSE $2 END::uuid, n::text, now(), 'Kept' FROM generate_series(1, 20000) n`,
      [small, accountId],
    );
    // Of the oldest jobs.
    await database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters)
       SELECT j.id, n, n, gen_random_uuid(), '491', '[]'
       FROM (SELECT id FROM bulk_jobs WHERE account_id = $1 ORDER BY created_at LIMIT 2) j, generate_series(1, 1000) n`,
      [accountId],
    );
    for (const table of ['inbound_media', 'job_recipients']) await database.execute(`ANALYZE ${table}`);
    const { archive } = new RetentionParts(database);
    const upTo = async (account: string, file: string) => {
      for await (const piece of archive.pieces(account)) if (piece.file === file && piece.data.length > 0) return;
    };
    const ofSmall = await readingsOf(database, () => upTo(small, 'media.jsonl'));
    expect(ofSmall.at(-1)).toMatchObject({ tables: ['inbound_media'], rows: 1 });
    expect(ofSmall.flatMap(({ whole }) => whole)).not.toContain('bulk_jobs');
    const ofLarge = await readingsOf(database, () => upTo(accountId, 'recipients.jsonl'));
    expect(ofLarge.at(-1)!.tables).toEqual(['bulk_jobs', 'job_recipients']);
    expect(ofLarge.at(-1)!.rows).toBeLessThan(1200);
  });

  describe('of messages', () => {
    const now = new Date();
    const months = [3, 2, 1, 0].map((before) => messagePartition(now, -before));
    const writer = uuidV7();
    let archive: PostgresMessageArchive;

    /** Partitions read by each scan of the list. */
    const partitionsOf = async (filter: MessageFilter, limit: number) =>
      (await readingsOf(database, () => archive.newest(writer, filter, limit)))
        .map(({ tables }) => tables.filter((table) => months.some(({ name }) => name === table)))
        .filter((tables) => tables.length > 0);
    const namesOf = (from: number, until: number) => months.slice(from, until).map(({ name }) => name);
    const at = (time: Date) => ({ at: time.toISOString().replace('Z', '000Z'), id: uuidV7(0) });

    beforeAll(async () => {
      archive = new PostgresMessageArchive(database);
      await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Writer', 'Free')`, [writer]);
      for (const { name, from, to } of months.slice(0, 3)) {
        await database.execute(
          `CREATE TABLE ${name} PARTITION OF messages FOR VALUES FROM ('${from}') TO ('${to}') WITH (${PARTITION_STORAGE})`,
        );
      }
      const ages = Array.from({ length: 90 }, (_, age) => age);
      await storeMessages(
        database,
        ages.map((age) => ({ accountId: writer, age })),
      );
      await database.execute('ANALYZE messages');
    });

    it('read no partition later than the requested range, and none more than two months earlier', async () => {
      const startOfLastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
      const before = at(new Date(startOfLastMonth.getTime() - 2 * 86_400_000));
      const [scan, further] = await partitionsOf({ before }, 10);
      expect([scan, further]).toEqual([namesOf(0, 2), expect.any(Array)]);
      const { messages } = await archive.newest(writer, { before }, 50);
      const expected = Array.from({ length: 90 }, (_, age) => daysAgo(age)).filter(
        (day) => day.toISOString() < before.at,
      );
      expect(messages).toHaveLength(Math.min(expected.length, 50));
    });

    it('read the last two months first, without an upper time, and older ones if a page needs them', async () => {
      const [scan, ...rest] = await partitionsOf({}, 10);
      expect(namesOf(1, 4)).toEqual(expect.arrayContaining(scan!));
      expect(rest).toHaveLength(1);
      const [page] = await partitionsOf({ status: 'Sent' }, 10);
      expect(page).toEqual(scan);
      const [future] = await partitionsOf({ before: at(new Date('2099-01-01')) }, 10);
      expect(future).toEqual(scan);
      const since = { after: at(daysAgo(5)) };
      expect((await partitionsOf(since, 50))[0]).toEqual(scan);
      expect((await archive.newest(writer, since, 50)).messages).toHaveLength(5);
      const all: Date[] = [];
      let before: TimeCursor | undefined;
      do {
        const { messages, next } = await archive.newest(writer, { before }, 20);
        all.push(...messages.map(({ createdAt }) => createdAt));
        before = next ?? undefined;
      } while (before);
      expect(all).toHaveLength(90);
      expect(all).toEqual([...all].sort((one, other) => other.getTime() - one.getTime()));
      expect((await archive.newest(writer, { status: 'Failed' }, 20)).messages).toEqual([]);
    });

    it('show the messages of a job that waited for months, whose ids are as old as the job', async () => {
      await storeMessages(database, [{ accountId: writer, age: 1.5, idAge: 80 }]);
      const insert = `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, created_at, completed_at)
        SELECT gen_random_uuid(), $1, sender_id, kind, $2, template_name, language_code, revision_id, $3, $4 FROM bulk_jobs LIMIT 1`;
      const shown = async () =>
        (await archive.newest(writer, {}, 10)).messages.filter(({ id }) => uuidTime(id) < daysAgo(50)).length;
      const job = (status: string, completedAt: Date | null) =>
        database.execute(insert, [writer, status, daysAgo(80), completedAt]);
      await job('Completed', daysAgo(40));
      expect(await shown()).toBe(0);
      await job('Processing', null);
      expect(await shown()).toBe(1);
      await database.execute(`UPDATE bulk_jobs SET completed_at = $2 WHERE account_id = $1 AND completed_at IS NULL`, [
        ...[writer, daysAgo(1)],
      ]);
      expect(await shown()).toBe(1);
      const readings = await readingsOf(database, () => archive.newest(accountId, {}, 10));
      expect(readings.flatMap(({ whole }) => whole).filter((table) => table === 'bulk_jobs')).toEqual([]);
      // None of the 30,000 jobs took longer than a day.
      expect(pagesOf(readings)).toBeLessThan(200);
    });
  });
});
