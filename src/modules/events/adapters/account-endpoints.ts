import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';

const ENDPOINT = `w.id, w.url, w.events, w.max_events AS "maxEvents", w.status, w.disabled_reason AS "disabledReason",
  w.created_at AS "createdAt"`;
const FILES = {
  'webhook-endpoints.jsonl': linesByTime({ columns: ENDPOINT, table: 'webhook_endpoints', alias: 'w' }),
};

/** The webhook endpoints of an account, without their secrets, in its archive. */
@Injectable()
export class AccountEndpoints {
  constructor(database: Database, archive: AccountArchive) {
    archive.add(new JsonFiles(database, FILES));
  }
}
