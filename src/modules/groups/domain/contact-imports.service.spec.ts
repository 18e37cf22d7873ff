import { InMemoryContactBook } from '../../../../test/fakes/in-memory-contact-book';
import { SystemClock } from '../../../infra/system-clock';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { uuidV7 } from '../../../kernel/uuid';
import { Plans } from '../../accounts/domain/plans';
import type { ReadBatch, ReadingRules } from '../../recipient-files/domain/file-rows';
import { type FileReading, RecipientFile } from '../../recipient-files/domain/recipient-file.port';
import { FileUnreadableError } from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import { ContactImportsService } from './contact-imports.service';
import { ContactsService } from './contacts.service';
import { KnownNumbers } from './known-numbers';
import { GroupNotFoundError } from './groups.errors';
import { GroupsService } from './groups.service';
import type { OptOutsService } from './opt-outs.service';
import { contactQuotaOf } from '../../../../test/support/contact-quota';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { internationalPhoneBook } from '../../../../test/support/phone-book';

/** A file whose batches a test supplies for each reading. */
class ScriptedFile extends RecipientFile {
  readings = 0;
  readonly open = new Set<number>();
  rules: ReadingRules | null = null;

  constructor(private readonly batches: (reading: number) => AsyncGenerator<ReadBatch>) {
    super();
  }

  read(_list: unknown, rules: ReadingRules): FileReading {
    this.rules = rules;
    const reading = ++this.readings;
    this.open.add(reading);
    return {
      batches: this.batches(reading),
      summary: Promise.resolve({ duplicates: 0, warnings: [], layout: { titles: [], uses: [] } }),
      close: () => void this.open.delete(reading),
    };
  }

  problemOfExtra(): never {
    throw new Error('Imports of contacts have no extras.');
  }

  suggestColumns(): never {
    throw new Error('No columns are to be suggested here.');
  }
}

const batch = (...phones: string[]): ReadBatch => ({
  rows: phones.map((phone, index) => ({ rowNumber: index + 1, phone, values: [] })),
  invalidRows: [],
});

describe('An import of contacts', () => {
  const accountId = uuidV7();
  const phones = Object.assign(internationalPhoneBook(), { countryOf: () => Promise.resolve('DE') });
  let book: InMemoryContactBook;
  let groups: GroupsService;
  let groupId: string;
  let client: AbortController;

  const quota = () => contactQuotaOf(book.contacts, 100);

  beforeEach(async () => {
    book = new InMemoryContactBook();
    client = new AbortController();
    groups = new GroupsService(
      ...([
        book.groups,
        new ContactsService(book.contacts, phones, {} as OptOutsService, new ImmediateUnitOfWork(), quota()),
        phones,
        new SystemClock(),
        new ImmediateUnitOfWork(),
        quota(),
      ] as const),
    );
    groupId = (await groups.create(accountId, { name: 'VIP', description: null }, 100)).id;
  });

  const importOf = (file: ScriptedFile) => {
    const plans = new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 7 } });
    const numbers = new KnownNumbers(book.knownNumbers);
    const service = new ContactImportsService(
      ...([groups, book.groups, new RecipientFiles(file), phones, plans, book.contacts, quota(), numbers] as const),
    );
    return service.importFile({
      accountId,
      groupId,
      plan: 'Free',
      path: '/tmp/file',
      header: 'auto',
      onInvalidRows: 'skip',
      signal: client.signal,
    });
  };

  it('applies default country and plan limit, reading once to check and once to store', async () => {
    const file = new ScriptedFile(async function* () {
      yield await Promise.resolve(batch('4915123456781'));
      yield batch('4915123456782');
    });
    expect(await importOf(file)).toMatchObject({ added: 2, updated: 0 });
    expect([file.readings, file.open.size]).toEqual([2, 0]);
    expect(file.rules).toMatchObject({ defaultCountry: 'DE', maxRows: 7, valueCount: 'any', nameColumn: true });
  });

  it('changes nothing if the end of the file is invalid', async () => {
    const refused = new FileUnreadableError('no', 'corrupt');
    const file = new ScriptedFile(async function* () {
      yield await Promise.resolve(batch('4915123456781'));
      throw refused;
    });
    await expect(importOf(file)).rejects.toBe(refused);
    expect([book.contactsById.size, file.readings, file.open.size]).toEqual([0, 1, 0]);
  });

  it.each([
    ['while the file is checked', 1, 0],
    ['while it is stored', 2, 1],
  ])('stops when the client disconnects %s and keeps what is stored', async (_, reading, stored) => {
    const file = new ScriptedFile(async function* (readings) {
      yield await Promise.resolve(batch('4915123456781'));
      if (readings === reading) client.abort();
      yield batch('4915123456782');
    });
    await expect(importOf(file)).rejects.toThrow(RequestAbandonedError);
    expect([book.contactsById.size, file.open.size]).toEqual([stored, 0]);
  });

  it('stops when the group is deleted meanwhile', async () => {
    const file = new ScriptedFile(async function* (readings) {
      yield await Promise.resolve(batch('4915123456781'));
      if (readings === 2) await groups.remove(accountId, groupId);
      yield batch('4915123456782');
    });
    await expect(importOf(file)).rejects.toThrow(GroupNotFoundError);
  });
});
