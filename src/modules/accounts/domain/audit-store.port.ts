import type { Slice } from '../../../kernel/page';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { AuditEntry } from './audit-entry';

/** Where the audit log is kept. */
export abstract class AuditStore {
  /** Joins the transaction of what it records. */
  abstract add(entry: AuditEntry): Promise<void>;
  /** Newest first, at most `limit` entries after `after`; of all accounts if `accountId` is null. */
  abstract slice(accountId: string | null, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>>;
}
