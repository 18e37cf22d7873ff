import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { isUniqueViolation } from '../../../infra/database/unique-violation';
import { QuickReplyNameTakenError } from '../domain/chat-history.errors';
import type { QuickReply, QuickReplyFields } from '../domain/quick-reply';
import { QuickReplyStore } from '../domain/quick-reply-store.port';

const COLUMNS = `id, account_id AS "accountId", name, text, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Quick replies in the table `quick_replies`. */
@Injectable()
export class PostgresQuickReplyStore extends QuickReplyStore {
  constructor(private readonly database: Database) {
    super();
  }

  list(accountId: string): Promise<QuickReply[]> {
    return this.database.rows(`SELECT ${COLUMNS} FROM quick_replies WHERE account_id = $1 ORDER BY lower(name)`, [
      accountId,
    ]);
  }

  async find(accountId: string, id: string): Promise<QuickReply | null> {
    const [found] = await this.database.rows<QuickReply>(
      `SELECT ${COLUMNS} FROM quick_replies WHERE account_id = $1 AND id = $2`,
      [accountId, id],
    );
    return found ?? null;
  }

  async add({ id, accountId, name, text, createdAt, updatedAt }: QuickReply, limit: number): Promise<boolean> {
    const { affected } = await nameChecked(
      this.database.execute(
        `INSERT INTO quick_replies (id, account_id, name, text, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM quick_replies WHERE account_id = $2) < $7::int`,
        [id, accountId, name, text, createdAt, updatedAt, limit],
      ),
    );
    return affected > 0;
  }

  async change(accountId: string, id: string, { name, text }: Partial<QuickReplyFields>): Promise<QuickReply | null> {
    const [changed] = await nameChecked(
      this.database.rows<QuickReply>(
        `UPDATE quick_replies SET name = COALESCE($3, name), text = COALESCE($4, text), updated_at = now()
         WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [accountId, id, name ?? null, text ?? null],
      ),
    );
    return changed ?? null;
  }

  async remove(accountId: string, id: string): Promise<boolean> {
    const { affected } = await this.database.execute('DELETE FROM quick_replies WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
    ]);
    return affected > 0;
  }
}

async function nameChecked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'quick_replies_by_name')) throw new QuickReplyNameTakenError();
    throw error;
  }
}
