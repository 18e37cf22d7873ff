import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import type { NewAuditEntry } from '../../src/modules/accounts/domain/audit-entry';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresErasureStore } from '../../src/modules/groups/adapters/postgres-erasure-store';
import type { ErasedPerson, ErasurePart } from '../../src/modules/groups/domain/erasure';
import { ContactNotFoundError } from '../../src/modules/groups/domain/groups.errors';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';
import { callerOf } from '../support/contact-book-api';
import { describeOnDatabase } from '../support/databases';

const [ANNA, BEN] = ['5511987654321', '4915100000002'];

describeOnDatabase('The erasure of a person', (open) => {
  let database: Database;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    await database.execute('DELETE FROM erasures');
  });

  /** Another process: shares only the database. */
  const erasureWith = (parts: Record<string, ErasurePart['erase']>, audits = new PostgresAuditStore(database)) => {
    const clock = new SystemClock();
    const contacts = new PostgresContactStore(database);
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const audit = new AuditLogService(audits, clock);
    const erasure = new PersonErasure(contacts, new PostgresErasureStore(database), unitOfWork, audit, clock);
    for (const [name, erase] of Object.entries(parts)) erasure.add({ name, erase });
    return erasure;
  };
  const newContact = async (phone: string | null = ANNA, userId: string | null = null) => {
    const id = uuidV7();
    const contact = { phone, userId, name: 'Anna', parameters: null, attributes: null };
    await new PostgresContactStore(database).create(accountId, id, contact);
    return id;
  };
  const erasures = () =>
    database.rows<{ phone: string | null; round: number; completed: boolean; progress: object; waits: boolean }>(
      `SELECT phone, round, completed_at IS NOT NULL AS completed, progress, due_at > now() + interval '1 minute' AS waits
       FROM erasures`,
    );
  const makeDue = () => database.execute(`UPDATE erasures SET due_at = now() - interval '1 second'`);
  const sweep = async (erasure: PersonErasure) => {
    const errors: unknown[] = [];
    const worked = await erasure.sweep(5000, (error) => errors.push(error));
    return { worked, errors };
  };
  const done: ErasurePart['erase'] = () => Promise.resolve({ done: true });

  it('removes the username of the person everywhere', async () => {
    const username = `anna.${uuidV7()}`;
    const contacts = new PostgresContactStore(database);
    await contacts.upsertFromInbound(accountId, [{ phone: ANNA, userId: 'BR.1', name: 'Anna', username }]);
    const tables = await database.rows<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    const holding = async () => {
      const holders: string[] = [];
      for (const { name } of tables) {
        const found = await database.rows(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [username]);
        if (found.length > 0) holders.push(name);
      }
      return holders;
    };
    expect(await holding()).toEqual(['contacts']);
    const [anna] = await database.rows<{ id: string }>('SELECT id FROM contacts WHERE username = $1', [username]);
    expect(await erasureWith({}).eraseContact(callerOf(accountId), anna!.id)).toBe('erased');
    expect(await holding()).toEqual([]);
  });

  it('removes the contact, runs every part until it is done, and again two minutes later', async () => {
    const asked: [string, string | null][] = [];
    const stepwise: ErasurePart['erase'] = (_person, position) => {
      asked.push(['stepwise', position]);
      const next = Number(position ?? 0) + 1;
      return Promise.resolve(next < 3 ? { done: false, position: String(next) } : { done: true });
    };
    const people: ErasedPerson[] = [];
    const erasure = erasureWith({
      stepwise,
      other: (person) => {
        people.push(person);
        return done(person, null);
      },
    });
    const id = await newContact();
    expect(await erasure.eraseContact(callerOf(accountId), id)).toBe('erased');
    expect(await database.rows('SELECT action, target_id FROM audit_log WHERE account_id = $1', [accountId])).toEqual([
      { action: 'person.erased', target_id: id },
    ]);
    await expect(erasure.eraseContact(callerOf(accountId), id)).rejects.toThrow(ContactNotFoundError);
    expect(asked.map(([, position]) => position)).toEqual([null, '1', '2']);
    expect(people).toMatchObject([{ accountId, phone: ANNA, userId: null }]);
    expect(await erasures()).toEqual([{ phone: ANNA, round: 2, completed: false, progress: {}, waits: true }]);
    expect(await sweep(erasure)).toEqual({ worked: 0, errors: [] });
    await makeDue();
    expect(await sweep(erasure)).toEqual({ worked: 1, errors: [] });
    expect(people).toHaveLength(2);
    expect(people[1]).toEqual(people[0]);
    expect(await erasures()).toMatchObject([{ phone: null, completed: true }]);
    await makeDue();
    expect(await sweep(erasure)).toEqual({ worked: 0, errors: [] });
  });

  it('is visible while in progress, to its own account only', async () => {
    const waiting: ErasurePart['erase'] = () => Promise.resolve({ done: false, waiting: true });
    const erasure = erasureWith({ waiting });
    await erasure.eraseContact(callerOf(accountId), await newContact());
    expect([...(await erasure.peopleBeingErased(accountId))]).toEqual([ANNA]);
    expect(await erasure.peopleBeingErased(uuidV7())).toEqual(new Set());
    await database.execute(`UPDATE erasures SET completed_at = now(), phone = NULL`);
    expect(await erasure.peopleBeingErased(accountId)).toEqual(new Set());
  });

  it('does not affect another account', async () => {
    const id = await newContact();
    const erasure = erasureWith({ done });
    await expect(erasure.eraseContact(callerOf(uuidV7()), id)).rejects.toThrow(ContactNotFoundError);
    expect(await erasures()).toEqual([]);
    expect(await database.rows('SELECT 1 FROM contacts WHERE id = $1', [id])).toHaveLength(1);
  });

  it('continues in another process where a killed one stopped', async () => {
    const dying = erasureWith({
      first: done,
      second: (_person, position) =>
        position === null ? Promise.resolve({ done: false, position: 'here' }) : Promise.reject(new Error('died')),
    });
    expect(await dying.eraseContact(callerOf(accountId), await newContact())).toBe('erasing');
    const positions: (string | null)[] = [];
    const living = erasureWith({
      first: (person) => {
        positions.push('first again');
        return done(person, null);
      },
      second: (_person, position) => {
        positions.push(position);
        return Promise.resolve({ done: true });
      },
    });
    expect((await sweep(living)).worked).toBe(0);
    await makeDue();
    expect((await sweep(living)).worked).toBe(1);
    expect(positions).toEqual(['here']);
    expect(await erasures()).toMatchObject([{ round: 2 }]);
  });

  it('is postponed while a part waits or fails, and delays no other', async () => {
    let isWaiting = true;
    const asked: (string | null)[] = [];
    const waiting: ErasurePart['erase'] = (person) => {
      asked.push(person.phone);
      return Promise.resolve(isWaiting ? { done: false, waiting: true } : { done: true });
    };
    const erasure = erasureWith({ waiting, done });
    expect(await erasure.eraseContact(callerOf(accountId), await newContact())).toBe('erasing');
    expect(await erasures()).toMatchObject([{ round: 1, progress: { done: true } }]);
    const failing = erasureWith({ failing: () => Promise.reject(new Error('no')) });
    await makeDue();
    expect((await sweep(failing)).errors).toHaveLength(1);
    expect(await erasure.eraseContact(callerOf(accountId), await newContact(null, 'BR.7'))).toBe('erasing');
    isWaiting = false;
    await makeDue();
    expect((await sweep(erasure)).worked).toBe(2);
    expect((await erasures()).map(({ round }) => round)).toEqual([2, 2]);
    expect(asked.slice(2).sort()).toEqual([ANNA, null]);
  });

  it('runs in one process at a time', async () => {
    await erasureWith({ slow: () => Promise.resolve({ done: false, waiting: true }) }).eraseContact(
      callerOf(accountId),
      await newContact(),
    );
    await makeDue();
    let asked = 0;
    const handlers = {
      slow: async () => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { done: true };
      },
    };
    const [one, other] = await Promise.all([sweep(erasureWith(handlers)), sweep(erasureWith(handlers))]);
    expect([one.worked + other.worked, asked]).toEqual([1, 1]);
  });

  describe('in the recipients of jobs', () => {
    beforeEach(async () => {
      await database.execute(
        `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1::uuid, $1::uuid, $1::uuid::text, '2')`,
        [accountId],
      );
      await new TypeOrmUnitOfWork(database).run(async () => {
        await database.execute(
          `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
           VALUES ($1, $1, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $1, '2')`,
          [accountId],
        );
        await database.execute(`INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $1, '{}')`, [
          accountId,
        ]);
      });
    });

    const newJob = async (status: string, total: number, cursor: number, id = uuidV7(Date.now() - 1000)) => {
      await database.execute(
        `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id,
           total_recipients, cursor) VALUES ($1, $2, $3, 'Import', $4, 'promo', 'en_US', $2, $5, $6)`,
        [id, accountId, accountId, status, total, cursor],
      );
      return id;
    };
    const addRecipient = (jobId: string, position: number, phone: string, more: Record<string, unknown> = {}) =>
      database.execute(
        `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, retry_at, outcome,
           problem) VALUES ($1, $2, $2, $3, $4, '["Anna"]', $5, $6, $7, $8)`,
        [
          ...[jobId, position, uuidV7(), phone, more.attempt ?? 0, more.retryAt ?? null, more.outcome ?? null],
          more.problem ?? null,
        ],
      );
    const rowsOf = async (jobId: string) =>
      (
        await database.rows<{ phone: string; parameters: string[]; outcome: string | null; problem: string | null }>(
          `SELECT phone, parameters, outcome, problem FROM job_recipients WHERE job_id = $1 ORDER BY position`,
          [jobId],
        )
      ).map(({ phone, parameters, outcome, problem }) => [phone, parameters.length, outcome, problem]);
    const countersOf = async (jobId: string) =>
      (await database.rows('SELECT skipped, failed FROM bulk_jobs WHERE id = $1', [jobId]))[0];
    const step = async (phone: string | null = ANNA, position: string | null = null) => {
      const jobs = new JobErasure(new PostgresJobErasureStore(database));
      return jobs.erase({ accountId, phone, userId: null, requestedAt: new Date(Date.now() + 1000) }, position);
    };

    it('skips waiting recipients, in any form of the number, and removes all data of those sent to', async () => {
      const jobId = await newJob('Processing', 6, 4);
      await addRecipient(jobId, 1, ANNA, { attempt: 1, outcome: 'Sent' });
      await addRecipient(jobId, 2, ANNA, { attempt: 1, retryAt: new Date() });
      await addRecipient(jobId, 3, BEN, { attempt: 1, outcome: 'Sent' });
      await addRecipient(jobId, 4, ANNA);
      await addRecipient(jobId, 5, BEN);
      await addRecipient(jobId, 6, '+55 (11) 98765-4321', { outcome: 'Failed', problem: 'parameter_missing' });
      expect(await step()).toEqual({ done: true });
      expect(await rowsOf(jobId)).toEqual([
        ['', 0, 'Sent', null],
        ['', 0, 'Skipped', 'recipient_erased'],
        [BEN, 1, 'Sent', null],
        ['', 0, 'Skipped', 'recipient_erased'],
        [BEN, 1, null, null],
        ['', 0, 'Failed', 'parameter_missing'],
      ]);
      expect(await countersOf(jobId)).toEqual({ skipped: 2, failed: 2 });
      expect(await step()).toEqual({ done: true });
      expect(await countersOf(jobId)).toEqual({ skipped: 2, failed: 2 });
    });

    it('finds the user id, and removes it with extras and reference', async () => {
      const jobId = await newJob('Processing', 3, 2);
      await addRecipient(jobId, 1, ANNA, { attempt: 1, outcome: 'Sent' });
      await addRecipient(jobId, 2, 'BR.1');
      await addRecipient(jobId, 3, 'BR.2');
      await database.execute(
        `UPDATE job_recipients SET extras = '{"link": "https://example.com/anna.pdf"}', reference = 'K-1',
           user_id = CASE WHEN position = 1 THEN 'BR.1' END WHERE job_id = $1`,
        [jobId],
      );
      const jobs = new JobErasure(new PostgresJobErasureStore(database));
      const person = { accountId, phone: null, userId: 'BR.1', requestedAt: new Date(Date.now() + 1000) };
      expect(await jobs.erase(person, null)).toEqual({ done: true });
      const rows = await database.rows(
        'SELECT phone, user_id, extras, reference, outcome FROM job_recipients WHERE job_id = $1 ORDER BY position',
        [jobId],
      );
      const nothing = { phone: '', user_id: null, extras: null, reference: null };
      expect(rows).toEqual([
        { ...nothing, outcome: 'Sent' },
        { ...nothing, outcome: 'Skipped' },
        expect.objectContaining({ phone: 'BR.2', reference: 'K-1', outcome: null }),
      ]);
    });

    it('waits for a message in flight, and for a job that is still being stored', async () => {
      const jobId = await newJob('Processing', 1, 2);
      await addRecipient(jobId, 1, ANNA);
      expect(await step()).toEqual({ done: false, waiting: true });
      expect(await rowsOf(jobId)).toEqual([[ANNA, 1, null, null]]);
      await database.execute(`UPDATE job_recipients SET outcome = 'Sent', attempt = 1 WHERE job_id = $1`, [jobId]);
      expect(await step()).toEqual({ done: true });
      await newJob('Importing', 0, 1);
      expect(await step()).toMatchObject({ done: false, waiting: true });
      await database.execute(`UPDATE bulk_jobs SET status = 'Abandoned' WHERE status = 'Importing'`);
      expect(await step()).toEqual({ done: true });
    });

    it('changes no outcome of an ended job, and retries none of its recipients', async () => {
      const jobId = await newJob('Cancelled', 3, 3);
      await addRecipient(jobId, 1, ANNA, { attempt: 1, outcome: 'Failed', problem: 'platform_rejected' });
      await addRecipient(jobId, 2, BEN, { attempt: 1, outcome: 'Failed', problem: 'platform_rejected' });
      await addRecipient(jobId, 3, ANNA);
      expect(await step()).toEqual({ done: true });
      expect(await rowsOf(jobId)).toEqual([
        ['', 0, 'Failed', 'platform_rejected'],
        [BEN, 1, 'Failed', 'platform_rejected'],
        ['', 0, null, null],
      ]);
      expect(await countersOf(jobId)).toEqual({ skipped: 0, failed: 0 });
      await database.execute('UPDATE bulk_jobs SET completed_at = now() WHERE id = $1', [jobId]);
      const store = new PostgresBulkJobStore(database);
      const job = (await store.find(accountId, jobId))!;
      expect((await store.unsent(job, 1, 3)).map(({ reason }) => reason)).toEqual(['Erased', 'Failed', 'Erased']);
    });

    it('handles many and large jobs in steps, and no other accounts', async () => {
      const large = await newJob('Completed', 12_000, 12_001);
      for (let first = 1; first <= 12_000; first += 4000) {
        await database.execute(
          `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, outcome)
           SELECT $1, n, n, gen_random_uuid(), CASE WHEN n % 5000 = 0 THEN $2 ELSE $3 END, '[]', 'Sent'
           FROM generate_series($4::int, $5::int) n`,
          [large, ANNA, BEN, first, first + 3999],
        );
      }
      for (let made = 0; made < 160; made++) await newJob('Completed', 0, 1);
      const last = await newJob('Completed', 1, 2);
      await addRecipient(last, 1, ANNA, { attempt: 1, outcome: 'Sent' });
      let steps = 0;
      for (let position: string | null = null; ; steps++) {
        const { done: isDone, position: next }: Awaited<ReturnType<typeof step>> = await step(ANNA, position);
        if (isDone) break;
        position = next ?? null;
      }
      expect(steps).toBeGreaterThanOrEqual(3);
      const left = await database.rows('SELECT 1 FROM job_recipients WHERE phone = $1 AND job_id = ANY($2::uuid[])', [
        ANNA,
        [large, last],
      ]);
      expect(left).toEqual([]);
      expect(await step(null)).toEqual({ done: true });
    });

    it('includes a job created between the request and its commit', async () => {
      let jobId = '';
      /** The last statement of the request. */
      class JobMeanwhile extends PostgresAuditStore {
        override async add(entry: NewAuditEntry): Promise<void> {
          await super.add(entry);
          await new Promise((done) => setTimeout(done, 20));
          jobId = await newJob('Paused', 1, 1, uuidV7());
          await addRecipient(jobId, 1, ANNA);
        }
      }
      const jobs = new JobErasure(new PostgresJobErasureStore(database));
      const erase: ErasurePart['erase'] = (person, position) => jobs.erase(person, position);
      const erasure = erasureWith({ jobs: erase }, new JobMeanwhile(database));
      expect(await erasure.eraseContact(callerOf(accountId), await newContact())).toBe('erased');
      expect(await rowsOf(jobId)).toEqual([['', 0, 'Skipped', 'recipient_erased']]);
    });

    it('leaves anything created after the request', async () => {
      const jobId = await newJob('Queued', 1, 1);
      await addRecipient(jobId, 1, ANNA);
      const jobs = new JobErasure(new PostgresJobErasureStore(database));
      const requestedAt = new Date(Date.now() - 60_000);
      expect(await jobs.erase({ accountId, phone: ANNA, userId: null, requestedAt }, null)).toEqual({ done: true });
      expect(
        await jobs.erase({ accountId: uuidV7(), phone: ANNA, userId: null, requestedAt: new Date() }, null),
      ).toEqual({
        done: true,
      });
      expect(await rowsOf(jobId)).toEqual([[ANNA, 1, null, null]]);
    });
  });
});
