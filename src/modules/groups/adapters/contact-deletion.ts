import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';

const DELETE_CONTACTS = `
DELETE FROM contacts WHERE id = ANY(ARRAY(SELECT id FROM contacts WHERE account_id = $1 ORDER BY id LIMIT $2))`;
const DELETE_OPT_OUTS = `
DELETE FROM opt_outs WHERE ctid = ANY(ARRAY(SELECT ctid FROM opt_outs WHERE account_id = $1 LIMIT $2))`;

/** Deletes the contacts and opt-outs of a deleted account; its groups are few. */
@Injectable()
export class ContactDeletion implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    const contacts = await this.database.execute(DELETE_CONTACTS, [accountId, limit]);
    if (contacts.affected > 0) return contacts.affected;
    return (await this.database.execute(DELETE_OPT_OUTS, [accountId, limit])).affected;
  }
}
