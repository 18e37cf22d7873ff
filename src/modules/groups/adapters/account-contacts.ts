import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const DELETE_CONTACTS = `
DELETE FROM contacts WHERE id = ANY(ARRAY(SELECT id FROM contacts WHERE account_id = $1 ORDER BY id LIMIT $2))`;
const DELETE_OPT_OUTS = `
DELETE FROM opt_outs WHERE ctid = ANY(ARRAY(SELECT ctid FROM opt_outs WHERE account_id = $1 LIMIT $2))`;

const CONTACT = `c.id, c.phone, c.user_id AS "userId", c.username, c.name, c.parameters, c.attributes, (
  SELECT COALESCE(jsonb_agg(m.group_id), '[]') FROM contact_group_members m WHERE m.contact_id = c.id) AS "groupIds",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
const GROUP = `g.id, g.name, g.description, g.contact_count AS "contactCount", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
const OPT_OUTS = `
SELECT r."person" || '|' || r."scope" AS at, to_jsonb(r)::text AS line FROM (
  SELECT person, scope, phone, user_id AS "userId", source, created_at AS "createdAt" FROM opt_outs
  WHERE account_id = $1 AND stopped AND (person, scope) > (split_part($2, '|', 1), split_part($2, '|', 2))
  ORDER BY person, scope LIMIT $3) r`;

const FILES = {
  'groups.jsonl': linesById({ columns: GROUP, table: 'contact_groups', alias: 'g' }),
  'contacts.jsonl': linesById({ columns: CONTACT, table: 'contacts', alias: 'c' }),
  'opt-outs.jsonl': { sql: OPT_OUTS, first: '|' },
};

/** The contacts, groups and opt-outs of an account, in its archive and when it is deleted; groups are few, so its row takes them along. */
@Injectable()
export class AccountContacts implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
    archive: AccountArchive,
  ) {
    deletion.add(this);
    archive.add(new JsonFiles(database, FILES));
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    const contacts = await this.database.execute(DELETE_CONTACTS, [accountId, limit]);
    if (contacts.affected > 0) return contacts.affected;
    return (await this.database.execute(DELETE_OPT_OUTS, [accountId, limit])).affected;
  }
}
