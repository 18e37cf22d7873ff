import type { StreamableFile } from '@nestjs/common';
import type { BadRows } from '../../recipient-files/domain/bad-rows';
import { badRowsFile } from '../../recipient-files/adapters/bad-rows.dto';
import { placeOf } from '../../recipient-files/adapters/list-place.dto';
import type { ContactsChecked, ContactsImported } from '../domain/contact-imports.service';
import { ContactsImportedDto, type PeopleImportDto } from './contact-imports.dto';

/** A service that imports files of people. */
interface FileImports<Request> {
  importFile(request: Request): Promise<ContactsImported>;
  checkFile(request: Request, guessColumns: boolean): Promise<ContactsChecked>;
  badRows(request: Request, guessColumns: boolean): Promise<BadRows>;
}

/** What the requests of all imports have from their forms. */
export function listFields(body: PeopleImportDto) {
  return { ...placeOf(body), defaultCountry: body.defaultCountry, onInvalidRows: body.onInvalidRows };
}

/** Imports or, as the form says, only checks a file or returns its invalid rows. */
export async function importAnswer<Request>(
  imports: FileImports<Request>,
  request: Request,
  { dryRun, badRows, badRowsLanguage, columns }: PeopleImportDto & { columns?: unknown },
): Promise<ContactsImportedDto | StreamableFile> {
  const guessColumns = columns === 'auto';
  if (badRows) return badRowsFile(badRows, await imports.badRows(request, guessColumns), badRowsLanguage);
  if (dryRun !== 'true') return imports.importFile(request);
  return ContactsImportedDto.of(await imports.checkFile(request, guessColumns));
}
