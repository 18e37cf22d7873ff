import type { Slice } from '../../../kernel/page';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { AuditEntry, AuditFilter } from './audit-entry';

/** Where the audit log is kept. */
export abstract class AuditStore {
  /** Joins the transaction of what it records. */
  abstract add(entry: AuditEntry): Promise<void>;
  /** Newest first, at most `limit` entries after `after`. */
  abstract slice(filter: AuditFilter, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>>;
  /** Deletes the oldest entries from before `before`, at most `limit`; how many. */
  abstract removeBefore(before: Date, limit: number): Promise<number>;
}
