import type { RecipientRow } from '../recipient-file';
import { isUserId } from './extra-text';

/** The user id of a row; undefined: it has none. */
export function userIdOf({ phone, userId }: RecipientRow): string | undefined {
  return userId ?? (isUserId(phone) ? phone : undefined);
}

/** Which number and user id belong to one person: a row with both states it for all rows of the file. */
export class RowIdentities {
  private readonly stated = new Map<string, string>();

  /** Adds the statement of a row; the first of a user id counts. */
  state(userId: string, phone: string): void {
    if (!this.stated.has(userId)) this.stated.set(userId, phone);
  }

  /** Whether a row of those added states the number of the user id. */
  has(userId: string): boolean {
    return this.stated.has(userId);
  }

  /**
   * The row of a person with a user id, with the number that belongs to it; undefined if the row has another number or user id. `known`:
   * the number known before the file.
   */
  identified(row: RecipientRow, userId: string, known: string | undefined): RecipientRow | undefined {
    const number = known ?? this.stated.get(userId);
    if (row.userId === undefined) return number === undefined ? row : { ...row, phone: number, userId };
    return row.phone === number ? row : undefined;
  }
}
