import { unreadAuditLog } from '../../../../test/support/audit';
import { noKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { SendersService } from '../../accounts/domain/senders.service';
import type { TemplatesService } from '../../templates/domain/templates.service';
import { Plans } from '../../accounts/domain/plans';
import { SenderSignal } from '../../sending/domain/sender-signal';
import type { BulkJob } from './bulk-job';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { ReadBatch, ReadingRules } from '../../recipient-files/domain/file-rows';
import { type FileReading, RecipientFile } from '../../recipient-files/domain/recipient-file.port';
import { UnsupportedFileTypeError } from '../../../kernel/file.errors';
import type { PersonErasure } from '../../groups/domain/person-erasure';
import { FileUnreadableError, type RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import { IntakeLostError } from './bulk-jobs.errors';
import { type FileImport, FileImportsService } from './file-imports.service';
import type { JobErasureStore } from './job-erasure-store.port';
import { ANY_TIME } from './job-timing';
import { JobIntakes } from './job-intakes';
import type { LeftOutPeople } from './left-out-people';
import { LeftOutRows } from './left-out-rows';
import { type JobDraft, JobIntakeStore } from './job-intake-store.port';
import { CHUNK_SIZE, type RecipientChunk } from './recipient-chunk';
import type { TimeZones } from './time-zones.port';
import type { RecipientChecks } from './recipient-checks';

const ofAccount = () => Promise.resolve({ defaultCountry: null });
const SENDERS = { ofAccount, allOf: () => Promise.resolve([]) } as unknown as SendersService;
const TEMPLATE = { valueCount: 1, extrasErrors: () => [], errorOfRecipient: () => null };
const TEMPLATES = { sendable: () => Promise.resolve(TEMPLATE) } as unknown as TemplatesService;

const NO_ERASURES = { peopleBeingErased: () => Promise.resolve(new Set()) } as unknown as PersonErasure;
const JOB_ERASURES = {} as JobErasureStore;
const NOBODY_LEFT_OUT = { rowsOf: () => Promise.resolve(new LeftOutRows(null)) } as unknown as LeftOutPeople;

/** Keeps one job in memory and fails where the test sets it to. */
class MemoryIntakeStore extends JobIntakeStore {
  status: 'none' | 'Importing' | 'Queued' | 'Abandoned' = 'none';
  chunks: RecipientChunk[] = [];
  renewals = 0;
  totals: RecipientTotals | null = null;
  failAt: number | null = null;
  lostRows = 0;
  mostWrites = 0;
  private writing = 0;

  openJobs = () => Promise.resolve(0);

  earlierUpload(): Promise<null> {
    return Promise.resolve(null);
  }

  retriesOf = () => Promise.resolve([]);

  otherRetriesOf = () => Promise.resolve([]);

  lockRetried(): Promise<void> {
    return Promise.resolve();
  }

  async begin(): Promise<Date> {
    await turns(1);
    this.status = 'Importing';
    return new Date();
  }

  async append(_jobId: string, _owner: string, chunk: RecipientChunk): Promise<void> {
    this.mostWrites = Math.max(this.mostWrites, ++this.writing);
    expect(this.status).toBe('Importing');
    await turns(3);
    this.writing--;
    if (this.chunks.length === this.failAt) throw new Error('the connection broke');
    this.chunks.push(chunk);
  }

  renew(): Promise<void> {
    this.renewals++;
    return Promise.resolve();
  }

  count(): Promise<number> {
    return Promise.resolve(this.chunks.reduce((sum, { size }) => sum + size, 0) - this.lostRows);
  }

  publish(_draft: JobDraft, _owner: string, totals: RecipientTotals): Promise<BulkJob> {
    this.status = 'Queued';
    this.totals = totals;
    return Promise.resolve({ id: 'job', senderId: 'sender' } as BulkJob);
  }

  abandon(): Promise<boolean> {
    if (this.status !== 'Importing') return Promise.resolve(false);
    this.status = 'Abandoned';
    return Promise.resolve(true);
  }

  takeOrphans(): Promise<string[]> {
    return Promise.resolve(this.status === 'Importing' ? ['job'] : []);
  }

  remove(): Promise<void> {
    this.status = 'none';
    this.chunks = [];
    return Promise.resolve();
  }
}

/** Undoes the publication if the work fails; can lose the answer of a commit. */
class MemoryUnitOfWork extends UnitOfWork {
  answerIsLost = false;
  private after: (() => void)[] = [];

  constructor(private readonly store: MemoryIntakeStore) {
    super();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.store.status;
    try {
      const result = await work();
      if (this.answerIsLost) throw new Error('the answer of the commit was lost');
      this.after.forEach((action) => action());
      return result;
    } catch (error) {
      if (!this.answerIsLost) this.store.status = before;
      throw error;
    }
  }

  afterCommit(action: () => void): void {
    this.after.push(action);
  }
}

/** A clock whose sleepers wake on `wakeAll`. */
class ManualClock extends Clock {
  private readonly sleepers = new Set<() => void>();

  now(): Date {
    return new Date(0);
  }

  monotonic(): number {
    return 0;
  }

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.sleepers.add(resolve);
      signal?.addEventListener('abort', () => resolve());
    });
  }

  wakeAll(): void {
    for (const wake of this.sleepers) wake();
    this.sleepers.clear();
  }
}

/** A file with the batches of the test's script. */
class ScriptedFile extends RecipientFile {
  closed = false;
  rules: ReadingRules | null = null;
  script: () => AsyncIterable<ReadBatch> = () => batches(1);

  problemOfExtra = () => null;
  suggestColumns = () => ({ phone: { source: null, confidence: 'none' as const }, values: [] });

  read(_list: unknown, rules: ReadingRules): FileReading {
    this.rules = rules;
    return {
      batches: this.script(),
      summary: Promise.resolve({ duplicates: 3, warnings: ['mind the gap'], layout: { titles: [], uses: [] } }),
      close: () => (this.closed = true),
    };
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

function batch(first: number, size = 500, badRows: number[] = []): ReadBatch {
  const read: ReadBatch = { rows: [], invalidRows: [] };
  for (let rowNumber = first; rowNumber < first + size; rowNumber++) {
    const row = { rowNumber, phone: String(491510000000 + rowNumber), values: ['a'] };
    if (badRows.includes(rowNumber))
      read.invalidRows.push({ ...row, field: 'phone', code: 'phone_invalid', message: 'Fix it.' });
    else read.rows.push(row);
  }
  return read;
}

async function* batches(count: number): AsyncGenerator<ReadBatch> {
  for (let index = 0; index < count; index++) {
    await turns(1);
    yield batch(1 + index * 500);
  }
}

describe('FileImportsService', () => {
  let store: MemoryIntakeStore;
  let unitOfWork: MemoryUnitOfWork;
  let clock: ManualClock;
  let file: ScriptedFile;
  let client: AbortController;
  let signalled: string[];
  let service: FileImportsService;

  beforeEach(() => {
    store = new MemoryIntakeStore();
    unitOfWork = new MemoryUnitOfWork(store);
    clock = new ManualClock();
    file = new ScriptedFile();
    client = new AbortController();
    signalled = [];
    const signal = new SenderSignal();
    signal.onRunnable((senderId) => signalled.push(senderId));
    const plans = new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 10_000 } });
    const intakes = new JobIntakes(
      ...([SENDERS, TEMPLATES, store, unitOfWork, clock, signal, {} as TimeZones, plans] as const),
      ...([NO_ERASURES, JOB_ERASURES, unreadAuditLog()] as const),
    );
    const others = [{} as RecipientChecks, noKnownNumbers(), NOBODY_LEFT_OUT] as const;
    service = new FileImportsService(new RecipientFiles(file), intakes, plans, ...others);
  });

  const importFile = (changes: Partial<FileImport> = {}, seal = () => Promise.resolve()) => {
    const claim = { resourceId: 'job', seal };
    const given = {
      ...{ ...ANY_TIME, excludeGroupIds: [], notReachedBy: null },
      ...{ claim, plan: 'Free', onInvalidRows: 'skip', signal: client.signal },
      ...changes,
    } as FileImport;
    return service.importFile(given);
  };
  const expectNothingLeft = () => {
    expect(store.status).toBe('none');
    expect(store.chunks).toEqual([]);
    expect(signalled).toEqual([]);
    expect(file.closed).toBe(true);
  };

  it('stores a file in chunks of bounded size with consecutive positions, and signals the sender', async () => {
    file.script = () => batches(11);
    const { job, warnings } = await importFile();
    expect(job.id).toBe('job');
    expect(warnings).toEqual(['mind the gap']);
    expect(Math.max(...store.chunks.map(({ size }) => size))).toBe(CHUNK_SIZE);
    expect(store.chunks.map(({ firstPosition }) => firstPosition)).toEqual(
      Array.from({ length: 11 }, (_, index) => 1 + index * 500),
    );
    expect(new Set(store.chunks.flatMap(({ messageIds }) => messageIds)).size).toBe(5500);
    expect(store.totals).toEqual({ totalRecipients: 5500, invalidRows: 0, duplicateRows: 3 });
    expect(signalled).toEqual(['sender']);
  });

  it('reads the columns of the request, as many as the template has values', async () => {
    const columns = { phone: 'Handy', values: ['Vorname'] };
    await importFile({ columns });
    expect(file.rules).toMatchObject({ columns, cells: false });
    await expect(importFile({ columns: { ...columns, values: [] } })).rejects.toThrow('takes 1 value, not 0');
  });

  it('keeps invalid rows in their place among the valid ones', async () => {
    file.script = async function* () {
      await turns(1);
      yield batch(1, 6, [1, 4, 6]);
    };
    await importFile();
    expect(store.chunks[0]?.rowNumbers).toEqual([1, 2, 3, 4, 5, 6]);
    expect(store.chunks[0]?.problems.map((problem) => problem !== null)).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(store.totals?.invalidRows).toBe(3);
  });

  it('continues reading while a chunk is being written', async () => {
    const seen: number[] = [];
    file.script = async function* () {
      for (let index = 0; index < 8; index++) {
        seen.push(store.chunks.length);
        yield batch(1 + index * 500);
        await turns(1);
      }
    };
    await importFile();
    // The third batch was read while the first two chunks were being written.
    expect(seen[2]).toBe(0);
    expect(store.mostWrites).toBe(2);
  });

  it('leaves nothing of a file that is rejected before its first chunk is full', async () => {
    const rejected = new UnsupportedFileTypeError('no');
    file.script = async function* () {
      yield batch(1, CHUNK_SIZE - 1);
      await turns(1);
      throw rejected;
    };
    await expect(importFile()).rejects.toBe(rejected);
    expectNothingLeft();
  });

  it('leaves nothing of a file that is corrupt in the middle', async () => {
    file.script = async function* () {
      yield* batches(6);
      throw new FileUnreadableError('no', 'corrupt');
    };
    await expect(importFile()).rejects.toMatchObject({ extra: { reason: 'corrupt' } });
    expectNothingLeft();
  });

  it('leaves nothing if the client disconnects in the middle', async () => {
    file.script = async function* () {
      yield* batches(6);
      client.abort();
      yield* batches(6);
    };
    await expect(importFile()).rejects.toThrow(RequestAbandonedError);
    expectNothingLeft();
  });

  it.each([0, 1])('leaves nothing if chunk %d cannot be written', async (failAt) => {
    file.script = () => batches(8);
    store.failAt = failAt;
    await expect(importFile()).rejects.toThrow('the connection broke');
    expectNothingLeft();
  });

  it('leaves nothing if the transaction that publishes the job fails', async () => {
    await expect(importFile({}, () => Promise.reject(new Error('the claim was lost')))).rejects.toThrow(
      'the claim was lost',
    );
    expectNothingLeft();
  });

  it('does not publish an incomplete job', async () => {
    store.lostRows = 1;
    await expect(importFile()).rejects.toThrow(IntakeLostError);
    expectNothingLeft();
  });

  it('keeps a committed job whose commit answer was lost', async () => {
    unitOfWork.answerIsLost = true;
    await expect(importFile()).rejects.toThrow('the answer of the commit was lost');
    expect(store.status).toBe('Queued');
    expect(store.chunks).toHaveLength(1);
  });

  it('stops storing a file that will be rejected, but counts all of its rows', async () => {
    file.script = async function* () {
      yield batch(1, 500, [7]);
      yield* batches(6);
    };
    await expect(importFile({ onInvalidRows: 'reject' })).rejects.toMatchObject({
      code: 'invalid_rows',
      extra: { totalRecipients: 3500, invalidRows: 1, duplicateRows: 3 },
      errors: [{ rowNumber: 7, field: 'phone', code: 'phone_invalid', message: 'Fix it.' }],
    });
    expectNothingLeft();
  });

  it('renews its lease while the file yields nothing for long, and not afterwards', async () => {
    file.script = async function* () {
      yield* batches(4);
      for (let wait = 0; wait < 3; wait++) {
        await turns(5);
        clock.wakeAll();
      }
      yield batch(2001);
    };
    await importFile();
    expect(store.renewals).toBeGreaterThanOrEqual(2);
    const renewals = store.renewals;
    clock.wakeAll();
    await turns(3);
    expect(store.renewals).toBe(renewals);
  });
});

describe('JobIntakes', () => {
  it('removes an incomplete job of a dead process', async () => {
    const store = new MemoryIntakeStore();
    await store.begin();
    const intakes = new JobIntakes(
      ...([SENDERS, TEMPLATES, store, new MemoryUnitOfWork(store), new ManualClock(), new SenderSignal()] as const),
      ...([{} as TimeZones, {} as Plans, NO_ERASURES, JOB_ERASURES, unreadAuditLog()] as const),
    );
    expect(await intakes.sweep()).toBe(1);
    expect(store.status).toBe('none');
    expect(await intakes.sweep()).toBe(0);
  });
});
