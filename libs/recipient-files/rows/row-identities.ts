import type { RecipientRow } from '../recipient-file';
import { isUserId } from './extra-text';

/** The user id of a row; undefined: it has none. */
export function userIdOf({ phone, userId }: RecipientRow): string | undefined {
  return userId ?? (isUserId(phone) ? phone : undefined);
}

/** Which number and user id belong to one person: a row with both states it for the rows below, too. */
export class RowIdentities {
  private readonly stated = new Map<string, string>();

  /**
   * The row of a person with a user id, with the number that belongs to it; undefined if the row has another number or user id. `known`:
   * the number known before the file.
   */
  identified(row: RecipientRow, userId: string, known: string | undefined): RecipientRow | undefined {
    const number = known ?? this.stated.get(userId);
    if (row.userId === undefined) return number === undefined ? row : { ...row, phone: number, userId };
    if (isUserId(row.phone) || (number !== undefined && number !== row.phone)) return undefined;
    if (known === undefined) this.stated.set(userId, row.phone);
    return row;
  }
}
