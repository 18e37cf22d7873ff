import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { exportedPages, JsonFiles, type JsonLinesQuery } from '../../../infra/database/json-lines';
import {
  AccountArchive,
  type ArchivePart,
  type ArchivePiece,
  type ArchiveScope,
} from '../../accounts/domain/account-archive';
import { MediaStore } from '../domain/media-store.port';
import { KEPT_OF_ACCOUNT } from './inbound-media.sql';

const KEPT: JsonLinesQuery = {
  sql: KEPT_OF_ACCOUNT,
  first: '00000000-0000-0000-0000-000000000000',
  hasSenders: true,
};

/** The stored files of the inbound messages of an account, in its archive under the ids of their messages, after a list of them. */
@Injectable()
export class AccountMedia implements ArchivePart {
  constructor(
    private readonly database: Database,
    private readonly files: MediaStore,
    archive: AccountArchive,
  ) {
    archive.add(new JsonFiles(database, { 'media.jsonl': KEPT }));
    archive.add(this);
  }

  async *pieces(of: ArchiveScope): AsyncGenerator<ArchivePiece> {
    for await (const rows of exportedPages(this.database, KEPT, of)) {
      for (const { at: messageId, line } of rows) {
        const content = line === null ? null : await this.files.open(messageId);
        for await (const data of content ?? []) yield { file: `media/${messageId}`, data };
      }
    }
  }
}
