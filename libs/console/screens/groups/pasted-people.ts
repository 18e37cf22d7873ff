import type { CreateContactDto } from '../../../client/generated/types.gen';

/** As many as one call takes. */
export const MOST_PEOPLE = 1000;

/**
 * People as somebody types or pastes them, one a line: a number, then if known a name, with a comma, a semicolon or a tab
 * between them. Empty lines are nobody. `lines` tells on which line of the text each of them stands, from 1.
 */
export function peopleOf(text: string): { contacts: CreateContactDto[]; lines: number[] } {
  const contacts: CreateContactDto[] = [];
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
