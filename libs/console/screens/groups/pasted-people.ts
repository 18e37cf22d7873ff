import type { CreateContactDto } from '../../../client/generated/types.gen';

/** A contact with its number as written. */
export type PastedPerson = CreateContactDto & { phone: string };

/** The maximum of one API call. */
export const MAX_PEOPLE = 1000;

/**
 * Parses typed or pasted people, one per line: a phone number and optionally a name, separated by comma, semicolon or tab. Empty
 * lines are skipped. `lines`: the 1-based line number of each contact.
 */
export function parsePeople(text: string): { contacts: PastedPerson[]; lines: number[] } {
  const contacts: PastedPerson[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [phone = '', ...rest] = line.split(/[,;\t]/).map((part) => part.trim());
    if (phone === '' && rest.every((part) => part === '')) continue;
    const name = rest.join(' ').trim();
    contacts.push({ phone, ...(name && { name }) });
    lines.push(index + 1);
  }
  return { contacts, lines };
}
