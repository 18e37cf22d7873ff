import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { ConsoleSession } from '../domain/console-session';
import { ConsoleSessionStore } from '../domain/console-session-store.port';

const COLUMNS = `token_hash AS "tokenHash", key_id AS "keyId", key_prefix AS "keyPrefix", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

/** $6: maximum number of other sessions of the key. */
const ADD = `
WITH surplus AS (
  DELETE FROM console_sessions WHERE token_hash = ANY(ARRAY(
    SELECT token_hash FROM console_sessions WHERE key_id = $2 ORDER BY last_used_at DESC, token_hash OFFSET $6)))
INSERT INTO console_sessions (token_hash, key_id, key_prefix, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5)`;

const REMOVE_UNUSED = `
DELETE FROM console_sessions WHERE token_hash = ANY(ARRAY(
  SELECT token_hash FROM console_sessions WHERE last_used_at < $1 ORDER BY last_used_at LIMIT $2
  FOR UPDATE SKIP LOCKED))`;

/** Stores the sessions of the console in the table `console_sessions`. */
@Injectable()
export class PostgresConsoleSessionStore extends ConsoleSessionStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(
    { tokenHash, keyId, keyPrefix, createdAt, lastUsedAt }: ConsoleSession,
    maxSessions: number,
  ): Promise<void> {
    await this.database.execute(ADD, [tokenHash, keyId, keyPrefix, createdAt, lastUsedAt, maxSessions - 1]);
  }

  async findAll(tokenHashes: readonly Buffer[]): Promise<(ConsoleSession | null)[]> {
    const rows = await this.database.rows<ConsoleSession>(
      `SELECT ${COLUMNS} FROM console_sessions WHERE token_hash = ANY($1::bytea[])`,
      [tokenHashes],
    );
    const found = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
    return tokenHashes.map((tokenHash) => found.get(tokenHash.toString('hex')) ?? null);
  }

  async markUsed(tokenHash: Buffer, at: Date): Promise<void> {
    await this.database.execute(
      'UPDATE console_sessions SET last_used_at = $2 WHERE token_hash = $1 AND last_used_at < $2',
      [tokenHash, at],
    );
  }

  async remove(tokenHash: Buffer): Promise<ConsoleSession | null> {
    const [row] = await this.database.rows<ConsoleSession>(
      `DELETE FROM console_sessions WHERE token_hash = $1 RETURNING ${COLUMNS}`,
      [tokenHash],
    );
    return row ?? null;
  }

  async removeUnused(before: Date, limit: number): Promise<number> {
    return (await this.database.execute(REMOVE_UNUSED, [before, limit])).affected;
  }
}
