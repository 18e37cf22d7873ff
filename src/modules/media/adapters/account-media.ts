import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { AccountArchive, type ArchivePart, type ArchivePiece } from '../../accounts/domain/account-archive';
import { MediaStore } from '../domain/media-store.port';

const STORED = `
SELECT message_id AS "messageId" FROM inbound_media WHERE account_id = $1 AND state = 'Stored' AND message_id > $2::uuid
ORDER BY message_id LIMIT 500`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The files of the inbound messages of an account, in its archive under the ids of their messages. */
@Injectable()
export class AccountMedia implements ArchivePart {
  constructor(
    private readonly database: Database,
    private readonly files: MediaStore,
    archive: AccountArchive,
  ) {
    archive.add(this);
  }

  async *pieces(accountId: string): AsyncGenerator<ArchivePiece> {
    for (let after = FIRST; ;) {
      const rows: { messageId: string }[] = await this.database.rows(STORED, [accountId, after]);
      for (const { messageId } of rows) {
        const content = await this.files.open(messageId);
        for await (const data of content ?? []) yield { file: `media/${messageId}`, data };
        after = messageId;
      }
      if (rows.length === 0) return;
    }
  }
}
