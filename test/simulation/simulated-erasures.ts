import { SEND_PROBLEMS } from '../../src/kernel/message-problems';
import {
  type ExaminedJob,
  JobErasureStore,
  type JobPosition,
} from '../../src/modules/bulk-jobs/domain/job-erasure-store.port';
import type { ErasedPerson, Erasure } from '../../src/modules/groups/domain/erasure';
import { ERASURE_LEASE_SECONDS, ErasureStore } from '../../src/modules/groups/domain/erasure-store.port';
import { isEnded } from '../fakes/lane-rows';
import type { RecipientRow } from '../fakes/engine-rows';
import type { ErasureRow } from './history-database';
import type { ProcessDatabase } from './process-database';

const ERASED = 'recipient_erased';
const CLOCK_MS = 1000;

/** Unfinished erasures, statement by statement like the SQL of the real store. */
export class SimulatedErasureStore extends ErasureStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  begin(id: string, { accountId, phone, userId }: Omit<ErasedPerson, 'requestedAt'>, owner: string): Promise<void> {
    return this.database.statement('BEGIN_ERASURE', (transaction) => {
      const lease = { owner, dueAt: this.leaseEnd() };
      const erasure: ErasureRow = {
        ...{
          id,
          accountId,
          phone,
          userId,
          requestedAt: Infinity,
          round: 1,
          positions: {},
          ...lease,
          isComplete: false,
        },
      };
      transaction.writes.set(this.table.row(id), erasure);
    });
  }

  async setRequestedAt(id: string, owner: string): Promise<Date | null> {
    const latest = this.requestedAt() + CLOCK_MS;
    const [row] = await this.update('SET_REQUESTED_AT', id, owner, ({ requestedAt }) => ({
      requestedAt: Math.min(requestedAt, latest),
    }));
    return row ? new Date(row.requestedAt) : null;
  }

  claimDue(owner: string): Promise<Erasure | null> {
    return this.database.statement('CLAIM_ERASURE', async (transaction) => {
      const isDue = (row: ErasureRow): boolean => !row.isComplete && row.dueAt <= this.now();
      const free = [...this.table.rows.values()].filter(
        (row) => row.committed && isDue(row.committed) && row.isFreeFor(transaction, false),
      );
      const [first] = free.sort((a, b) => a.committed!.dueAt - b.committed!.dueAt);
      const claim = { owner, dueAt: this.leaseEnd() };
      const [row] = await this.database.server.update(transaction, first ? [first] : [], isDue, () => claim);
      if (!row) return null;
      const { id, accountId, phone, userId, round, positions, requestedAt } = row;
      // The latest date that JavaScript can represent.
      const person = { accountId, phone, userId, requestedAt: new Date(Math.min(requestedAt, 8.64e15)) };
      return { id, person, round, positions: { ...positions } };
    });
  }

  peopleBeingErased(accountId: string, since: Date | null): Promise<string[]> {
    return this.database.statement('BEING_ERASED', () =>
      [...this.table.committed()]
        .filter((row) => row.accountId === accountId && !row.isComplete)
        .filter(({ requestedAt }) => since === null || requestedAt > since.getTime())
        .flatMap(({ phone, userId }) => [phone, userId].filter((key) => key !== null)),
    );
  }

  async progress(id: string, owner: string, positions: Erasure['positions']): Promise<boolean> {
    const change = { positions: { ...positions }, dueAt: this.leaseEnd() };
    return (await this.update('ERASURE_PROGRESS', id, owner, () => change)).length > 0;
  }

  async postpone(id: string, owner: string, ms: number): Promise<void> {
    await this.update('POSTPONE_ERASURE', id, owner, () => ({ owner: null, dueAt: this.now() + ms }));
  }

  async nextRound(id: string, owner: string, ms: number): Promise<void> {
    await this.update('NEXT_ROUND', id, owner, ({ round }) => ({
      ...{ owner: null, round: round + 1, positions: {}, dueAt: this.now() + ms },
    }));
  }

  async complete(id: string, owner: string): Promise<void> {
    await this.update('COMPLETE_ERASURE', id, owner, () => ({
      owner: null,
      phone: null,
      userId: null,
      isComplete: true,
    }));
  }

  protected requestedAt(): number {
    return this.now();
  }

  private get table() {
    return this.database.server.erasures;
  }

  private update(name: string, id: string, owner: string, change: (row: ErasureRow) => Partial<ErasureRow>) {
    const isOwned = (row: ErasureRow): boolean => row.owner === owner && !row.isComplete;
    return this.database.statement(name, (transaction) =>
      this.database.server.update(transaction, [this.table.row(id)], isOwned, change),
    );
  }

  private leaseEnd(): number {
    return this.now() + ERASURE_LEASE_SECONDS * 1000;
  }

  private now(): number {
    return this.database.server.now().getTime();
  }
}

/** Erases people from recipients, statement by statement like the SQL of the real store. */
export class SimulatedJobErasureStore extends JobErasureStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  jobs(
    accountId: string,
    until: Date,
    people: readonly string[],
    from: JobPosition | null,
    limit: number,
  ): Promise<ExaminedJob[]> {
    return this.database.statement('JOBS_TO_EXAMINE', () =>
      [...this.server.jobs.committed()]
        .filter((job) => job.accountId === accountId && job.createdAt < until && job.status !== 'Abandoned')
        .map(({ id, createdAt, status }) => ({
          ...{ jobId: id, createdAt: createdAt.toISOString(), isImporting: status === 'Importing' },
          mayHavePerson: this.rowsOf(id, people).length > 0,
        }))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .filter((job) => from === null || placeOf(job) >= placeOf(from))
        .slice(0, limit),
    );
  }

  async erase(jobId: string, people: readonly string[]): Promise<boolean> {
    const rows = await this.database.statement('RECIPIENTS_OF_PERSON', () => this.rowsOf(jobId, people));
    if (rows.length === 0) return true;
    const recipients = rows.map((position) => this.server.recipientsOf(jobId)[position - 1]!);
    return this.database.run(async () => {
      const [job] = await this.lockJob(jobId);
      if (!job) return true;
      const hasEnded = job.completedAt !== null || isEnded(job);
      const blank = { phone: '', userId: null, parameters: [], extras: null, reference: null };
      if (!hasEnded) {
        const skipped = await this.database.statement('SKIP_ERASED', (transaction) =>
          this.server.update(
            transaction,
            recipients,
            (row) => row.outcome === null && (this.isUntried(row, job.cursor) || row.retryAt !== null),
            () => ({ ...blank, outcome: 'Skipped' as const, problem: ERASED, problemMessage: WHEN, retryAt: null }),
          ),
        );
        const count = skipped.length;
        if (count > 0)
          await this.database.statement('COUNT_ERASED', (transaction) =>
            this.server.update(...([transaction, [this.server.jobs.row(jobId)], () => true] as const), (row) => ({
              skipped: row.skipped + count,
              failed: row.failed + count,
            })),
          );
      }
      const isOver = (row: RecipientRow): boolean =>
        row.outcome !== null || (hasEnded && row.position >= job.cursor && row.retryAt === null);
      await this.database.statement('BLANK_ERASED', (transaction) =>
        this.server.update(transaction, recipients, isOver, () => blank),
      );
      return this.database.statement('IN_FLIGHT', (transaction) =>
        recipients.every((row) => {
          const { outcome, phone: left } = row.seenBy(transaction)!;
          return outcome !== null || left === '';
        }),
      );
    });
  }

  protected get server() {
    return this.database.server;
  }

  protected isUntried({ position }: RecipientRow, cursor: number): boolean {
    return position >= cursor;
  }

  protected lockJob(jobId: string) {
    return this.database.statement('LOCK_TO_ERASE', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], () => true),
    );
  }

  protected isOf({ phone, userId }: RecipientRow, people: readonly string[]): boolean {
    return people.includes(phone) || (userId !== null && people.includes(userId));
  }

  private rowsOf(jobId: string, people: readonly string[]): number[] {
    return this.server
      .recipientsOf(jobId)
      .flatMap(({ committed }) => (committed && this.isOf(committed, people) ? committed.position : []));
  }
}

const WHEN = SEND_PROBLEMS[ERASED].when;

function placeOf({ createdAt, jobId }: { createdAt: string; jobId: string }): string {
  return `${createdAt} ${jobId}`;
}
