import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type ResealedSecrets, Resealing } from '../../../infra/secrets/resealing';
import { SecretBox } from '../../../infra/secrets/secret-box';

interface Row {
  id: string;
  accountId: string;
  accessToken: string | null;
  appSecret: string | null;
}

const BATCH = 100;
const COLUMNS = { accessToken: 'access_token_encrypted', appSecret: 'app_secret_encrypted' } as const;
type Column = keyof typeof COLUMNS;

const NEXT = `
SELECT id, account_id AS "accountId", access_token_encrypted AS "accessToken", app_secret_encrypted AS "appSecret"
FROM senders
WHERE id > $1 AND (access_token_encrypted IS NOT NULL OR app_secret_encrypted IS NOT NULL)
ORDER BY id LIMIT $2`;

/** Only if it has not changed since it was read. */
const REPLACE: Readonly<Record<Column, string>> = {
  accessToken: 'UPDATE senders SET access_token_encrypted = $3 WHERE id = $1 AND access_token_encrypted = $2',
  appSecret: 'UPDATE senders SET app_secret_encrypted = $3 WHERE id = $1 AND app_secret_encrypted = $2',
};

/** Binds an encrypted secret to its row and column: copied elsewhere, it cannot be decrypted. */
export function purposeOf(senderId: string, column: Column): string {
  return `sender ${senderId} ${column}`;
}

/** Re-encrypts the secrets of all senders after a change of the key. */
@Injectable()
export class SenderSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /**
   * Encrypts every secret with the current key, in batches; may run beside the service. `discardUnreadable`: deletes secrets that
   * no key decrypts and pauses sending for their accounts, so that nothing is sent with the environment's secrets instead.
   */
  async reseal(discardUnreadable: boolean): Promise<ResealedSecrets> {
    const resealing = new Resealing(this.box, discardUnreadable);
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.rows<Row>(NEXT, [after, BATCH]);
      for (const row of rows) await this.resealRow(row, resealing);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return resealing.result;
      after = last.id;
    }
  }

  private async resealRow(row: Row, resealing: Resealing): Promise<void> {
    for (const column of Object.keys(COLUMNS) as Column[]) {
      const sealed = row[column];
      if (sealed === null) continue;
      await resealing.reseal({
        accountId: row.accountId,
        sealed,
        purpose: purposeOf(row.id, column),
        replace: (resealed) => this.database.execute(REPLACE[column], [row.id, sealed, resealed]),
        discard: () => this.discard(row, column, sealed),
      });
    }
  }

  private async discard(row: Row, column: Column, sealed: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.execute('UPDATE accounts SET sending_paused = true WHERE id = $1', [row.accountId]);
      await this.database.execute(REPLACE[column], [row.id, sealed, null]);
    });
  }
}
