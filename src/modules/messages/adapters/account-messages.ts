import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { jsonFiles, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive, type ArchivePart, type ArchivePiece } from '../../accounts/domain/account-archive';
import { MESSAGE_COLUMNS } from './message-columns.sql';

const FILES = {
  'messages.jsonl': linesByTime({ columns: MESSAGE_COLUMNS, table: 'messages', alias: 'messages' }),
};

/** The messages of an account in both directions, in its archive. */
@Injectable()
export class AccountMessages implements ArchivePart {
  constructor(
    private readonly database: Database,
    archive: AccountArchive,
  ) {
    archive.add(this);
  }

  pieces(accountId: string): AsyncGenerator<ArchivePiece> {
    return jsonFiles(this.database, FILES, accountId);
  }
}
