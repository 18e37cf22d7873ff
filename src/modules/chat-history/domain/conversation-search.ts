import { endingOf, type SearchedNumber } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

/** A conversation search: part of a name or username, or the beginning or the end of a phone number. */
export class ConversationSearch {
  private readonly name: string;
  /** The digits of a text that may be the end of a number, at least 4; else null. */
  readonly ending: string | null;

  constructor(
    text: string,
    private readonly number: SearchedNumber,
  ) {
    this.name = normalized(text);
    this.ending = endingOf(text);
  }

  /** The phone number if the text is a complete one. */
  get completeNumber(): string | null {
    return this.number.whole;
  }

  /** Whether one of the names contains the text, or the number begins with it, or ends with it and the person has written. */
  matches({ contactPhone, state }: Conversation, { name, username }: PersonNames): boolean {
    if (this.ending !== null && state !== null && contactPhone?.endsWith(this.ending)) return true;
    if ([name, username].some((one) => one !== null && normalized(one).includes(this.name))) return true;
    return contactPhone !== null && this.number.beginnings.some((digits) => contactPhone.startsWith(digits));
  }
}

/** Ignores case and the Unicode forms of a letter. */
function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
