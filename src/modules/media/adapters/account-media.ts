import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles } from '../../../infra/database/json-lines';
import { AccountArchive, type ArchivePart, type ArchivePiece } from '../../accounts/domain/account-archive';
import { MediaStore } from '../domain/media-store.port';
import { KEPT_OF_ACCOUNT } from './inbound-media.sql';

const FIRST = '00000000-0000-0000-0000-000000000000';
const PAGE = 500;

/** The stored files of the inbound messages of an account, in its archive under the ids of their messages, after a list of them. */
@Injectable()
export class AccountMedia implements ArchivePart {
  constructor(
    private readonly database: Database,
    private readonly files: MediaStore,
    archive: AccountArchive,
  ) {
    archive.add(new JsonFiles(database, { 'media.jsonl': { sql: KEPT_OF_ACCOUNT, first: FIRST } }));
    archive.add(this);
  }

  async *pieces(accountId: string): AsyncGenerator<ArchivePiece> {
    for (let after = FIRST; ;) {
      const rows = await this.database.rows<{ at: string }>(KEPT_OF_ACCOUNT, [accountId, after, PAGE]);
      for (const { at: messageId } of rows) {
        const content = await this.files.open(messageId);
        for await (const data of content ?? []) yield { file: `media/${messageId}`, data };
        after = messageId;
      }
      if (rows.length < PAGE) return;
    }
  }
}
