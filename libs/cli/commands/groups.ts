import { createGroup, listGroups } from '../../client/generated/sdk.gen';
import type { ContactsImportedDto } from '../../client/generated/types.gen';
import type { ContactFile } from '../../client/messaging-client';
import { EXIT, Interrupted } from '../exit-codes';
import { inOptions, warningText } from '../option-names';
import type { FileFlags } from '../option-values';
import { counted } from '../output';
import type { Session } from '../session';
import { mayBeDueToColumns, suggestedOption } from './column-advice';
import { findGroup } from './found';
import { noteChecking, peopleFileOf, refusesInvalid } from './people-file';

const NOTHING_IMPORTED = 'Nothing was imported.';

/** `messaging groups list` */
export async function list(session: Session, flags: { limit: number }): Promise<number> {
  const client = await session.client();
  const all = client.each(listGroups, { query: { pageSize: 100 } }, { signal: session.signal });
  await session.out.firstOfList(
    all,
    [
      ['group', (group) => group.id],
      ['name', (group) => group.name],
      ['contacts', (group) => group.contactCount],
    ],
    'No groups.',
    flags.limit,
  );
  return EXIT.done;
}

/** `messaging groups add <name>` */
export async function add(session: Session, name: string): Promise<number> {
  const group = await (await session.client()).call(createGroup, { body: { name } }, { signal: session.signal });
  session.out.result(group, () => group.id);
  return EXIT.done;
}

/** `messaging groups import <group> <file>`: checks the file, names its invalid rows, asks, adds the contacts. */
export async function importContacts(
  session: Session,
  name: string,
  path: string,
  flags: FileFlags<ContactFile['columns']>,
): Promise<number> {
  const { out, signal } = session;
  session.undone = NOTHING_IMPORTED;
  const { form, saveBadRows } = await peopleFileOf(path, flags);
  const { id, name: groupName } = await findGroup(session, name);
  const client = await session.client();
  noteChecking(session, path);
  const check = await client.checkContacts(id, form, { signal });
  const usable = check.added + check.updated;
  showCheck(session, check);
  await saveBadRows(session, check.invalid, (format) => client.badContactRows(id, form, format, { signal }));
  const { invalid } = check;
  if (!flags.columns && mayBeDueToColumns(check.errors, { invalid, rows: usable + invalid })) {
    out.note('If the phone numbers are not in the first column, name the columns with --columns.');
    const guess = await client.checkContacts(id, { ...form, columns: 'auto' }, { signal });
    if (guess.added + guess.updated > usable)
      out.note(`For example, if these columns are right:\n  ${suggestedOption(guess)}`);
  }
  if (flags.check || usable === 0) {
    if (out.json) out.result(check, () => '');
    if (flags.check) return check.invalid > 0 ? EXIT.someFailed : EXIT.done;
    out.problem('No valid rows; nothing was imported.');
    return invalid > 0 ? EXIT.someFailed : EXIT.refused;
  }
  if (refusesInvalid(session, flags, { invalid: check.invalid, check, outcome: 'imported' })) return EXIT.refused;
  const skipped = check.invalid > 0 ? ` ${counted(check.invalid, 'invalid row')} will be skipped.` : '';
  const question = `Import ${counted(usable, 'contact')} into ${groupName}?${skipped}`;
  if (!(await session.confirmed(question, NOTHING_IMPORTED))) return EXIT.refused;
  out.note(`Importing ${counted(usable, 'contact')} …`);
  const done = await client.importContacts(id, form, { signal }).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted('Interrupted: run it again to import the rest.') : error;
  });
  out.result(done, () => `${counted(done.added + done.updated, 'contact')} imported, ${done.invalid} invalid`);
  return done.invalid > 0 ? EXIT.someFailed : EXIT.done;
}

function showCheck({ out }: Session, { added, updated, invalid, duplicates, errors, warnings }: ContactsImportedDto) {
  const counts = `${added} new in the group, ${updated} already in it; ${invalid} invalid`;
  out.note(`${counted(added + updated, 'contact')}: ${counts}; ${counted(duplicates, 'duplicate')}`, 'bold');
  for (const { rowNumber, code, message } of errors) out.note(`  row ${rowNumber} (${code}): ${inOptions(message)}`);
  if (errors.length < invalid)
    out.note(`  and ${counted(invalid - errors.length, 'more invalid row')}: --bad-rows writes all to a file`);
  for (const warning of warnings) out.note(`  ${warningText(warning)}`, 'yellow');
}
