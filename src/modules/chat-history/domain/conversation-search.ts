import { NameSearch } from '../../../kernel/name-search';
import { isUserId } from '../../../kernel/user-id';
import { endingOf, type SearchedNumber } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

/** A conversation search: words of a name or username, a user id, or the beginning or the end of a phone number. */
export class ConversationSearch {
  private readonly names: NameSearch;
  /** The digits of a text that may be the end of a number, at least 4; else null. */
  readonly ending: string | null;

  constructor(
    private readonly text: string,
    private readonly number: SearchedNumber,
  ) {
    this.names = new NameSearch(text.normalize('NFKC'));
    this.ending = endingOf(text);
  }

  /** The phone number if the text is a complete one. */
  get completeNumber(): string | null {
    return this.number.whole;
  }

  /** The user id if the text is one. */
  get userId(): string | null {
    return isUserId(this.text) ? this.text : null;
  }

  /** Whether the names contain the words, or the number begins with it, or ends with it and the person has written. */
  matches({ contactPhone, state }: Conversation, { name, username }: PersonNames): boolean {
    if (this.ending !== null && state !== null && contactPhone?.endsWith(this.ending)) return true;
    if (this.names.matches([name?.normalize('NFKC') ?? null, username])) return true;
    return contactPhone !== null && this.number.beginnings.some((digits) => contactPhone.startsWith(digits));
  }
}
