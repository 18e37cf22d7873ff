import type { ReportedChange, ReportedMessage } from './status-update';

/** Reads and writes the messages that statuses are about. Every method joins the surrounding unit of work. */
export abstract class StatusStore {
  /** The messages with these ids that exist, in any order. */
  abstract byIds(ids: readonly string[]): Promise<ReportedMessage[]>;
  /** The messages with these ids of the platform whose own id was made after `since`, in any order. */
  abstract byPlatformIds(platformMessageIds: readonly string[], since: Date): Promise<ReportedMessage[]>;
  /** Locks messages in the order of their ids and reads them. */
  abstract lock(ids: readonly string[]): Promise<ReportedMessage[]>;
  /** Writes status, problem and times of locked messages, and hands their events to the endpoints of the account. */
  abstract save(changes: readonly ReportedChange[]): Promise<void>;
}
