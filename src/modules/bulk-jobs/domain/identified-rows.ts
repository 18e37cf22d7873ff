import type { GroupMember } from '../../groups/domain/contact-group';
import type { KnownNumbers } from '../../groups/domain/known-numbers';
import type { ReadRow } from '../../recipient-files/domain/file-rows';

/** The rows; those given by a user id whose number is known have both. */
export async function identified<Row extends ReadRow>(
  numbers: KnownNumbers,
  accountId: string,
  rows: Row[],
): Promise<Row[]> {
  const people = rows.map(({ phone }) => phone);
  const phones = await numbers.of(accountId, people);
  if (phones.size === 0) return rows;
  return rows.map((row) => {
    const phone = phones.get(row.phone);
    return phone === undefined ? row : { ...row, phone, userId: row.phone };
  });
}

/** The members; those without a number whose number is known get it. */
export async function identifiedMembers(
  numbers: KnownNumbers,
  accountId: string,
  members: readonly GroupMember[],
): Promise<readonly GroupMember[]> {
  const people = members.flatMap(({ phone, userId }) => (phone === null && userId !== null ? [userId] : []));
  const phones = await numbers.of(accountId, people);
  return members.map((member) => ({ ...member, phone: member.phone ?? phones.get(member.userId ?? '') ?? null }));
}
