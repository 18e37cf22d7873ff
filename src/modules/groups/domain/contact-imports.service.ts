import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import { type ReadBatch, type ReadRow, tellFaults } from '../../recipient-files/domain/file-rows';
import { InvalidRowsError, NoValidRowsError, type RowError } from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files.service';
import { CONTACT_NAME_LENGTH, type ContactDraft } from './contact';
import { GroupStore } from './group-store.port';
import { GroupsService } from './groups.service';
import { PhoneBook } from './phone-book.port';
import { problemOfText } from './plain-text';
import { SeenPhones } from './seen-phones';

/** A request to put the people of an uploaded file into a group. */
export interface ContactImport {
  accountId: string;
  groupId: string;
  /** Plan of the account: it limits the rows. */
  plan: string;
  path: string;
  header: 'auto' | 'present' | 'absent';
  /** skip: bad rows are left out; reject: one bad row refuses the file. */
  onInvalidRows: 'skip' | 'reject';
  /** Aborted when the client went away. */
  signal: AbortSignal;
}

/** What became of the rows of a file, or would become of them. */
export interface ContactsImported {
  added: number;
  updated: number;
  /** Rows with the phone of an earlier row, in any of its forms. */
  duplicates: number;
  invalid: number;
  /** The first 100. */
  errors: RowError[];
  warnings: string[];
}

/** Most row errors that a refusal lists, and that an answer lists. */
const REFUSAL_ERRORS = 20;
const ANSWER_ERRORS = 100;

/**
 * Puts the people of uploaded files into groups. A file is read twice: first to its end, so that a bad one changes
 * nothing, then in chunks into the group. Where that is broken off the chunks before stay, and the same file again adds
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
  ) {}

  /**
   * Makes contacts of the rows, stores what the file says of those that are there, and puts all of them into the group.
   * Rejects with GroupNotFoundError, FileRefusedError, NoValidRowsError and InvalidRowsError.
   */
  async importFile(request: ContactImport): Promise<ContactsImported> {
    const checked = await this.checkRows(request);
    const { invalid, duplicates } = checked;
    const totalRecipients = checked.people + invalid;
    const totals = { totalRecipients, invalidRows: invalid, duplicateRows: duplicates };
    const errors = checked.errors.slice(0, REFUSAL_ERRORS);
    if (invalid === totalRecipients) throw new NoValidRowsError(totals, errors);
    if (request.onInvalidRows === 'reject' && invalid > 0) throw new InvalidRowsError(totals, errors);
    let added = 0;
    let updated = 0;
    await this.read(request, async ({ people }) => {
      const put = await this.store.putContacts(request.accountId, request.groupId, people);
      added += put.added;
      updated += put.updated;
    });
    return { added, updated, duplicates, invalid, errors: checked.errors, warnings: checked.warnings };
  }

  /** What importing the file would do now; changes nothing. Bad rows are its result, not a reason to reject. */
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

  private async checkRows(
    request: ContactImport,
    look: (people: ContactDraft[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<Omit<ContactsImported, 'added' | 'updated'> & { people: number }> {
    await this.groups.get(request.accountId, request.groupId);
    const checked = { people: 0, duplicates: 0, invalid: 0, errors: [] as RowError[] };
    const { warnings } = await this.read(request, async ({ people, duplicates, faults }) => {
      checked.people += people.length;
      checked.duplicates += duplicates;
      checked.invalid += faults.length;
      tellFaults(checked.errors, faults, ANSWER_ERRORS);
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
      // A row counts as a duplicate for its phone alone, whatever its values.
      duplicates: 'keep' as const,
      defaultCountry: await this.phones.countryOf(request.accountId),
      maxRows: this.plans.of(request.plan).maxRowsPerFile,
    };
    return this.files.read(request.path, rules, request.signal, (batch) => take(chunkOf(batch, seen)));
  }
}

/** People of one batch who were not seen before, and its bad rows in their order. */
interface Chunk {
  people: ContactDraft[];
  duplicates: number;
  faults: RowError[];
}

function chunkOf({ rows, faults }: ReadBatch, seen: SeenPhones): Chunk {
  const chunk: Chunk = { people: [], duplicates: 0, faults: [...faults] };
  for (const row of rows) {
    const fault = faultOf(row);
    if (fault) chunk.faults.push(fault);
    else if (!seen.add(row.phone)) chunk.duplicates++;
    else chunk.people.push(draftOf(row));
  }
  chunk.faults.sort((a, b) => a.rowNumber - b.rowNumber);
  return chunk;
}

function faultOf({ rowNumber, name }: ReadRow): RowError | null {
  const problem = name === undefined || name === '' ? null : problemOfText(name, CONTACT_NAME_LENGTH);
  return problem === null ? null : { rowNumber, field: 'name', code: 'name_invalid', message: `The name ${problem}.` };
}

/** An empty cell gives nothing; a row of them leaves the parameters that are stored. */
function draftOf({ phone, name, values }: ReadRow): ContactDraft {
  const given = values.flatMap((value, index) => (value === '' ? [] : [[String(index + 1), value] as const]));
  return {
    phone,
    userId: null,
    name: name === undefined || name === '' ? null : name,
    parameters: given.length === 0 ? null : Object.fromEntries(given),
  };
}
