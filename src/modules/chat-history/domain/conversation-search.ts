import type { SearchedNumber } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

/** A conversation search: part of a name or username, or a phone number prefix. */
export class ConversationSearch {
  private readonly name: string;

  constructor(
    text: string,
    private readonly number: SearchedNumber,
  ) {
    this.name = normalized(text);
  }

  /** The phone number if the text is a complete one. */
  get completeNumber(): string | null {
    return this.number.whole;
  }

  /** Whether one of the names contains the text, or the number begins with it. */
  matches({ contactPhone }: Conversation, { name, username }: PersonNames): boolean {
    if ([name, username].some((one) => one !== null && normalized(one).includes(this.name))) return true;
    return contactPhone !== null && this.number.beginnings.some((digits) => contactPhone.startsWith(digits));
  }
}

/** Ignores case and the Unicode forms of a letter. */
function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
