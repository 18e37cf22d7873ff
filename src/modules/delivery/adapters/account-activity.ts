import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles } from '../../../infra/database/json-lines';
import { RowDeletion } from '../../../infra/database/row-deletion';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion } from '../../accounts/domain/account-deletion';

const DELETIONS = [
  `
DELETE FROM account_activity WHERE account_id = $1 AND hour = ANY(ARRAY(
  SELECT hour FROM account_activity WHERE account_id = $1 LIMIT $2))`,
  `
DELETE FROM account_failures WHERE account_id = $1 AND hour = ANY(ARRAY(
  SELECT hour FROM account_failures WHERE account_id = $1 LIMIT $2))`,
];

const HOURS = `
SELECT hour::text AS at, to_jsonb(r)::text AS line FROM (
  SELECT hour, sent, delivered, read, undelivered, failed, received FROM account_activity
  WHERE account_id = $1 AND hour > $2::timestamptz ORDER BY hour LIMIT $3) r`;
const FAILURES = `
SELECT hour::text || '|' || r."errorCode" AS at, to_jsonb(r)::text AS line FROM (
  SELECT hour, code AS "errorCode", count FROM account_failures
  WHERE account_id = $1 AND (hour, code) > (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2))
  ORDER BY hour, code LIMIT $3) r`;
const FILES = {
  'activity.jsonl': { sql: HOURS, first: '-infinity' },
  'failures.jsonl': { sql: FAILURES, first: '-infinity|' },
};

/** The hourly figures of an account, in its archive and when it is deleted. */
@Injectable()
export class AccountActivity {
  constructor(database: Database, deletion: AccountDeletion, archive: AccountArchive) {
    deletion.add(new RowDeletion(database, DELETIONS));
    archive.add(new JsonFiles(database, FILES));
  }
}
