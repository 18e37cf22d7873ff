import { Clock } from '../../../src/kernel/clock';
import { UnitOfWork } from '../../../src/kernel/unit-of-work';
import { uuidV7 } from '../../../src/kernel/uuid';
import { AuditLogService, serviceIn } from '../../../src/modules/accounts/domain/audit-log.service';
import { JobErasureStore } from '../../../src/modules/bulk-jobs/domain/job-erasure-store.port';
import { JobIntake, type JobSource } from '../../../src/modules/bulk-jobs/domain/job-intake';
import { type JobDraft, JobIntakeStore } from '../../../src/modules/bulk-jobs/domain/job-intake-store.port';
import { PersonErasure } from '../../../src/modules/groups/domain/person-erasure';
import { SenderSignal } from '../../../src/modules/sending/domain/sender-signal';
import { phoneAt, type SqlSendingTables } from '../sending-tables';
import { newTables, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

const MAX_OPEN_JOBS = 10;

/** Begins to store a job. */
async function openImport(service: SteppedService, tables: SqlSendingTables): Promise<JobIntake> {
  const { accountId, senderId, revisionId } = tables;
  const draft: JobDraft = {
    ...{ id: uuidV7(), accountId, senderId, kind: 'Import', templateName: 'promo', languageCode: 'en_US', revisionId },
    ...{ extras: null, reference: null, fileName: 'people.csv', name: null, groupId: null, audience: null },
    ...{ retryOf: null, retry: null, uploadHash: null, keyId: uuidV7(), requestId: null, traceparent: null },
    ...{ validForSeconds: null, scheduledAt: null, sendWindow: null, hold: true },
  };
  const claim = { resourceId: draft.id, isKeyed: false, seal: () => Promise.resolve() };
  const intake = new JobIntake({ draft } as JobSource, claim, MAX_OPEN_JOBS, serviceIn(accountId), {
    store: service.get(JobIntakeStore),
    unitOfWork: service.get(UnitOfWork),
    clock: service.get(Clock),
    signal: service.get(SenderSignal),
    people: service.get(PersonErasure),
    erasures: service.get(JobErasureStore),
    audit: service.get(AuditLogService),
  });
  await intake.begin();
  return intake;
}

/** Imports in progress. */
export const IMPORT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the lease of an open import': {
    loops: ['job_intake_lease'],
    async prepare(service) {
      const tables = await newTables(service);
      const intake = await openImport(service, tables);
      const { id } = intake.source.draft;
      const aboutToEnd = `import_lease_until = clock_timestamp() + interval '5 s'`;
      await service.database.execute(`UPDATE bulk_jobs SET ${aboutToEnd} WHERE id = $1`, [id]);
      return {
        outcome: async () => {
          const [lease] = await service.database.rows(
            `SELECT status, import_lease_until > clock_timestamp() + interval '10 s' AS renewed FROM bulk_jobs WHERE id = $1`,
            [id],
          );
          await using open = intake;
          const row = { rowNumber: 2, phone: phoneAt(1), values: ['Mira'] };
          await open.add({ rows: [row], invalidRows: [] });
          const { job } = await open.publish(0, []);
          return { lease, status: job.status, recipients: (await tables.recipients(id)).length };
        },
      };
    },
  },
};
