import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Page, PageRequest } from '../../../kernel/page';
import { isUserId } from '../../../kernel/user-id';
import { uuidV7 } from '../../../kernel/uuid';
import { type ContactDraft, MAX_ATTRIBUTES } from '../domain/contact';
import type {
  Audience,
  ContactGroup,
  ContactsPut,
  GroupMember,
  GroupPatch,
  MemberPage,
  MemberRange,
} from '../domain/contact-group';
import { GroupStore } from '../domain/group-store.port';
import { ContactUserIdTakenError, GroupNameTakenError, GroupNotFoundError } from '../domain/groups.errors';
import { personKey } from '../domain/opt-out';
import { ATTRIBUTE_NAMES, MEMBERS } from './group-members.sql';
import { isUniqueViolation } from '../../../infra/database/unique-violation';

const COLUMNS = `id, account_id AS "accountId", name, description, contact_count AS "contactCount",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Contacts of each group whose attributes are listed. */
const NAMED_CONTACTS = 200;

/**
 * The given attributes and, as far as there is room, the stored ones that are not removed. $10: the names of those to remove, by the
 * id of a new contact.
 */
const MERGED_ATTRIBUTES = `CASE WHEN EXCLUDED.attributes = '{}' AND $10::jsonb->EXCLUDED.id::text = '[]' THEN contacts.attributes
  ELSE COALESCE((SELECT jsonb_object_agg(name, value) FROM (
    SELECT 0 AS place, key COLLATE "C" AS name, value FROM jsonb_each(EXCLUDED.attributes)
    UNION ALL
    SELECT 1, key COLLATE "C", value FROM jsonb_each(contacts.attributes - ARRAY(SELECT jsonb_array_elements_text($10::jsonb->EXCLUDED.id::text)))
    WHERE NOT jsonb_exists(EXCLUDED.attributes, key)
    ORDER BY place, name LIMIT ${MAX_ATTRIBUTES}) kept), '{}') END`;

/**
 * Groups in the tables `contact_groups` and `contact_group_members`. Members are added, removed and counted in one transaction that
 * locks the group, so the count is exact. To avoid deadlocks, a transaction that also changes
 * contacts locks those first, by phone key and then by user id, then groups, by id, and opt-outs last.
 */
@Injectable()
export class PostgresGroupStore extends GroupStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create(group: ContactGroup): Promise<void> {
    const { affected } = await this.database.execute(
      `INSERT INTO contact_groups (id, account_id, name, description, contact_count, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (account_id, lower(name)) DO NOTHING`,
      [group.id, group.accountId, group.name, group.description, group.contactCount, group.createdAt, group.updatedAt],
    );
    if (affected === 0) throw new GroupNameTakenError();
  }

  async find(accountId: string, groupId: string): Promise<ContactGroup | null> {
    const sql = `SELECT ${COLUMNS} FROM contact_groups WHERE account_id = $1 AND id = $2`;
    const [row] = await this.database.rows<ContactGroup>(sql, [accountId, groupId]);
    return row ?? null;
  }

  async list(
    accountId: string,
    { page, pageSize, search }: PageRequest & { search?: string },
  ): Promise<Page<ContactGroup>> {
    const matching = 'account_id = $1 AND ($2::text IS NULL OR position(folded_text($2) IN folded_text(name)) > 0)';
    const [count] = await this.database.rows<{ total: number }>(
      `SELECT count(*)::integer AS total FROM contact_groups WHERE ${matching}`,
      [accountId, search],
    );
    const items = await this.database.rows<ContactGroup>(
      `SELECT ${COLUMNS} FROM contact_groups WHERE ${matching} ORDER BY id DESC LIMIT $3 OFFSET $4`,
      [accountId, search, pageSize, (page - 1) * pageSize],
    );
    return { items, page, pageSize, totalCount: count?.total ?? 0 };
  }

  async change(accountId: string, groupId: string, { name, description }: GroupPatch): Promise<ContactGroup | null> {
    try {
      const [row] = await this.database.rows<ContactGroup>(
        `UPDATE contact_groups SET name = COALESCE($3, name),
           description = CASE WHEN $4::boolean THEN $5 ELSE description END, updated_at = now()
         WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [accountId, groupId, name, description !== undefined, description],
      );
      return row ?? null;
    } catch (error) {
      if (isUniqueViolation(error, 'contact_groups_by_name')) throw new GroupNameTakenError();
      throw error;
    }
  }

  removeStep(accountId: string, groupId: string, atMost: number): Promise<'more' | 'removed' | 'missing'> {
    return this.database.transaction(async () => {
      if (!(await this.lock(accountId, groupId))) return 'missing';
      const { affected } = await this.database.execute(
        `DELETE FROM contact_group_members WHERE group_id = $1
           AND contact_id = ANY(ARRAY(
             SELECT contact_id FROM contact_group_members WHERE group_id = $1 ORDER BY contact_id LIMIT $2))`,
        [groupId, atMost],
      );
      if (affected === atMost) {
        await this.count(groupId, -affected);
        return 'more';
      }
      await this.database.execute('DELETE FROM contact_groups WHERE id = $1', [groupId]);
      return 'removed';
    });
  }

  putContacts(accountId: string, groupId: string, contacts: readonly ContactDraft[]): Promise<ContactsPut> {
    return this.database.transaction(async () => {
      if (contacts.some(({ userId }) => userId !== null)) await this.lockUserIds(accountId);
      const taken = await this.withTakenUserId(accountId, contacts);
      const free = contacts.filter((draft) => !taken.includes(draft));
      const contactIds = await this.storeContacts(accountId, free).catch((error: unknown) => {
        throw isUniqueViolation(error, 'contacts_by_user_id') ? new ContactUserIdTakenError() : error;
      });
      if (!(await this.lock(accountId, groupId))) throw new GroupNotFoundError();
      const { affected: added } = await this.database.execute(
        `INSERT INTO contact_group_members (group_id, contact_id) SELECT $1::uuid, * FROM unnest($2::uuid[])
         ON CONFLICT DO NOTHING`,
        [groupId, contactIds],
      );
      if (added > 0) await this.count(groupId, added);
      return { added, updated: contactIds.length - added, taken };
    });
  }

  async withTakenUserId(accountId: string, contacts: readonly ContactDraft[]): Promise<ContactDraft[]> {
    const userIds = contacts.flatMap(({ phone, userId }) => (phone === null ? [] : (userId ?? [])));
    if (userIds.length === 0) return [];
    const rows = await this.database.rows<{ userId: string; phoneKey: string | null }>(
      `SELECT c.user_id AS "userId", c.phone_key AS "phoneKey" FROM unnest($2::text[]) AS given (user_id)
       CROSS JOIN LATERAL (SELECT user_id, phone_key FROM contacts
         WHERE account_id = $1 AND user_id = given.user_id OFFSET 0) c`,
      [accountId, userIds],
    );
    const holders = new Map(rows.map((row) => [row.userId, row.phoneKey]));
    return contacts.filter(
      ({ phone, userId }) => phone !== null && userId !== null && holders.has(userId) && holders.get(userId) !== phone,
    );
  }

  removeContacts(accountId: string, groupId: string, contactIds: readonly string[]): Promise<number | null> {
    return this.database.transaction(async () => {
      if (!(await this.lock(accountId, groupId))) return null;
      const { affected } = await this.database.execute(
        'DELETE FROM contact_group_members WHERE group_id = $1 AND contact_id = ANY($2::uuid[])',
        [groupId, contactIds],
      );
      if (affected > 0) await this.count(groupId, -affected);
      return affected;
    });
  }

  async countMembers(accountId: string, groupId: string, people: readonly string[]): Promise<number> {
    // LATERAL with OFFSET 0 as in MEMBERS.
    const [row] = await this.database.rows<{ members: number }>(
      `SELECT count(*)::int AS members FROM (
         SELECT id FROM unnest($3::text[]) AS given (phone_key)
         CROSS JOIN LATERAL (SELECT id FROM contacts WHERE account_id = $1 AND phone_key = given.phone_key OFFSET 0) c
         UNION SELECT id FROM unnest($4::text[]) AS given (user_id)
         CROSS JOIN LATERAL (SELECT id FROM contacts WHERE account_id = $1 AND user_id = given.user_id OFFSET 0) c) c
       CROSS JOIN LATERAL (SELECT 1 FROM contact_group_members WHERE group_id = $2 AND contact_id = c.id OFFSET 0) m`,
      [accountId, groupId, people.filter((person) => !isUserId(person)), people.filter(isUserId)],
    );
    return row?.members ?? 0;
  }

  async membersOf(
    accountId: string,
    { groupIds, excludeGroupIds }: Audience,
    { after, limit, attributes }: MemberRange,
  ): Promise<MemberPage> {
    const rows = await this.database.rows<GroupMember & { excluded: boolean }>(MEMBERS, [
      ...[accountId, groupIds, excludeGroupIds, after ?? FIRST_ID, limit, attributes],
    ]);
    const members = rows.flatMap(({ excluded, ...member }) => (excluded ? [] : [member]));
    const next = rows.length < limit ? null : rows.at(-1)!.contactId;
    return { members, excluded: rows.length - members.length, next };
  }

  async attributeNames(accountId: string, groupIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(ATTRIBUTE_NAMES, [accountId, groupIds, NAMED_CONTACTS]);
    return rows.map(({ name }) => name);
  }

  /** Stores the contacts, which stay locked until the transaction ends, and returns their ids. */
  private async storeContacts(accountId: string, contacts: readonly ContactDraft[]): Promise<string[]> {
    const sorted = [...contacts].sort((a, b) => (personKey(a)! < personKey(b)! ? -1 : 1));
    const ids: string[] = [];
    for (const [drafts, target] of [
      [sorted.filter(({ phone }) => phone !== null), '(account_id, phone_key)'],
      [sorted.filter(({ phone }) => phone === null), '(account_id, user_id) WHERE user_id IS NOT NULL'],
    ] as const) {
      if (drafts.length === 0) continue;
      const newIds = drafts.map(() => uuidV7());
      const rows = await this.database.rows<{ id: string }>(
        `INSERT INTO contacts (id, account_id, phone, phone_key, user_id, name, parameters, attributes)
         SELECT id, $1::uuid, phone, phone_key, user_id, name, parameters, attributes
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $9::jsonb[])
           AS given (id, phone, phone_key, user_id, name, parameters, attributes)
         ON CONFLICT ${target} DO UPDATE SET
           name = COALESCE(EXCLUDED.name, contacts.name), user_id = COALESCE(EXCLUDED.user_id, contacts.user_id),
           parameters = CASE WHEN EXCLUDED.id = ANY($8::uuid[]) THEN EXCLUDED.parameters ELSE contacts.parameters END,
           attributes = ${MERGED_ATTRIBUTES}, updated_at = now()
         RETURNING id`,
        [
          accountId,
          newIds,
          drafts.map(({ phone }) => phone),
          drafts.map(({ phone }) => phone),
          drafts.map(({ userId }) => userId),
          drafts.map(({ name }) => name),
          drafts.map(({ parameters }) => JSON.stringify(parameters ?? {})),
          newIds.filter((_id, index) => drafts[index]?.parameters !== null),
          drafts.map(({ attributes }) => JSON.stringify(onlyFilled(attributes ?? {}))),
          JSON.stringify(Object.fromEntries(newIds.map((id, index) => [id, namesOfNull(drafts[index]!.attributes)]))),
        ],
      );
      ids.push(...rows.map(({ id }) => id));
    }
    return ids;
  }

  /**
   * Two calls that store phones and user ids would lock the two indexes in different orders and deadlock, so an account's calls
   * run one at a time.
   */
  private async lockUserIds(accountId: string): Promise<void> {
    await this.database.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  }

  private async lock(accountId: string, groupId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM contact_groups WHERE account_id = $1 AND id = $2 FOR UPDATE';
    return (await this.database.rows(sql, [accountId, groupId])).length > 0;
  }

  private async count(groupId: string, difference: number): Promise<void> {
    await this.database.execute(
      'UPDATE contact_groups SET contact_count = contact_count + $2, updated_at = now() WHERE id = $1',
      [groupId, difference],
    );
  }
}

function onlyFilled(attributes: NonNullable<ContactDraft['attributes']>): object {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

function namesOfNull(attributes: ContactDraft['attributes']): string[] {
  return Object.entries(attributes ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
}
