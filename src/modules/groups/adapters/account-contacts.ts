import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, type JsonLinesQuery, linesById } from '../../../infra/database/json-lines';
import { RowDeletion } from '../../../infra/database/row-deletion';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion } from '../../accounts/domain/account-deletion';

const DELETIONS = [
  `
DELETE FROM contacts WHERE id = ANY(ARRAY(SELECT id FROM contacts WHERE account_id = $1 ORDER BY id LIMIT $2))`,
  `
DELETE FROM opt_outs WHERE ctid = ANY(ARRAY(SELECT ctid FROM opt_outs WHERE account_id = $1 LIMIT $2))`,
  `
DELETE FROM erasures WHERE id = ANY(ARRAY(SELECT id FROM erasures WHERE account_id = $1 LIMIT $2))`,
];

const CONTACT = `c.id, c.phone, c.user_id AS "userId", c.username, c.name, c.parameters, c.attributes, (
  SELECT COALESCE(jsonb_agg(m.group_id), '[]') FROM contact_group_members m WHERE m.contact_id = c.id) AS "groupIds",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
const GROUP = `g.id, g.name, g.description, g.contact_count AS "contactCount", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
const ERASURE = `e.id, e.requested_at AS "requestedAt", e.completed_at AS "completedAt"`;
const optOuts = (condition: string): JsonLinesQuery => ({
  sql: `
SELECT r."person" || '|' || r."scope" AS at, to_jsonb(r)::text AS line FROM (
  SELECT person, scope, phone, user_id AS "userId", source, created_at AS "createdAt", stop_at AS "optedOutAt", start_at AS "optedInAt"
  FROM opt_outs
  WHERE account_id = $1 AND ${condition} AND (person, scope) > (split_part($2, '|', 1), split_part($2, '|', 2))
  ORDER BY person, scope LIMIT $3) r`,
  first: '|',
});

const FILES = {
  'groups.jsonl': linesById({ columns: GROUP, table: 'contact_groups', alias: 'g' }),
  'contacts.jsonl': linesById({ columns: CONTACT, table: 'contacts', alias: 'c' }),
  'opt-outs.jsonl': optOuts('stopped'),
  // People who opted in again.
  'opt-ins.jsonl': optOuts('NOT stopped'),
  'erasures.jsonl': linesById({ columns: ERASURE, table: 'erasures', alias: 'e' }),
};

/**
 * The contacts, groups, opt-outs and erasures of an account, in its archive and when it is deleted; groups are few, so its row takes them
 * along.
 */
@Injectable()
export class AccountContacts {
  constructor(database: Database, deletion: AccountDeletion, archive: AccountArchive) {
    deletion.add(new RowDeletion(database, DELETIONS));
    archive.add(new JsonFiles(database, FILES));
  }
}
