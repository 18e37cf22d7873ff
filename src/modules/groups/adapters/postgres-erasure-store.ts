import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { ErasedPerson, Erasure } from '../domain/erasure';
import type { Person } from '../domain/opt-out';
import { ERASURE_LEASE_SECONDS, ErasureStore } from '../domain/erasure-store.port';

const LEASE = `clock_timestamp() + interval '${ERASURE_LEASE_SECONDS} seconds'`;
const AFTER_MS = `clock_timestamp() + $3::int * interval '1 ms'`;
const IS_OWNED = `id = $1 AND owner = $2 AND completed_at IS NULL`;

/** Erasures in the table `erasures`; a process claims a row by locking it. */
@Injectable()
export class PostgresErasureStore extends ErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  async begin(id: string, person: Omit<ErasedPerson, 'requestedAt'>, owner: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO erasures (id, account_id, phone, user_id, requested_at, owner, due_at)
       VALUES ($1, $2, $3, $4, 'infinity', $5, ${LEASE})`,
      [id, person.accountId, person.phone, person.userId, owner],
    );
  }

  async setRequestedAt(id: string, owner: string): Promise<Date | null> {
    const { rows } = await this.database.execute<{ requestedAt: Date }>(
      `UPDATE erasures SET requested_at = LEAST(requested_at, clock_timestamp() + interval '1 second') WHERE ${IS_OWNED}
       RETURNING requested_at AS "requestedAt"`,
      [id, owner],
    );
    return rows[0]?.requestedAt ?? null;
  }

  async claimDue(owner: string): Promise<Erasure | null> {
    const [row] = await this.database.rows<ErasedPerson & Omit<Erasure, 'person'>>(
      `UPDATE erasures SET owner = $1, due_at = ${LEASE}
       WHERE id = (SELECT id FROM erasures WHERE completed_at IS NULL AND due_at <= clock_timestamp()
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, account_id AS "accountId", phone, user_id AS "userId", requested_at AS "requestedAt", round,
         progress AS positions`,
      [owner],
    );
    if (!row) return null;
    const { id, round, positions, ...person } = row;
    return { id, person, round, positions };
  }

  async peopleBeingErased(accountId: string, since: Date | null): Promise<string[]> {
    const rows = await this.database.rows<Person>(
      `SELECT phone, user_id AS "userId" FROM erasures
       WHERE account_id = $1 AND completed_at IS NULL AND ($2::timestamptz IS NULL OR requested_at > $2)`,
      [accountId, since],
    );
    return rows.flatMap(({ phone, userId }) => [phone, userId].filter((key) => key !== null));
  }

  async progress(id: string, owner: string, positions: Erasure['positions']): Promise<boolean> {
    const { affected } = await this.database.execute(
      `UPDATE erasures SET progress = $3, due_at = ${LEASE} WHERE ${IS_OWNED}`,
      [id, owner, JSON.stringify(positions)],
    );
    return affected > 0;
  }

  async postpone(id: string, owner: string, ms: number): Promise<void> {
    await this.database.execute(`UPDATE erasures SET owner = NULL, due_at = ${AFTER_MS} WHERE ${IS_OWNED}`, [
      id,
      owner,
      ms,
    ]);
  }

  async nextRound(id: string, owner: string, ms: number): Promise<void> {
    await this.database.execute(
      `UPDATE erasures SET owner = NULL, round = round + 1, progress = '{}', due_at = ${AFTER_MS} WHERE ${IS_OWNED}`,
      [id, owner, ms],
    );
  }

  async complete(id: string, owner: string): Promise<void> {
    await this.database.execute(
      `UPDATE erasures SET owner = NULL, phone = NULL, user_id = NULL, progress = '{}', completed_at = clock_timestamp()
       WHERE ${IS_OWNED}`,
      [id, owner],
    );
  }
}
