import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { Plans } from '../../accounts/domain/plans';
import type { Caller } from '../../../kernel/caller';
import { type BadRows, badRowsOf } from '../../recipient-files/domain/bad-rows';
import { columnUses } from '../../recipient-files/domain/column-uses';
import { addErrors, type FileSummary, type ReadBatch, type ReadingRules } from '../../recipient-files/domain/file-rows';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import {
  type ContactImport,
  type ContactsChecked,
  type ContactsImported,
  checkRowsAreUsable,
  MAX_ERRORS_IN_RESULT,
} from './contact-imports.service';
import { KnownNumbers } from './known-numbers';
import { type Person, personByKey, personKey } from './opt-out';
import { OptOutsService } from './opt-outs.service';
import { PhoneBook } from './phone-book.port';
import { SeenPeople } from './seen-people';

/** Where a file of opt-outs has what: each is a header or the letters of a column. */
export interface OptOutColumns {
  phone: string;
  /** User ids of the platform, of people with a phone number or without one. */
  userId?: string | undefined;
}

/** A request to opt out the people of a file; without columns, the phone numbers are in the first one. */
export interface OptOutImport extends Omit<ContactImport, 'accountId' | 'groupId' | 'plan' | 'columns'> {
  caller: Caller;
  columns?: OptOutColumns | undefined;
}

type Rows = Omit<ContactsImported, 'added'> & { people: number; summary: FileSummary };

/** Without columns other cells are not read, as values may make a row invalid. */
const FIRST_COLUMN: OptOutColumns = { phone: 'A' };

/**
 * Opts out the people of files. A file is read twice: first completely, so that an invalid one changes nothing, then in chunks. After an
 * interruption stored chunks remain; importing the same file again adds the rest.
 */
@Injectable()
export class OptOutImportsService {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly files: RecipientFiles,
    private readonly phones: PhoneBook,
    private readonly plans: Plans,
    private readonly numbers: KnownNumbers,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Records an opt-out for each row; people who had opted out before count as updated. Rejects with the errors of a file,
   * NoValidRowsError and InvalidRowsError.
   */
  async importFile(request: OptOutImport): Promise<ContactsImported> {
    const { caller } = request;
    const checked = await this.checkRows(request);
    checkRowsAreUsable(checked, request.onInvalidRows);
    const { duplicates, invalid, errors, warnings } = checked;
    const result: ContactsImported = { added: 0, updated: 0, duplicates, invalid, errors, warnings };
    await this.audit.record(caller, { action: 'opt_out.created', targetId: null });
    const { chunks } = await this.read(request);
    for await (const { people } of chunks) {
      const added = await this.optOuts.addAll(caller.accountId, people);
      result.added += added;
      result.updated += people.length - added;
    }
    return result;
  }

  /** Returns the result an import would have, without changing anything; otherwise as `checkFile` of contacts. */
  async checkFile(given: OptOutImport, guessColumns = false): Promise<ContactsChecked> {
    const { request, suggestedColumns } = await this.guessed(given, guessColumns);
    const { people, summary, ...checked } = await this.checkRows(request, true);
    return {
      ...checked,
      added: people - checked.updated,
      ...((guessColumns || given.columns) && {
        columns: columnUses(summary.headerCells ?? [], summary.layout.titles.length, usesOf(summary)),
      }),
      ...(suggestedColumns && { suggestedColumns }),
    };
  }

  /** Returns the invalid rows of the file with their cells, as `badRows` of contacts. */
  async badRows(given: OptOutImport, guessColumns = false): Promise<BadRows> {
    const { request } = await this.guessed(given, guessColumns);
    const { chunks } = await this.read(request, true);
    return badRowsOf(chunks, given.signal);
  }

  private async guessed(given: OptOutImport, guessColumns: boolean) {
    if (!guessColumns) return { request: given };
    const wanted = { values: [], names: true, media: false };
    const rules = await this.rulesOf(given);
    const suggestedColumns = await this.files.suggestColumns(listOf(given), rules, wanted, given.signal);
    const { source } = suggestedColumns.phone;
    return { request: { ...given, columns: source === null ? undefined : { phone: source } }, suggestedColumns };
  }

  /** Reads the whole file; a dry run counts people who have opted out as updated. */
  private async checkRows(request: OptOutImport, isDryRun = false): Promise<Rows> {
    const checked = { people: 0, updated: 0, duplicates: 0, invalid: 0, errors: [] as Rows['errors'] };
    const { chunks, summary } = await this.read(request, isDryRun);
    for await (const { people, duplicates, invalidRows } of chunks) {
      checked.people += people.length;
      checked.duplicates += duplicates;
      checked.invalid += invalidRows.length;
      addErrors(checked.errors, invalidRows, MAX_ERRORS_IN_RESULT);
      if (!isDryRun) continue;
      const keys = people.map((person) => personKey(person)!);
      checked.updated += (await this.optOuts.optedOutAmong(request.caller.accountId, keys)).size;
    }
    const read = await summary;
    return { ...checked, warnings: read.warnings, summary: read };
  }

  private async read(
    request: OptOutImport,
    cells = false,
  ): Promise<{ chunks: AsyncGenerator<Chunk>; summary: Promise<FileSummary> }> {
    const rules = { ...(await this.rulesOf(request)), cells };
    const { batches, summary } = this.files.read(listOf(request), rules, request.signal);
    return { chunks: chunksOf(batches), summary };
  }

  private async rulesOf(request: OptOutImport): Promise<ReadingRules> {
    const { caller, columns = FIRST_COLUMN, defaultCountry, header, headerRow, sheet, cellLanguage } = request;
    const numbersOf = (userIds: readonly string[]) => this.numbers.of(caller.accountId, userIds);
    return {
      valueCount: 'any',
      columns: { ...columns, values: [] },
      ...(columns.userId !== undefined && { numbersOf }),
      header,
      ...(headerRow !== undefined && { headerRow }),
      ...(sheet !== undefined && { sheet }),
      ...(cellLanguage !== undefined && { cellLanguage }),
      duplicates: 'keep',
      defaultCountry: defaultCountry ?? (await this.phones.countryOf(caller.accountId)),
      nationalFirst: defaultCountry !== undefined,
      maxRows: this.plans.of(caller.plan).maxRowsPerFile,
    };
  }
}

/** The people of one batch who are in none before. */
interface Chunk extends Omit<ReadBatch, 'rows'> {
  people: Person[];
  duplicates: number;
}

async function* chunksOf(batches: AsyncIterable<ReadBatch>): AsyncGenerator<Chunk> {
  const seen = new SeenPeople();
  for await (const { rows, ...batch } of batches) {
    const added = rows.filter(({ phone }) => seen.add(phone));
    const people = added.map(({ phone, userId }) => personByKey(phone, userId));
    yield { ...batch, people, duplicates: rows.length - added.length };
  }
}

function listOf({ caller: { accountId }, path }: OptOutImport) {
  return { accountId, path };
}

function usesOf({ columns }: FileSummary) {
  if (!columns) return [];
  return [
    { use: 'phone', column: columns.phone },
    ...columns.extras.map(({ field, column }) => ({ use: field, column })),
  ];
}
