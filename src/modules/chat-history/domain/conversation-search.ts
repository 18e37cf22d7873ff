import { phoneKey } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';
import type { PersonNames } from './conversation-store.port';

const SHORTEST_NUMBER = 8;
const LONGEST_NUMBER = 15;
/** A phone number with the punctuation that people write. */
const NUMBER_WITH_PUNCTUATION = /^\+?[\d\s().\-/]+$/;

/** A search for conversations: a part of a name or username, or the beginning of a phone number. */
export class ConversationSearch {
  private readonly name: string;
  /** The digits of a phone number; null when the text is not one. */
  private readonly digits: string | null;

  constructor(text: string) {
    this.name = folded(text);
    const digits = text.replace(/\D/g, '').replace(/^00/, '');
    this.digits = NUMBER_WITH_PUNCTUATION.test(text.trim()) && digits !== '' ? digits : null;
  }

  /** The digits, when they can be a whole phone number. */
  get wholeNumber(): string | null {
    const length = this.digits?.length ?? 0;
    return length >= SHORTEST_NUMBER && length <= LONGEST_NUMBER ? this.digits : null;
  }

  /** Whether one of the names contains the text, or the number begins with it, as stored or as dialled. */
  matches({ contactPhone }: Conversation, { name, username }: PersonNames): boolean {
    if ([name, username].some((one) => one !== null && folded(one).includes(this.name))) return true;
    if (this.digits === null || contactPhone === null) return false;
    return contactPhone.startsWith(this.digits) || phoneKey(contactPhone).startsWith(this.digits);
  }
}

/** Ignores case and the Unicode forms of a letter. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
