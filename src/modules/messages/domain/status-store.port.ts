import type { ReportedChange, ReportedMessage } from './status-update';

/** Reads and writes messages for status updates. Every method joins the surrounding unit of work. */
export abstract class StatusStore {
  /** The messages with these ids that exist, in any order. */
  abstract byIds(ids: readonly string[]): Promise<ReportedMessage[]>;
  /** The messages with these platform ids whose own id was created after `since`, in any order. */
  abstract byPlatformIds(platformMessageIds: readonly string[], since: Date): Promise<ReportedMessage[]>;
  /** Locks and reads messages in id order. */
  abstract lock(ids: readonly string[]): Promise<ReportedMessage[]>;
  /** Writes status, problem and times of locked messages, and their events. */
  abstract save(changes: readonly ReportedChange[]): Promise<void>;
}
