import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestIdAt } from '../../../infra/database/message-partition';
import { StatusStore } from '../domain/status-store.port';
import type { ReportedMessage } from '../domain/status-update';

interface Row {
  id: string;
  account_id: string;
  job_id: string | null;
  platform_message_id: string | null;
  status: ReportedMessage['status'];
  problem: string | null;
  problem_message: string | null;
  platform_code: number | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

const SELECT = `
SELECT id, account_id, job_id, platform_message_id, status, problem, problem_message, platform_code, sent_at, delivered_at,
  read_at, failed_at
FROM messages`;

const SAVE = `
UPDATE messages m SET status = r.status, problem = r.problem, problem_message = r.problem_message,
  platform_code = r.platform_code, delivered_at = r.delivered_at, read_at = r.read_at, failed_at = r.failed_at
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[],
  $8::timestamptz[]) AS r (id, status, problem, problem_message, platform_code, delivered_at, read_at, failed_at)
WHERE m.id = r.id`;

/** Reads and writes what reports change in the table `messages`. */
@Injectable()
export class TypeOrmStatusStore extends StatusStore {
  constructor(private readonly database: Database) {
    super();
  }

  byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.read(`${SELECT} WHERE id = ANY($1::uuid[])`, [ids]);
  }

  byPlatformIds(platformMessageIds: readonly string[], since: Date): Promise<ReportedMessage[]> {
    // Ids are UUIDv7: a bound on their time keeps the search out of the older months.
    return this.read(`${SELECT} WHERE platform_message_id = ANY($1::text[]) AND id >= $2::uuid`, [
      platformMessageIds,
      lowestIdAt(since),
    ]);
  }

  lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.read(`${SELECT} WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`, [ids]);
  }

  async save(messages: readonly ReportedMessage[]): Promise<void> {
    const column = <T>(of: (message: ReportedMessage) => T): T[] => messages.map(of);
    await this.database.execute(SAVE, [
      column((m) => m.id),
      column((m) => m.status),
      column((m) => m.problem?.code ?? null),
      column((m) => m.problem?.message ?? null),
      column((m) => m.problem?.platformCode ?? null),
      column((m) => m.deliveredAt),
      column((m) => m.readAt),
      column((m) => m.failedAt),
    ]);
  }

  private async read(sql: string, parameters: unknown[]): Promise<ReportedMessage[]> {
    const rows = await this.database.rows<Row>(sql, parameters);
    return rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      jobId: row.job_id,
      platformMessageId: row.platform_message_id,
      status: row.status,
      problem:
        row.problem === null
          ? null
          : { code: row.problem, message: row.problem_message ?? '', platformCode: row.platform_code },
      sentAt: row.sent_at,
      deliveredAt: row.delivered_at,
      readAt: row.read_at,
      failedAt: row.failed_at,
    }));
  }
}
