import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { textToLookUp } from '../../../infra/database/search-keys';
import { endingOf, type PhoneNumber } from '../../../kernel/phone-number';
import { NameSearch } from '../../../kernel/name-search';
import { uuidV7 } from '../../../kernel/uuid';
import {
  type Contact,
  type ContactDraft,
  type ContactPatch,
  type ContactSearch,
  type NamedPerson,
  contactMatcher,
} from '../domain/contact';
import { ContactStore, type ContactRange, type SearchedRange } from '../domain/contact-store.port';
import { ContactPhoneTakenError, ContactUserIdTakenError } from '../domain/groups.errors';
import type { IdentityChange, Person } from '../domain/opt-out';
import { BY_KEYS } from './contact-search.sql';
import { isUniqueViolation } from '../../../infra/database/unique-violation';

const COLUMNS = `c.id, c.account_id AS "accountId", c.phone, c.user_id AS "userId", c.name, c.username, c.parameters, c.attributes,
  o.created_at AS "optedOutAt",
  (SELECT COALESCE(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name)), '[]')
   FROM contact_group_members m JOIN contact_groups g ON g.id = m.group_id WHERE m.contact_id = c.id) AS groups`;
const WITH_OPT_OUT = `LEFT JOIN opt_outs o ON o.account_id = c.account_id
  AND o.person = COALESCE(c.phone_key, c.user_id) AND o.scope = 'All' AND o.stopped`;

/** Records the user id of a contact that is deleted with the opt-out of its number, which thus stays in effect for both. */
const LINK_OPT_OUT = `
UPDATE opt_outs o SET user_id = c.user_id FROM contacts c
WHERE c.id = $1 AND c.user_id IS NOT NULL AND o.account_id = c.account_id AND o.person = c.phone_key
  AND o.user_id IS DISTINCT FROM c.user_id`;

const RANGE_OF_ALL = `
SELECT id FROM contacts WHERE account_id = $1 AND $2::uuid IS NULL AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC`;
const RANGE_OF_GROUP = `
SELECT contact_id AS id FROM contact_group_members
WHERE group_id = $2 AND ($3::uuid IS NULL OR contact_id < $3) ORDER BY contact_id DESC`;
const COUNT = `
SELECT count(*)::int AS count FROM (SELECT 1 FROM contacts WHERE account_id = $1 LIMIT $2) counted`;
const BY_IDS = 'SELECT unnest($2::uuid[]) AS id';

const UPSERT = `
INSERT INTO contacts (id, account_id, phone, phone_key, user_id, name, username)
SELECT id, $1::uuid, phone, phone_key, user_id, name, username
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  AS given (id, phone, phone_key, user_id, name, username)`;
const UPSERT_BY_PHONE = `
ON CONFLICT (account_id, phone_key) DO UPDATE SET name = COALESCE(contacts.name, EXCLUDED.name),
  user_id = COALESCE(contacts.user_id, EXCLUDED.user_id), username = COALESCE(EXCLUDED.username, contacts.username),
  updated_at = now()`;
const UPSERT_BY_USER_ID = `
ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET name = COALESCE(contacts.name, EXCLUDED.name),
  username = COALESCE(EXCLUDED.username, contacts.username), updated_at = now()`;

/** A phone or user id of another contact stays with that contact. */
const CHANGE_IDENTITY = `
UPDATE contacts c SET updated_at = now(),
  phone = CASE WHEN n.has_phone THEN $4 ELSE c.phone END, phone_key = CASE WHEN n.has_phone THEN $5 ELSE c.phone_key END,
  user_id = CASE WHEN n.has_user_id THEN $6 ELSE c.user_id END
FROM (SELECT
  $5::text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $1 AND phone_key = $5) AS has_phone,
  $6::text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $1 AND user_id = $6) AS has_user_id) n
WHERE c.account_id = $1 AND (n.has_phone OR n.has_user_id) AND c.id = COALESCE(
  (SELECT id FROM contacts WHERE account_id = $1 AND phone_key = $2),
  (SELECT id FROM contacts WHERE account_id = $1 AND user_id = $3))`;

/** With more, reading the contacts newest first, 20,000 a call, finds a page about as soon. The ids of so many cost less than those 20,000 rows. */
const MAX_CANDIDATES = 50_000;
/** Of them, the contacts that a call examines. */
const ROWS_EXAMINED = 1000;

type SearchedContact = Pick<Contact, 'id' | 'name' | 'username' | 'phone'>;

interface Holder {
  id: string;
  phoneKey: string | null;
  userId: string | null;
  name: string | null;
  username: string | null;
}

/** The row of the outer join if no contact matches. */
interface NoHolder {
  id: null;
}

/** A person, their phone key, and the contacts with that phone or user id. */
interface Match {
  person: NamedPerson;
  key: string | null;
  byPhone: Holder | null;
  byUserId: Holder | null;
}

/**
 * Contacts in the table `contacts`. A transaction that changes contacts and groups locks the contacts first, by phone key,
 * then those without a phone, by user id, then the groups, by id: see PostgresGroupStore.
 */
@Injectable()
export class PostgresContactStore extends ContactStore {
  constructor(private readonly database: Database) {
    super();
  }

  async count(accountId: string, limit: number): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(COUNT, [accountId, limit]);
    return row?.count ?? 0;
  }

  async countNew(accountId: string, people: readonly Person[]): Promise<number> {
    const matches = await this.match(accountId, people.map(unnamed));
    return matches.filter(({ byPhone, byUserId }) => byPhone === null && byUserId === null).length;
  }

  async namesOf(accountId: string, people: readonly Person[]): Promise<(string | null)[]> {
    const matches = await this.match(accountId, people.map(unnamed));
    return matches.map(({ byPhone, byUserId }) => byPhone?.name ?? byUserId?.name ?? null);
  }

  async create(accountId: string, contactId: string, contact: ContactDraft): Promise<void> {
    const { phone, userId, name, parameters, attributes } = contact;
    const { affected } = await this.database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, user_id, name, parameters, attributes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [
        ...[contactId, accountId, phone, phone, userId, name],
        ...[JSON.stringify(parameters ?? {}), JSON.stringify(attributes ?? {})],
      ],
    );
    if (affected > 0) return;
    const { byPhone, byUserId } = await this.holders(accountId, contact);
    if (byPhone !== undefined || userId === null) throw new ContactPhoneTakenError(byPhone);
    throw new ContactUserIdTakenError(byUserId);
  }

  async find(accountId: string, contactId: string): Promise<Contact | null> {
    const sql = `SELECT ${COLUMNS} FROM contacts c ${WITH_OPT_OUT} WHERE c.account_id = $1 AND c.id = $2`;
    const [row] = await this.database.rows<Contact>(sql, [accountId, contactId]);
    return row ?? null;
  }

  list(
    accountId: string,
    { phone, userId, before, limit }: ContactRange & { phone?: PhoneNumber; userId?: string },
  ): Promise<Contact[]> {
    return this.contactsBy(
      `SELECT id FROM contacts
       WHERE account_id = $1 AND ($3::text IS NULL OR phone_key = $3) AND ($5::text IS NULL OR user_id = $5)
         AND ($4::uuid IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $2`,
      [accountId, limit, phone ?? null, before, userId ?? null],
    );
  }

  listOfGroup(accountId: string, groupId: string, { before, limit }: ContactRange): Promise<Contact[]> {
    return this.contactsBy(
      `SELECT contact_id AS id FROM contact_group_members
       WHERE group_id = $3 AND ($4::uuid IS NULL OR contact_id < $4) ORDER BY contact_id DESC LIMIT $2`,
      [accountId, limit, groupId, before],
    );
  }

  async search(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    { before, limit, among }: ContactRange & { among: number },
  ): Promise<SearchedRange> {
    const range = groupId === null ? RANGE_OF_ALL : RANGE_OF_GROUP;
    const rows = await this.database.rows<SearchedContact>(
      `SELECT s.id, c.name, c.username, c.phone FROM (${range} LIMIT $4) s
       CROSS JOIN LATERAL (SELECT account_id, name, username, phone FROM contacts WHERE id = s.id OFFSET 0) c
       WHERE c.account_id = $1 ORDER BY s.id DESC`,
      [accountId, groupId, before, among],
    );
    return this.matching(accountId, search, { limit, rows, end: rows.length < among ? null : rows.at(-1)!.id });
  }

  async searchIndexed(
    accountId: string,
    groupId: string | null,
    search: ContactSearch,
    { before, limit }: ContactRange,
  ): Promise<SearchedRange | null> {
    const texts = new Set(new NameSearch(search.text).unaccented.map(textToLookUp));
    if (texts.has(null)) return null;
    const found = await this.database.rows<SearchedContact & { candidates: number; isSearched: boolean }>(BY_KEYS, [
      ...[accountId, [...texts], search.number.beginnings, before],
      ...[MAX_CANDIDATES, groupId, endingOf(search.text), ROWS_EXAMINED],
    ]);
    const candidates = found[0]?.candidates ?? 0;
    if (candidates > MAX_CANDIDATES) return null;
    const end = found.length < candidates ? found.at(-1)!.id : null;
    return this.matching(accountId, search, { limit, rows: found.filter(({ isSearched }) => isSearched), end });
  }

  /** Those of the rows that match, at most `limit`; `end`: the contact after which the search continues. */
  private async matching(
    accountId: string,
    search: ContactSearch,
    { limit, rows, end }: { limit: number; rows: readonly SearchedContact[]; end: string | null },
  ): Promise<SearchedRange> {
    const matching = rows.filter(contactMatcher(search)).map(({ id }) => id);
    const pageIds = matching.slice(0, limit);
    const found = pageIds.length === 0 ? [] : await this.contactsBy(BY_IDS, [accountId, pageIds]);
    return { found, next: matching.length > limit ? pageIds.at(-1)! : end };
  }

  async change(accountId: string, contactId: string, patch: ContactPatch): Promise<boolean> {
    const { phone, userId, name, parameters, attributes } = patch;
    try {
      const { affected } = await this.database.execute(
        `UPDATE contacts SET phone = COALESCE($3, phone), phone_key = COALESCE($4, phone_key),
           user_id = CASE WHEN $5::boolean THEN $6 ELSE user_id END, name = CASE WHEN $7::boolean THEN $8 ELSE name END,
           parameters = COALESCE($9::jsonb, parameters), attributes = COALESCE($10::jsonb, attributes), updated_at = now()
         WHERE account_id = $1 AND id = $2`,
        [
          ...[accountId, contactId, phone, phone, userId !== undefined, userId, name !== undefined, name],
          ...[parameters, attributes].map((given) => given && JSON.stringify(given)),
        ],
      );
      return affected > 0;
    } catch (error) {
      if (isUniqueViolation(error, 'contacts_by_phone')) throw new ContactPhoneTakenError();
      if (isUniqueViolation(error, 'contacts_by_user_id')) throw new ContactUserIdTakenError();
      throw error;
    }
  }

  async holders(accountId: string, { phone, userId }: Person): Promise<{ byPhone?: string; byUserId?: string }> {
    const holderOf = async (column: string, value: string | null) => {
      if (value === null) return undefined;
      const sql = `SELECT id FROM contacts WHERE account_id = $1 AND ${column} = $2`;
      return (await this.database.rows<{ id: string }>(sql, [accountId, value]))[0]?.id;
    };
    const byPhone = await holderOf('phone_key', phone);
    return { byPhone, byUserId: await holderOf('user_id', userId) };
  }

  async upsertFromInbound(accountId: string, people: readonly NamedPerson[]): Promise<void> {
    await this.upsert(accountId, await this.match(accountId, people));
  }

  async linkIdentities(accountId: string, people: readonly Person[]): Promise<void> {
    const matches = await this.match(accountId, people.map(unnamed));
    await this.upsert(
      accountId,
      matches.filter(({ byPhone, byUserId }) => byPhone !== null || byUserId !== null),
    );
  }

  async changeIdentity(accountId: string, { before, after }: IdentityChange): Promise<void> {
    await this.database.execute(CHANGE_IDENTITY, [
      ...[accountId, before.phone, before.userId, after.phone, after.phone, after.userId],
    ]);
  }

  private async upsert(accountId: string, people: readonly Match[]): Promise<void> {
    const matches = people.filter(addsData).sort(byLockOrder);
    const withNewPhone = matches.filter(
      ({ byPhone, byUserId, key }) => key !== null && !byPhone && byUserId?.phoneKey === null,
    );
    const withPhone = matches.filter((match) => match.key !== null && !withNewPhone.includes(match));
    const withoutPhone = matches.filter(({ key }) => key === null);
    if (withPhone.length > 0) {
      await this.database.execute(`${UPSERT} ${UPSERT_BY_PHONE}`, upsertParameters(accountId, withPhone));
    }
    if (withoutPhone.length > 0) {
      await this.database.execute(`${UPSERT} ${UPSERT_BY_USER_ID}`, upsertParameters(accountId, withoutPhone));
    }
    for (const { person, key, byUserId } of withNewPhone) {
      await this.database.execute(
        `UPDATE contacts SET phone = $3, phone_key = $4, name = COALESCE(name, $5),
           username = COALESCE($6, username), updated_at = now()
         WHERE account_id = $1 AND id = $2 AND phone_key IS NULL
           AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $1 AND phone_key = $4)`,
        [accountId, byUserId!.id, person.phone, key, person.name, person.username],
      );
    }
  }

  remove(accountId: string, contactId: string): Promise<boolean> {
    return this.database.transaction(async () => {
      // The lock keeps the contact from joining another group meanwhile, so that all its groups are counted down.
      const [contact] = await this.database.rows(
        'SELECT 1 FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE',
        [accountId, contactId],
      );
      if (!contact) return false;
      await this.database.execute(
        `SELECT 1 FROM contact_groups
         WHERE id IN (SELECT group_id FROM contact_group_members WHERE contact_id = $1) ORDER BY id FOR UPDATE`,
        [contactId],
      );
      await this.database.execute(
        `WITH left_groups AS (DELETE FROM contact_group_members WHERE contact_id = $1 RETURNING group_id)
         UPDATE contact_groups SET contact_count = contact_count - 1, updated_at = now()
         WHERE id IN (SELECT group_id FROM left_groups)`,
        [contactId],
      );
      await this.database.execute(LINK_OPT_OUT, [contactId]);
      await this.database.execute('DELETE FROM contacts WHERE id = $1', [contactId]);
      return true;
    });
  }

  /**
   * The contacts with the ids that the query `ids` selects, newest first. LATERAL with OFFSET 0 looks each of them up by id:
   * without statistics, which the embedded database never has, a join would read every contact of the account.
   */
  private contactsBy(ids: string, parameters: unknown[]): Promise<Contact[]> {
    return this.database.rows<Contact>(
      `SELECT ${COLUMNS} FROM (${ids}) page
       CROSS JOIN LATERAL (SELECT * FROM contacts WHERE id = page.id OFFSET 0) c ${WITH_OPT_OUT}
       WHERE c.account_id = $1 ORDER BY c.id DESC`,
      parameters,
    );
  }

  /** The contacts with the phone or user id of each person; LATERAL with OFFSET 0 as in `contactsBy`. */
  private async match(accountId: string, people: readonly NamedPerson[]): Promise<Match[]> {
    const keys = people.map(({ phone }) => phone);
    const holder = (column: string) =>
      `LEFT JOIN LATERAL (SELECT id, phone_key, user_id, name, username FROM contacts
         WHERE account_id = $1 AND ${column} = p.${column} OFFSET 0) c ON true`;
    const holders = async (column: 'phone_key' | 'user_id', values: (string | null)[]) =>
      this.database.rows<Holder | NoHolder>(
        `SELECT c.id, c.phone_key AS "phoneKey", c.user_id AS "userId", c.name, c.username
         FROM unnest($2::text[]) WITH ORDINALITY AS p (${column}, place) ${holder(column)} ORDER BY p.place`,
        [accountId, values],
      );
    const byPhone = await holders('phone_key', keys);
    const userIds = people.map(({ userId }) => userId);
    const byUserId = userIds.some((userId) => userId !== null) ? await holders('user_id', userIds) : [];
    const found = (row: Holder | NoHolder | undefined): Holder | null => (row && row.id !== null ? row : null);
    return people.map((person, index) => ({
      person,
      key: keys[index] ?? null,
      byPhone: found(byPhone[index]),
      byUserId: found(byUserId[index]),
    }));
  }
}

function unnamed(person: Person): NamedPerson {
  return { ...person, name: null, username: null };
}

/** Whether the person adds data to the contacts; for most people nothing is written or locked. */
function addsData({ person, key, byPhone, byUserId }: Match): boolean {
  const known = key === null ? byUserId : byPhone;
  if (!known) return true;
  return (
    (person.username !== null && person.username !== known.username) ||
    (known.name === null && person.name !== null) ||
    (known.userId === null && person.userId !== null && !byUserId)
  );
}

function byLockOrder(a: Match, b: Match): number {
  return (a.key ?? a.person.userId!) < (b.key ?? b.person.userId!) ? -1 : 1;
}

function upsertParameters(accountId: string, matches: readonly Match[]): unknown[] {
  const userIds = new Set<string>();
  // A user id of another contact stays with that contact: the phone identifies a person.
  const userIdOf = ({ person: { userId }, key, byUserId }: Match): string | null => {
    if (userId === null || userIds.has(userId) || (key !== null && byUserId)) return null;
    userIds.add(userId);
    return userId;
  };
  return [
    accountId,
    matches.map(() => uuidV7()),
    matches.map(({ person }) => person.phone),
    matches.map(({ key }) => key),
    matches.map(userIdOf),
    matches.map(({ person }) => person.name),
    matches.map(({ person }) => person.username),
  ];
}
