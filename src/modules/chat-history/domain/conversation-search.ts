import { phoneKey } from '../../../kernel/phone-number';
import type { Conversation } from './conversation';

const SHORTEST_NUMBER = 8;
const LONGEST_NUMBER = 15;
/** What people put between and before the digits of a number. */
const NUMBER_WITH_PUNCTUATION = /^\+?[\d\s().\-/]+$/;

/** What is looked for among conversations: a part of a name, or the beginning of a phone number. */
export class ConversationSearch {
  private readonly name: string;
  /** The digits of what may be a number; null where it is none. */
  private readonly digits: string | null;

  constructor(text: string) {
    this.name = folded(text);
    const digits = text.replace(/\D/g, '').replace(/^00/, '');
    this.digits = NUMBER_WITH_PUNCTUATION.test(text.trim()) && digits !== '' ? digits : null;
  }

  /** The digits, where they may be a whole phone number. */
  get wholeNumber(): string | null {
    const length = this.digits?.length ?? 0;
    return length >= SHORTEST_NUMBER && length <= LONGEST_NUMBER ? this.digits : null;
  }

  /** Whether it is found in the name that is shown, or at the beginning of the number in the form given or dialled. */
  matches({ contactPhone }: Conversation, name: string | null): boolean {
    if (name !== null && folded(name).includes(this.name)) return true;
    if (this.digits === null || contactPhone === null) return false;
    return contactPhone.startsWith(this.digits) || phoneKey(contactPhone).startsWith(this.digits);
  }
}

/** Case does not matter, nor in which of its forms Unicode writes a letter. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
