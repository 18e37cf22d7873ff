import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { MESSAGE_COLUMNS } from './message-columns.sql';

const FILES = {
  'messages.jsonl': linesByTime({ columns: MESSAGE_COLUMNS, table: 'messages', alias: 'messages' }),
};

/** The messages of an account in both directions, in its archive. */
@Injectable()
export class AccountMessages {
  constructor(database: Database, archive: AccountArchive) {
    archive.add(new JsonFiles(database, FILES));
  }
}
