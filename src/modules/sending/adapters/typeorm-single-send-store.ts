import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Outcome } from '../domain/send-state';
import { type LockedSends, type SingleSend, SingleSendStore } from '../domain/single-send-store.port';

interface SendRow {
  message_id: string;
  sender_id: string;
  attempt: number;
  strikes: number;
  throttles: number;
  retry_at: Date | null;
  unknown_since: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  valid_until: Date;
  now: Date;
}

const COLUMNS = `message_id, sender_id, attempt, strikes, throttles, retry_at, unknown_since, outcome, problem, valid_until,
  clock_timestamp() AS now`;

/** Keeps single sends in the table `single_sends`. The text of a problem stands in the history alone. */
@Injectable()
export class TypeOrmSingleSendStore extends SingleSendStore {
  constructor(private readonly database: Database) {
    super();
  }

  async insert(sends: readonly SingleSend[], giveUpAfterMs: number): Promise<void> {
    await this.database.execute(
      `INSERT INTO single_sends (message_id, sender_id, attempt, retry_at, give_up_at, valid_until)
       SELECT id, sender, attempt, CASE WHEN attempt = 0 THEN GREATEST(clock_timestamp(), retry_at) END,
         CASE WHEN attempt > 0 THEN clock_timestamp() + $5 * interval '1 ms' END, valid_until
       FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $6::timestamptz[])
         AS s (id, sender, attempt, valid_until, retry_at)`,
      [
        sends.map((send) => send.messageId),
        sends.map((send) => send.senderId),
        sends.map((send) => send.attempt),
        sends.map((send) => send.validUntil),
        giveUpAfterMs,
        sends.map((send) => send.retryAt),
      ],
    );
  }

  async unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]> {
    const rows = await this.database.rows<{ message_id: string; sender_id: string }>(
      `SELECT message_id, sender_id FROM single_sends
       WHERE message_id = ANY($1::uuid[]) AND (outcome IS NULL OR outcome = 'Unknown')`,
      [messageIds],
    );
    return rows.map((row) => ({ messageId: row.message_id, senderId: row.sender_id }));
  }

  async lock(messageIds: readonly string[]): Promise<LockedSends> {
    return this.locked(
      `SELECT ${COLUMNS} FROM single_sends WHERE message_id = ANY($1::uuid[]) ORDER BY message_id FOR UPDATE`,
      [messageIds],
    );
  }

  async save(sends: readonly SingleSend[]): Promise<void> {
    await this.database.execute(
      `UPDATE single_sends SET strikes = s.strikes, throttles = s.throttles, retry_at = s.retry_at,
         unknown_since = s.unknown_since, outcome = s.outcome, problem = s.problem, sending_epoch = NULL, give_up_at = NULL
       FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[])
         AS s (id, strikes, throttles, retry_at, unknown_since, outcome, problem)
       WHERE message_id = s.id`,
      [
        sends.map((send) => send.messageId),
        sends.map((send) => send.strikes),
        sends.map((send) => send.throttles),
        sends.map((send) => send.retryAt),
        sends.map((send) => send.unknownSince),
        sends.map((send) => send.outcome),
        sends.map((send) => send.problem?.code ?? null),
      ],
    );
  }

  async claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]> {
    const { rows } = await this.database.execute<SendRow>(
      `UPDATE single_sends SET attempt = attempt + 1, sending_epoch = $2, retry_at = NULL,
         give_up_at = clock_timestamp() + $4 * interval '1 ms'
       WHERE message_id IN (
         SELECT message_id FROM single_sends
         WHERE sender_id = $1 AND retry_at <= clock_timestamp() AND valid_until > clock_timestamp()
         ORDER BY retry_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [senderId, epoch, limit, giveUpAfterMs],
    );
    return rows.map(toSend);
  }

  async lockStranded(senderId: string, epoch: string): Promise<LockedSends> {
    return this.locked(
      `SELECT ${COLUMNS} FROM single_sends
       WHERE sender_id = $1 AND sending_epoch < $2 AND outcome IS NULL ORDER BY message_id FOR UPDATE`,
      [senderId, epoch],
    );
  }

  async lockOverdue(graceMs: number, limit: number): Promise<LockedSends> {
    return this.locked(
      `SELECT ${COLUMNS} FROM single_sends
       WHERE message_id IN (
           (SELECT message_id FROM single_sends WHERE give_up_at < clock_timestamp() LIMIT $2)
           UNION (SELECT message_id FROM single_sends
             WHERE retry_at IS NOT NULL AND valid_until < now() ORDER BY valid_until LIMIT $2)
           UNION (SELECT message_id FROM single_sends
             WHERE unknown_since < clock_timestamp() - $1 * interval '1 ms' LIMIT $2))
         AND (give_up_at < clock_timestamp() OR (retry_at IS NOT NULL AND valid_until < clock_timestamp())
           OR unknown_since < clock_timestamp() - $1 * interval '1 ms')
       ORDER BY message_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [graceMs, limit],
    );
  }

  private async locked(sql: string, parameters: unknown[]): Promise<LockedSends> {
    const rows = await this.database.rows<SendRow>(sql, parameters);
    return { now: rows[0]?.now ?? new Date(), sends: rows.map(toSend) };
  }
}

function toSend(row: SendRow): SingleSend {
  return {
    messageId: row.message_id,
    senderId: row.sender_id,
    attempt: row.attempt,
    strikes: row.strikes,
    throttles: row.throttles,
    retryAt: row.retry_at,
    unknownSince: row.unknown_since,
    outcome: row.outcome,
    problem: row.problem === null ? null : { code: row.problem, message: '', platformCode: null },
    validUntil: row.valid_until,
  };
}
