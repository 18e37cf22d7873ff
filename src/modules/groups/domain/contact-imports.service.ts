import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import { type BadRows, badRowsOf } from '../../recipient-files/domain/bad-rows';
import { columnUses, type FileColumn } from '../../recipient-files/domain/column-uses';
import {
  addErrors,
  type FileSummary,
  type ReadBatch,
  type ReadingRules,
  type ReadRow,
  type SuggestedColumns,
} from '../../recipient-files/domain/file-rows';
import { InvalidRowsError, NoValidRowsError, type RowError } from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import {
  ATTRIBUTE_NAME_LENGTH,
  CONTACT_NAME_LENGTH,
  type ContactDraft,
  MAX_ATTRIBUTES,
  userIdTakenError,
} from './contact';
import { ContactQuota } from './contact-quota';
import { ContactStore } from './contact-store.port';
import { GroupStore } from './group-store.port';
import { GroupsService } from './groups.service';
import { KnownNumbers } from './known-numbers';
import { personByKey, personKey } from './opt-out';
import { PhoneBook } from './phone-book.port';
import { problemOfText } from './plain-text';
import { SeenPeople } from './seen-people';

/** Where a file of contacts has what: each is a header or the letters of a column. */
export interface ContactColumns {
  phone: string;
  /** User ids of the platform, of people with a phone number or without one. */
  userId?: string | undefined;
  name?: string | undefined;
  /** Follows the name. */
  lastName?: string | undefined;
  /** The parameters in order. */
  values: string[];
}

/** A request to import a file into a group. */
export interface ContactImport extends Pick<ReadingRules, 'header' | 'headerRow' | 'sheet' | 'cellLanguage'> {
  accountId: string;
  groupId: string;
  /** Plan of the account, which limits the rows. */
  plan: string;
  path: string;
  /** Country of numbers without country code; absent: that of the account. */
  defaultCountry?: string | undefined;
  /** Absent: the phone is in column 1, the name under the header "name", and the others are parameters. */
  columns?: ContactColumns | undefined;
  /** skip: invalid rows are skipped; reject: one invalid row rejects the file. */
  onInvalidRows: 'skip' | 'reject';
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** The result of an import or of a dry run. */
export interface ContactsImported {
  added: number;
  updated: number;
  /** Rows with the same phone as an earlier row, in any form. */
  duplicates: number;
  invalid: number;
  /** The first 100. */
  errors: RowError[];
  warnings: string[];
}

/** The result of a dry run. */
export interface ContactsChecked extends ContactsImported {
  /** If columns were given or guessed. */
  columns?: FileColumn[];
  /** If the columns were to be guessed. */
  suggestedColumns?: SuggestedColumns;
}

/** Maximum number of row errors in an error response, and in a result. */
const MAX_ERRORS_IN_ERROR = 20;
export const MAX_ERRORS_IN_RESULT = 100;

/**
 * Imports files into groups. A file is read twice: first completely, so that an invalid one changes nothing, then in chunks into
 * the group. After an interruption stored chunks remain; importing the same file again adds the rest.
 */
@Injectable()
export class ContactImportsService {
  constructor(
    private readonly groups: GroupsService,
    private readonly store: GroupStore,
    private readonly files: RecipientFiles,
    private readonly phones: PhoneBook,
    private readonly plans: Plans,
    private readonly contacts: ContactStore,
    private readonly quota: ContactQuota,
    private readonly numbers: KnownNumbers,
  ) {}

  /**
   * Creates or updates a contact for each row and adds all of them to the group.
   * Rejects with GroupNotFoundError, the errors of a file, NoValidRowsError, InvalidRowsError and QuotaExceededError.
   */
  async importFile(request: ContactImport): Promise<ContactsImported> {
    const checked = await this.checkRows(request);
    const { duplicates } = checked;
    checkRowsAreUsable(checked, request.onInvalidRows);
    await this.reserveRoom(request, checked.people);
    const result: ContactsImported = {
      ...{ added: 0, updated: 0, duplicates, invalid: 0, errors: [], warnings: checked.warnings },
    };
    const { chunks } = await this.read(request);
    for await (const chunk of chunks) {
      const put = await this.store.putContacts(request.accountId, request.groupId, draftsOf(chunk));
      const invalidRows = invalidRowsOf(chunk, put.taken);
      result.added += put.added;
      result.updated += put.updated;
      result.invalid += invalidRows.length;
      addErrors(result.errors, invalidRows, MAX_ERRORS_IN_RESULT);
    }
    return result;
  }

  /**
   * Returns the result an import would have, without changing anything. Invalid rows are reported and do not reject. With
   * `guessColumns` it suggests columns and reads the file by them if the phone was found. With columns, requested or guessed, the
   * result has their uses, and errors have the cells of their rows.
   */
  async checkFile(given: ContactImport, guessColumns = false): Promise<ContactsChecked> {
    const { request, suggestedColumns } = await this.guessed(given, guessColumns);
    const byName = guessColumns || request.columns !== undefined;
    const { people, summary, mostValues, ...checked } = await this.checkRows(request, true, byName);
    return {
      ...checked,
      added: people - checked.updated,
      ...(byName && {
        columns: columnUses(summary.headerCells ?? [], summary.layout.titles.length, usesOf(summary, mostValues)),
      }),
      ...(suggestedColumns && { suggestedColumns }),
    };
  }

  /**
   * Returns the invalid rows of the file with their cells, as it is read, without changing anything. Rejects with the errors of
   * `checkFile`; so does `parts` if they are found after the first rows.
   */
  async badRows(given: ContactImport, guessColumns = false): Promise<BadRows> {
    const { accountId, groupId, signal } = given;
    const { request } = await this.guessed(given, guessColumns);
    await this.groups.get(accountId, groupId);
    const { chunks } = await this.read(request, true);
    return badRowsOf(this.withTaken(accountId, chunks), signal);
  }

  private async *withTaken(accountId: string, chunks: AsyncGenerator<Chunk>) {
    for await (const chunk of chunks) {
      const taken = await this.store.withTakenUserId(accountId, draftsOf(chunk));
      yield { ...chunk, invalidRows: invalidRowsOf(chunk, taken) };
    }
  }

  private async guessed(given: ContactImport, guessColumns: boolean) {
    if (!guessColumns) return { request: given };
    const suggestedColumns = await this.suggestColumns(given);
    return { request: { ...given, columns: suggestedSources(suggestedColumns) }, suggestedColumns };
  }

  private async suggestColumns(request: ContactImport): Promise<SuggestedColumns> {
    await this.groups.get(request.accountId, request.groupId);
    const wanted = { values: [], names: true, media: false };
    return this.files.suggestColumns(request, await this.rulesOf(request), wanted, request.signal);
  }

  /** Counts the new people of the file only if the plan might not allow all of them. */
  private async reserveRoom(request: ContactImport, people: number): Promise<void> {
    const { accountId, plan } = request;
    if (await this.quota.hasRoomFor(accountId, plan, people)) return;
    let added = 0;
    const { chunks } = await this.read(request);
    for await (const chunk of chunks) added += await this.contacts.countNew(accountId, draftsOf(chunk));
    await this.quota.reserveNew(accountId, plan, added);
  }

  /** Reads the whole file; a dry run counts people who are already members as updated. */
  private async checkRows(
    request: ContactImport,
    isDryRun = false,
    cells = false,
  ): Promise<Omit<ContactsImported, 'added'> & { people: number; summary: FileSummary; mostValues: number }> {
    const { accountId, groupId } = request;
    await this.groups.get(accountId, groupId);
    const checked = { people: 0, updated: 0, duplicates: 0, invalid: 0, errors: [] as RowError[], mostValues: 0 };
    const { chunks, summary } = await this.read(request, cells);
    for await (const chunk of chunks) {
      const taken = await this.store.withTakenUserId(accountId, draftsOf(chunk));
      const people = draftsOf(chunk).filter((draft) => !taken.includes(draft));
      const invalidRows = invalidRowsOf(chunk, taken);
      checked.mostValues = Math.max(checked.mostValues, chunk.mostValues);
      checked.people += people.length;
      checked.duplicates += chunk.duplicates;
      checked.invalid += invalidRows.length;
      addErrors(checked.errors, invalidRows, MAX_ERRORS_IN_RESULT);
      if (!isDryRun) continue;
      const keys = people.map((person) => personKey(person)!);
      checked.updated += await this.store.countMembers(accountId, groupId, keys);
    }
    const read = await summary;
    return { ...checked, warnings: read.warnings, summary: read };
  }

  private async read(
    request: ContactImport,
    cells = false,
  ): Promise<{ chunks: AsyncGenerator<Chunk>; summary: Promise<FileSummary> }> {
    const rules = { ...(await this.rulesOf(request)), cells };
    const { batches, summary } = this.files.read(request, rules, request.signal);
    return { chunks: chunksOf(batches), summary };
  }

  private async rulesOf({ accountId, plan, columns, defaultCountry, ...place }: ContactImport): Promise<ReadingRules> {
    const numbersOf = (userIds: readonly string[]) => this.numbers.of(accountId, userIds);
    return {
      valueCount: 'any',
      ...(columns ? { columns } : { nameColumn: true }),
      ...(columns?.userId !== undefined && { numbersOf }),
      attributes: { maxCount: MAX_ATTRIBUTES, maxNameLength: ATTRIBUTE_NAME_LENGTH },
      header: place.header,
      ...(place.headerRow !== undefined && { headerRow: place.headerRow }),
      ...(place.sheet !== undefined && { sheet: place.sheet }),
      ...(place.cellLanguage !== undefined && { cellLanguage: place.cellLanguage }),
      // A row is a duplicate if its phone is, whatever its values.
      duplicates: 'keep',
      defaultCountry: defaultCountry ?? (await this.phones.countryOf(accountId)),
      nationalFirst: defaultCountry !== undefined,
      maxRows: this.plans.of(plan).maxRowsPerFile,
    };
  }
}

/** Throws NoValidRowsError, and InvalidRowsError with `reject`, for the rows of a whole file. */
export function checkRowsAreUsable(
  {
    people,
    invalid,
    duplicates,
    errors: all,
  }: Pick<ContactsImported, 'invalid' | 'duplicates' | 'errors'> & { people: number },
  onInvalidRows: ContactImport['onInvalidRows'],
): void {
  const totalRecipients = people + invalid;
  const totals = { totalRecipients, invalidRows: invalid, duplicateRows: duplicates };
  const errors = all.slice(0, MAX_ERRORS_IN_ERROR);
  if (invalid === totalRecipients) throw new NoValidRowsError(totals, errors);
  if (onInvalidRows === 'reject' && invalid > 0) throw new InvalidRowsError(totals, errors);
}

/** The new people of one batch with their rows, and its other invalid rows in file order. */
interface Chunk extends Pick<ReadBatch, 'headerCells' | 'delimiter'> {
  people: { row: ReadRow; draft: ContactDraft }[];
  duplicates: number;
  invalidRows: RowError[];
  mostValues: number;
}

async function* chunksOf(batches: AsyncIterable<ReadBatch>): AsyncGenerator<Chunk> {
  const seen = new SeenPeople();
  for await (const { rows, invalidRows, ...file } of batches) {
    const chunk: Chunk = { ...file, people: [], duplicates: 0, invalidRows: [...invalidRows], mostValues: 0 };
    for (const row of rows) {
      chunk.mostValues = Math.max(chunk.mostValues, row.values.length);
      const error = errorOf(row);
      if (error) chunk.invalidRows.push(error);
      else if (!seen.add(row.phone)) chunk.duplicates++;
      else chunk.people.push({ row, draft: draftOf(row) });
    }
    chunk.invalidRows.sort((a, b) => a.rowNumber - b.rowNumber);
    yield chunk;
  }
}

function draftsOf({ people }: Chunk): ContactDraft[] {
  return people.map(({ draft }) => draft);
}

/** The invalid rows of a chunk and those of `taken`, whose user ids belong to other contacts, in file order. */
function invalidRowsOf({ people, invalidRows }: Chunk, taken: readonly ContactDraft[]): readonly RowError[] {
  if (taken.length === 0) return invalidRows;
  const takenRows = people
    .filter(({ draft }) => taken.includes(draft))
    .map(({ row: { rowNumber, cells } }) => ({ rowNumber, ...userIdTakenError(), ...(cells && { cells }) }));
  return [...invalidRows, ...takenRows].sort((a, b) => a.rowNumber - b.rowNumber);
}

function suggestedSources({ phone, name }: SuggestedColumns): ContactColumns | undefined {
  if (phone.source === null) return undefined;
  return { phone: phone.source, values: [], ...(name?.source && { name: name.source }) };
}

/** What each column fills: a column may be both a parameter or the name, and an attribute. */
function usesOf({ columns, nameColumn = 0, attributeColumns = [] }: FileSummary, mostValues: number) {
  const byPosition = Array.from({ length: mostValues + (nameColumn > 0 ? 2 : 1) }, (_, column) => column);
  const values = columns?.values ?? byPosition.filter((column) => column !== 0 && column !== nameColumn);
  return [
    { use: 'phone', column: columns?.phone ?? 0 },
    ...(nameColumn > 0 ? [{ use: 'name', column: nameColumn }] : []),
    ...values.map((column, index) => ({ use: `parameter ${index + 1}`, column })),
    ...(columns?.extras.map(({ field, column }) => ({ use: field, column })) ?? []),
    ...attributeColumns.map(({ column }) => ({ use: 'attribute', column })),
  ];
}

function errorOf({ rowNumber, name, cells }: ReadRow): RowError | null {
  const problem = name === undefined || name === '' ? null : problemOfText(name, CONTACT_NAME_LENGTH);
  if (problem === null) return null;
  return { rowNumber, field: 'name', code: 'name_invalid', message: `The name ${problem}.`, ...(cells && { cells }) };
}

/** An empty cell sets no name and no parameter, and removes its attribute; a row of empty cells keeps the stored parameters. */
function draftOf({ phone, userId, name, values, attributes }: ReadRow): ContactDraft {
  const given = values.flatMap((value, index) => (value === '' ? [] : [[String(index + 1), value] as const]));
  return {
    ...personByKey(phone, userId),
    name: name === undefined || name === '' ? null : name,
    parameters: given.length === 0 ? null : Object.fromEntries(given),
    attributes:
      attributes === undefined
        ? null
        : Object.fromEntries(
            Object.entries(attributes).map(([header, value]) => [header, value === '' ? null : value]),
          ),
  };
}
