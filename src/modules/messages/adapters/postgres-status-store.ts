import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestUuidAt } from '../../../kernel/uuid';
import { StatusStore } from '../domain/status-store.port';
import type { ReportedChange, ReportedMessage } from '../domain/status-update';
import { setAnswered } from './postgres-message-store';
import { BY_IDS, BY_PLATFORM_IDS, LOCK, SAVE } from './message-statuses.sql';

/** Reads and writes the statuses of the table `messages`. */
@Injectable()
export class PostgresStatusStore extends StatusStore {
  constructor(private readonly database: Database) {
    super();
  }

  byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.rows(BY_IDS, [ids]);
  }

  byPlatformIds(platformMessageIds: readonly string[], since: Date): Promise<ReportedMessage[]> {
    // Ids are UUIDv7: a bound on their time limits the search to recent partitions.
    return this.database.rows(BY_PLATFORM_IDS, [platformMessageIds, lowestUuidAt(since)]);
  }

  lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.rows(LOCK, [ids]);
  }

  async save(changes: readonly ReportedChange[]): Promise<void> {
    const column = <T>(of: (message: ReportedMessage) => T): T[] => changes.map(({ message }) => of(message));
    await this.database.submit(SAVE, [
      column((m) => m.id),
      column((m) => m.status),
      column((m) => m.problem?.code ?? null),
      column((m) => m.problem?.message ?? null),
      column((m) => m.problem?.platformCode ?? null),
      column((m) => m.deliveredAt),
      column((m) => m.readAt),
      column((m) => m.failedAt),
      changes.map(({ events }) => events.join(',')),
      column((m) => m.pricing?.billable ?? null),
      column((m) => m.pricing?.category ?? null),
      column((m) => m.pricing?.type ?? null),
    ]);
    const failures = changes.filter(
      ({ before, message }) => (before === 'Undelivered') !== (message.status === 'Undelivered'),
    );
    // Replies belong to no job.
    await setAnswered(
      this.database,
      failures.filter(({ message }) => message.jobId === null).map(({ message }) => message.id),
    );
  }
}
