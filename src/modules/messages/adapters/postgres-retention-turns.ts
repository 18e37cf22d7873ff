import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { RetentionTurns } from '../domain/retention-turns.port';

const UNTIL = 'clock_timestamp() + make_interval(secs => $2)';
const TAKE = `
UPDATE retention_turn SET owner = $1, lease_until = ${UNTIL}
WHERE (due_at <= clock_timestamp() OR $3) AND lease_until < clock_timestamp() RETURNING due_at <= clock_timestamp() AS "isDue"`;
const RENEW = `UPDATE retention_turn SET lease_until = ${UNTIL} WHERE owner = $1`;
const END = `UPDATE retention_turn SET owner = NULL, lease_until = '-infinity', due_at = COALESCE(${UNTIL}, due_at) WHERE owner = $1`;

/** The turn in the single row of `retention_turn`. */
@Injectable()
export class PostgresRetentionTurns extends RetentionTurns {
  constructor(private readonly database: Database) {
    super();
  }

  async take(owner: string, seconds: number, now: boolean): Promise<{ isDue: boolean } | null> {
    const [turn] = await this.database.rows<{ isDue: boolean }>(TAKE, [owner, seconds, now]);
    return turn ?? null;
  }

  async renew(owner: string, seconds: number): Promise<boolean> {
    return (await this.database.execute(RENEW, [owner, seconds])).affected === 1;
  }

  async end(owner: string, dueInSeconds: number | null): Promise<void> {
    await this.database.execute(END, [owner, dueInSeconds]);
  }
}
