import { unreadAuditLog } from '../support/audit';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { Plans } from '../../src/modules/accounts/domain/plans';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { PostgresJobIntakeStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-intake-store';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { JobIntakes, type JobRequest } from '../../src/modules/bulk-jobs/domain/job-intakes';
import { ANY_TIME } from '../../src/modules/bulk-jobs/domain/job-timing';
import type { TimeZones } from '../../src/modules/bulk-jobs/domain/time-zones.port';
import { PostgresContactStore } from '../../src/modules/groups/adapters/postgres-contact-store';
import { PostgresErasureStore } from '../../src/modules/groups/adapters/postgres-erasure-store';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import type { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { callerOf } from '../support/contact-book-api';
import { describeOnDatabase } from '../support/databases';

const [ANNA, BEN] = ['5511987654321', '4915100000002'];
const ORIGIN = {
  kind: 'Import',
  fileName: 'a.csv',
  groupId: null,
  audience: null,
  retryOf: null,
  uploadHash: null,
  retry: null,
} as const;
/** Runs outside the caller's transaction. */
const outside = AsyncLocalStorage.snapshot();

describeOnDatabase('The erasure of a recipient of a job that is being created', (open, isShared) => {
  let database: Database;
  let accountId: string;
  let contactId: string;
  let people: PersonErasure;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    accountId = uuidV7();
    contactId = uuidV7();
    await database.execute('DELETE FROM erasures');
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
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
    const anna = { phone: ANNA, userId: null, name: 'Anna', parameters: null, attributes: null };
    await new PostgresContactStore(database).create(accountId, contactId, anna);
    const [clock, unitOfWork] = [new SystemClock(), new TypeOrmUnitOfWork(database)];
    const audit = new AuditLogService(new PostgresAuditStore(database), clock);
    const contacts = new PostgresContactStore(database);
    people = new PersonErasure(contacts, new PostgresErasureStore(database), unitOfWork, audit, clock);
    people.add(new JobErasure(new PostgresJobErasureStore(database)));
  });

  const eraseAnna = () => people.eraseContact(callerOf(accountId), contactId);
  const sweepAll = async () => {
    for (let round = 0; round < 3; round++) {
      await database.execute(`UPDATE erasures SET due_at = now() - interval '1 second'`);
      await people.sweep(5000, (error) => {
        throw error;
      });
    }
  };
  /** Creates a job like an API process whose clock is ahead by `aheadMs`. */
  const create = async (meanwhile = () => Promise.resolve(), seal = () => Promise.resolve(), aheadMs = 0) => {
    const sender = { id: accountId };
    const senders = {
      ofAccount: () => Promise.resolve(sender),
      allOf: () => Promise.resolve([sender]),
    } as unknown as SendersService;
    const template = { revisionId: accountId, extrasErrors: () => [] };
    const templates = { sendable: () => Promise.resolve(template) } as unknown as TemplatesService;
    const intakes = new JobIntakes(
      ...([senders, templates, new PostgresJobIntakeStore(database), new TypeOrmUnitOfWork(database)] as const),
      ...([new SystemClock(), new SenderSignal(), {} as TimeZones] as const),
      new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 10 } }),
      ...([people, new PostgresJobErasureStore(database), unreadAuditLog()] as const),
    );
    const claim = { resourceId: uuidV7(Date.now() + aheadMs), seal };
    const request = {
      ...ANY_TIME,
      ...{ claim, accountId, keyId: uuidV7(), plan: 'Free', templateName: 'promo', languageCode: 'en_US' },
      ...{ extras: null, reference: null, validForSeconds: 3600, hold: true, signal: new AbortController().signal },
    } as JobRequest;
    await using intake = await intakes.open(request, ORIGIN);
    const rows = [
      { rowNumber: 1, phone: ANNA, values: ['Anna'] },
      { rowNumber: 2, phone: BEN, values: ['Ben'] },
    ];
    await intake.add({ rows, invalidRows: [] });
    await meanwhile();
    return (await intake.publish(0, [])).job;
  };
  const outcomesOf = async (jobId: string) => {
    const rows = await database.rows<{ phone: string; outcome: string | null }>(
      'SELECT phone, outcome FROM job_recipients WHERE job_id = $1 ORDER BY position',
      [jobId],
    );
    return rows.map(({ phone, outcome }) => [phone, outcome]);
  };
  const ERASED = [
    ['', 'Skipped'],
    [BEN, null],
  ];

  it('happens before the job is visible, whatever was read of the person before the request', async () => {
    const job = await create(async () => {
      expect(await eraseAnna()).toBe('erasing');
    });
    expect(await outcomesOf(job.id)).toEqual(ERASED);
    expect(await database.rows('SELECT skipped, failed FROM bulk_jobs WHERE id = $1', [job.id])).toEqual([
      { skipped: 1, failed: 1 },
    ]);
  });

  it('is not complete before the job is stored, however long that takes', async () => {
    const job = await create(async () => {
      await eraseAnna();
      await sweepAll();
    });
    expect(await outcomesOf(job.id)).toEqual(ERASED);
    await sweepAll();
    expect(await database.rows('SELECT 1 FROM erasures WHERE completed_at IS NULL')).toEqual([]);
  });

  it('happens even if the request is partly committed when the job is published', async () => {
    const erasures = new PostgresErasureStore(database);
    const job = await create(async () => {
      // Its process died after the commit: the request has no time yet.
      await erasures.begin(uuidV7(), { accountId, phone: ANNA, userId: null }, uuidV7());
    });
    expect(await outcomesOf(job.id)).toEqual(ERASED);
  });

  it('ignores a job created after the request', async () => {
    await eraseAnna();
    await database.execute(`UPDATE erasures SET requested_at = requested_at - interval '1 second'`);
    const job = await create(undefined, undefined, -300_000);
    await sweepAll();
    expect(await outcomesOf(job.id)).toEqual([
      [ANNA, null],
      [BEN, null],
    ]);
  });

  it('includes a job of a process whose clock is five minutes ahead', async () => {
    const job = await create(undefined, undefined, 300_000);
    expect(await eraseAnna()).toBe('erased');
    expect(await outcomesOf(job.id)).toEqual(ERASED);
  });

  // The embedded database's only connection runs nothing else during a transaction.
  if (isShared) {
    it('includes a job published during the commit of the request', async () => {
      const job = await create(undefined, async () => {
        expect(await outside(eraseAnna)).toBe('erasing');
      });
      await sweepAll();
      expect(await outcomesOf(job.id)).toEqual(ERASED);
    });
  }
});
