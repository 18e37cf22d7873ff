import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import { type ReadBatch, type ReadRow, addErrors } from '../../recipient-files/domain/file-rows';
import { InvalidRowsError, NoValidRowsError, type RowError } from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files.service';
import { CONTACT_NAME_LENGTH, type ContactDraft } from './contact';
import { ContactQuota } from './contact-quota.service';
import { ContactStore } from './contact-store.port';
import { GroupStore } from './group-store.port';
import { GroupsService } from './groups.service';
import { PhoneBook } from './phone-book.port';
import { problemOfText } from './plain-text';
import { SeenPhones } from './seen-phones';

/** A request to import the people of a file into a group. */
export interface ContactImport {
  accountId: string;
  groupId: string;
  /** Plan of the account, which limits the rows. */
  plan: string;
  path: string;
  header: 'auto' | 'present' | 'absent';
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

/** Maximum number of row errors listed in an error and in a result. */
const REFUSAL_ERRORS = 20;
const ANSWER_ERRORS = 100;

/**
 * Imports the people of files into groups. A file is read twice: first completely, so that an invalid one changes
 * nothing, then in chunks into the group. If the import is interrupted, stored chunks remain; importing the same file again adds
 * the rest.
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
  ) {}

  /**
   * Creates or updates a contact for each row and adds all of them to the group.
   * Rejects with GroupNotFoundError, the errors of a file, NoValidRowsError, InvalidRowsError and QuotaExceededError.
   */
  async importFile(request: ContactImport): Promise<ContactsImported> {
    const checked = await this.checkRows(request);
    const { invalid, duplicates } = checked;
    const totalRecipients = checked.people + invalid;
    const totals = { totalRecipients, invalidRows: invalid, duplicateRows: duplicates };
    const errors = checked.errors.slice(0, REFUSAL_ERRORS);
    if (invalid === totalRecipients) throw new NoValidRowsError(totals, errors);
    if (request.onInvalidRows === 'reject' && invalid > 0) throw new InvalidRowsError(totals, errors);
    await this.reserveRoom(request, checked.people);
    let added = 0;
    let updated = 0;
    await this.read(request, async ({ people }) => {
      const put = await this.store.putContacts(request.accountId, request.groupId, people);
      added += put.added;
      updated += put.updated;
    });
    return { added, updated, duplicates, invalid, errors: checked.errors, warnings: checked.warnings };
  }

  /** Returns what an import would do, without changing anything. Invalid rows are part of the result and do not reject. */
  async checkFile(request: ContactImport): Promise<ContactsImported> {
    let updated = 0;
    const { people, ...checked } = await this.checkRows(request, async (drafts) => {
      updated += await this.store.countMembers(
        request.accountId,
        request.groupId,
        drafts.map(({ phone }) => phone!),
      );
    });
    return { ...checked, added: people - updated, updated };
  }

  /** Looks for the people of the file among the contacts only where not all of them may be new. */
  private async reserveRoom(request: ContactImport, people: number): Promise<void> {
    const { accountId, plan } = request;
    if (await this.quota.hasRoomFor(accountId, plan, people)) return;
    let added = 0;
    await this.read(request, async (chunk) => {
      added += await this.contacts.countNew(accountId, chunk.people);
    });
    await this.quota.reserveNew(accountId, plan, added);
  }

  private async checkRows(
    request: ContactImport,
    look: (people: ContactDraft[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<Omit<ContactsImported, 'added' | 'updated'> & { people: number }> {
    await this.groups.get(request.accountId, request.groupId);
    const checked = { people: 0, duplicates: 0, invalid: 0, errors: [] as RowError[] };
    const { warnings } = await this.read(request, async ({ people, duplicates, invalidRows }) => {
      checked.people += people.length;
      checked.duplicates += duplicates;
      checked.invalid += invalidRows.length;
      addErrors(checked.errors, invalidRows, ANSWER_ERRORS);
      await look(people);
    });
    return { ...checked, warnings };
  }

  private async read(request: ContactImport, take: (chunk: Chunk) => Promise<void>): Promise<{ warnings: string[] }> {
    const seen = new SeenPhones();
    const rules = {
      valueCount: 'any' as const,
      nameColumn: true,
      header: request.header,
      // A row is a duplicate if its phone is, whatever its values.
      duplicates: 'keep' as const,
      defaultCountry: await this.phones.countryOf(request.accountId),
      maxRows: this.plans.of(request.plan).maxRowsPerFile,
    };
    return this.files.read(request, rules, request.signal, (batch) => take(chunkOf(batch, seen)));
  }
}

/** The new people of one batch, and its invalid rows in file order. */
interface Chunk {
  people: ContactDraft[];
  duplicates: number;
  invalidRows: RowError[];
}

function chunkOf({ rows, invalidRows }: ReadBatch, seen: SeenPhones): Chunk {
  const chunk: Chunk = { people: [], duplicates: 0, invalidRows: [...invalidRows] };
  for (const row of rows) {
    const error = errorOf(row);
    if (error) chunk.invalidRows.push(error);
    else if (!seen.add(row.phone)) chunk.duplicates++;
    else chunk.people.push(draftOf(row));
  }
  chunk.invalidRows.sort((a, b) => a.rowNumber - b.rowNumber);
  return chunk;
}

function errorOf({ rowNumber, name }: ReadRow): RowError | null {
  const problem = name === undefined || name === '' ? null : problemOfText(name, CONTACT_NAME_LENGTH);
  return problem === null ? null : { rowNumber, field: 'name', code: 'name_invalid', message: `The name ${problem}.` };
}

/** An empty cell sets nothing; a row of empty cells keeps the stored parameters. */
function draftOf({ phone, name, values }: ReadRow): ContactDraft {
  const given = values.flatMap((value, index) => (value === '' ? [] : [[String(index + 1), value] as const]));
  return {
    phone,
    userId: null,
    name: name === undefined || name === '' ? null : name,
    parameters: given.length === 0 ? null : Object.fromEntries(given),
  };
}
