import type { SearchedNumber } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

/** With fewer digits too many numbers end alike. */
const MIN_ENDING = 4;

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
    const digits = /^[\d\s()./-]*$/.test(text) ? text.replaceAll(/\D/g, '') : '';
    this.ending = digits.length >= MIN_ENDING ? digits : null;
  }

  /** The phone number if the text is a complete one. */
  get completeNumber(): string | null {
    return this.number.whole;
  }

  /** Whether the person has written and their number ends with the text. */
  matchesEnding({ contactPhone, state }: Conversation): boolean {
    return this.ending !== null && state !== null && contactPhone?.endsWith(this.ending) === true;
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
