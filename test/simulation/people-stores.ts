import type { CreationClaim } from '../../src/kernel/creation-claim';
import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import type { BulkJobStore } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type { JobErasureStore } from '../../src/modules/bulk-jobs/domain/job-erasure-store.port';
import type { JobIntakeStore } from '../../src/modules/bulk-jobs/domain/job-intake-store.port';
import type { ErasureStore } from '../../src/modules/groups/domain/erasure-store.port';

/** Claims the right to create a resource with an idempotency key; null: it was already created. */
export type Claims = (key: string, resourceId: string) => Promise<CreationClaim | null>;

/** The stores behind people's requests. */
export interface PeopleStores {
  jobs: BulkJobStore;
  intakes: JobIntakeStore;
  jobErasure: JobErasureStore;
  erasures: ErasureStore;
  audit: AuditLogService;
  claims: Claims;
  /** The database's time in milliseconds since 1970. */
  readTime: () => Promise<number>;
}
