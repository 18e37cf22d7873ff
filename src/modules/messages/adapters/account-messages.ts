import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { MESSAGE_COLUMNS } from './message-columns.sql';

/** Of the request that sent a message outside of jobs. */
const origin = (column: string): string => `
  CASE WHEN job_id IS NULL THEN (SELECT s.${column} FROM single_sends s WHERE s.message_id = messages.id) END`;
const COLUMNS = `${MESSAGE_COLUMNS}, ${origin('created_by')} AS "sentBy", ${origin('request_id')} AS "requestId"`;

const FILES = {
  'messages.jsonl': linesByTime({ columns: COLUMNS, table: 'messages', alias: 'messages', sender: 'sender_id' }),
};

/** The messages of an account in both directions, in its archive. */
@Injectable()
export class AccountMessages {
  constructor(database: Database, archive: AccountArchive) {
    archive.add(new JsonFiles(database, FILES));
  }
}
