import type { SearchedNumber } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

/** A search for conversations: a part of a name or username, or the beginning of a phone number. */
export class ConversationSearch {
  private readonly name: string;

  constructor(
    text: string,
    private readonly number: SearchedNumber,
  ) {
    this.name = folded(text);
  }

  /** The phone number, when the text is a whole one. */
  get wholeNumber(): string | null {
    return this.number.whole;
  }

  /** Whether one of the names contains the text, or the number begins with it. */
  matches({ contactPhone }: Conversation, { name, username }: PersonNames): boolean {
    if ([name, username].some((one) => one !== null && folded(one).includes(this.name))) return true;
    return contactPhone !== null && this.number.beginnings.some((digits) => contactPhone.startsWith(digits));
  }
}

/** Ignores case and the Unicode forms of a letter. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
