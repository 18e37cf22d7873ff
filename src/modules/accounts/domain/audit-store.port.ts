import type { Slice } from '../../../kernel/page';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './audit-entry';

/** Stores the audit log. */
export abstract class AuditStore {
  /** Joins the transaction of the recorded action. */
  abstract add(entry: NewAuditEntry): Promise<void>;
  /** Newest first, at most `limit` entries after `after`. */
  abstract slice(filter: AuditFilter, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>>;
  /** Deletes the oldest entries before `before`, at most `limit`, and returns their number. */
  abstract removeBefore(before: Date, limit: number): Promise<number>;
}
