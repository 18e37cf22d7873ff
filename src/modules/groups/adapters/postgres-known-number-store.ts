import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { IdentifiedPerson, KnownByUserId } from '../domain/identified-person';
import { KnownNumberStore } from '../domain/known-number-store.port';

/** `OFFSET 0` makes the planner look up each person by an index, with or without statistics. */
const FIND = `
SELECT p.account AS "accountId", p.user_id AS "userId", COALESCE(contact.phone, talk.phone, stop.phone) AS phone
FROM unnest($1::uuid[], $2::text[]) AS p (account, user_id)
LEFT JOIN LATERAL (
  SELECT phone_key AS phone FROM contacts WHERE account_id = p.account AND user_id = p.user_id OFFSET 0) contact ON true
LEFT JOIN LATERAL (
  SELECT contact_phone AS phone FROM conversations
  WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NOT NULL
  ORDER BY last_message_at DESC LIMIT 1) talk ON true
LEFT JOIN LATERAL (
  SELECT person AS phone FROM opt_outs
  WHERE account_id = p.account AND user_id = p.user_id AND phone IS NOT NULL LIMIT 1) stop ON true
WHERE COALESCE(contact.phone, talk.phone, stop.phone) IS NOT NULL`;

/** Known numbers in the tables `contacts`, `conversations` and `opt_outs`. */
@Injectable()
export class PostgresKnownNumberStore extends KnownNumberStore {
  constructor(private readonly database: Database) {
    super();
  }

  find(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]> {
    return this.database.rows<IdentifiedPerson>(FIND, [
      people.map(({ accountId }) => accountId),
      people.map(({ userId }) => userId),
    ]);
  }
}
