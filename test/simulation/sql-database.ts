import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { PostgresStatusStore } from '../../src/modules/messages/adapters/postgres-status-store';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresActivityStore } from '../../src/modules/delivery/adapters/postgres-activity-store';
import { PostgresJobScheduleStore } from '../../src/modules/delivery/adapters/postgres-job-schedule-store';
import { PostgresJobWindowStore } from '../../src/modules/delivery/adapters/postgres-job-window-store';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import type { NextRecipient } from '../../src/modules/delivery/domain/lane-job-store.port';
import { PostgresLaneLeases } from '../../src/modules/delivery/adapters/postgres-lane-leases';
import { PostgresSingleSendStore } from '../../src/modules/sending/adapters/postgres-single-send-store';
import type { MessagingTier, Sender } from '../../src/modules/accounts/domain/sender';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import { optOutsOn } from '../support/opt-outs-on';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { DatabaseError, type LinkEnd, type ProcessStores, type StoreTerms } from './history-database';
import { TransactionDatabase } from './open-transactions';
import { ProcessClock } from './life';
import type { Scheduler } from './scheduler';
import { SqlLink, type SqlTransaction } from './sql-link';
import { takeOver } from './sql-rows';
import type { SqlConnection, SqlServer } from './sql-server';
import { type Operation, Standstill } from './standstill';

const LOCK_TIMEOUT_MS = 4000;
const IMPORT_RETRY_MS = 500;
/** Lost locks and connections, cancelled statements, deadlocks: errors that a process must survive. */
const TRANSIENT = ['40001', '40P01', '55P03', '57014', '57P01', '25P03'];
const WRITES = /^\s*(INSERT|UPDATE|DELETE|WITH)/;

/** The tiers of a history are smaller than the platform's: they are in its senders, not in the rows of senders. */
class HistoryTierStore extends PostgresTierBudgetStore {
  override tierOf({ messagingTier }: Sender): Promise<MessagingTier> {
    return Promise.resolve(messagingTier);
  }
}

/** The same for the tiers that claims of jobs read. */
class HistoryJobStore extends PostgresLaneJobStore {
  override async open(...of: Parameters<PostgresLaneJobStore['open']>): Promise<NextRecipient[]> {
    return (await super.open(...of)).map((recipient) => ({ ...recipient, messagingTier: null }));
  }
}

/** A real database in virtual time, with the stores and the SQL of production. */
export class SqlDatabase extends TransactionDatabase<SqlTransaction> {
  override readonly isObserved = true;
  private readonly standstill: Standstill;

  constructor(
    scheduler: Scheduler,
    private readonly server: SqlServer,
    /** Rewrites a statement: a planted bug. */
    private readonly rewrite: (sql: string) => string = (sql) => sql,
  ) {
    super(scheduler);
    this.standstill = new Standstill(() => server.blocked());
    scheduler.settled = () => this.standstill.reached((operation) => this.endWait(operation));
  }

  connect(end: LinkEnd, terms: StoreTerms): ProcessStores {
    const link = new SqlLink(this, end);
    const { database } = link;
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const optOuts = optOutsOn(database);
    // Real time would pass while virtual time runs ahead by minutes.
    const clock = new ProcessClock(end.life, end.dice, 0);
    return {
      ...{ link, unitOfWork },
      laneLeases: new PostgresLaneLeases(database, terms, clock),
      laneJobStore: new HistoryJobStore(database, terms, clock),
      tierStore: new HistoryTierStore(database),
      singleSendStore: new PostgresSingleSendStore(database, clock),
      messageStore: new PostgresMessageStore(database),
      statusStore: new PostgresStatusStore(database),
      jobStatusStore: new PostgresJobStatusStore(database),
      jobScheduleStore: new PostgresJobScheduleStore(database),
      jobWindowStore: new PostgresJobWindowStore(database),
      optedOut: (accountId, phones) => optOuts.optedOutAmong(accountId, phones),
      events: null,
      restoredDatabase: null,
      people: null,
      identities: null,
      observation: { activity: new PostgresActivityStore(database), jobs: new PostgresBulkJobStore(database) },
    };
  }

  begin(owner: SqlTransaction['owner'], isExplicit: boolean): SqlTransaction {
    const transaction: SqlTransaction = {
      ...{ owner, isExplicit, isOpen: true, inStatement: false, activeAt: this.scheduler.now },
      ...{ hasBegun: false, hasWritten: false, isExecuting: false, connection: null },
    };
    this.open.add(transaction);
    return transaction;
  }

  /** Executes one statement of a transaction, as of this moment. */
  statement<Row>(
    transaction: SqlTransaction,
    sql: string,
    parameters: unknown[] = [],
  ): Promise<{ records: Row[]; affected: number }> {
    return this.standstill.during(async (operation) => {
      transaction.isExecuting = true;
      try {
        const { runner } = await this.connectionOf(transaction, operation);
        if (transaction.isExplicit && !transaction.hasBegun) {
          transaction.hasBegun = true;
          await runner.query('BEGIN');
        }
        const text = this.atThisMoment(this.rewrite(sql));
        const { records, affected } = await runner.query(text, parameters, true);
        transaction.hasWritten ||= WRITES.test(sql);
        transaction.isExecuting = false;
        const isOver = sql === 'COMMIT' || !transaction.isExplicit;
        if (isOver) await this.committed(transaction);
        else if (!transaction.isOpen) throw new DatabaseError('the transaction is gone');
        return { records: (records ?? []) as Row[], affected: affected ?? 0 };
      } catch (error) {
        transaction.isExecuting = false;
        await this.undone(transaction);
        const code = (error as { code?: string }).code ?? '';
        throw TRANSIENT.includes(code) ? new DatabaseError(`${code} ${(error as Error).message}`) : error;
      }
    });
  }

  abort(transaction: SqlTransaction): void {
    if (!transaction.isOpen) return;
    transaction.isOpen = false;
    this.open.delete(transaction);
    // Statements in progress find their transaction gone.
    if (transaction.isExecuting) void this.cancel(transaction);
    else void this.standstill.during(() => this.undone(transaction));
  }

  /** Repeats an import whose transaction the database lost. */
  async addJob(...added: Parameters<TransactionDatabase<SqlTransaction>['addJob']>): Promise<void> {
    for (;;) {
      const transaction = this.begin(null, true);
      try {
        return await this.import(transaction, ...added);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        this.abort(transaction);
        await new Promise<void>((resolve) => this.scheduler.after(IMPORT_RETRY_MS, resolve));
      }
    }
  }

  async optOut(accountId: string, phone: string): Promise<void> {
    const sql = `INSERT INTO opt_outs (account_id, person, phone, source) VALUES ($1, $2, $2, 'Api')`;
    try {
      await this.statement(this.begin(null, false), sql, [accountId, phone]);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  async setStatus(jobId: string, from: readonly string[], to: string): Promise<boolean> {
    const sql = `UPDATE bulk_jobs SET status = $2 WHERE id = $1 AND completed_at IS NULL AND status = ANY($3::text[])`;
    try {
      return (await this.statement(this.begin(null, false), sql, [jobId, to, from])).affected > 0;
    } catch (error) {
      if (error instanceof DatabaseError) return false;
      throw error;
    }
  }

  private async import(
    transaction: SqlTransaction,
    job: JobRow,
    recipients: readonly RecipientRow[],
    optedOut: readonly string[],
  ): Promise<void> {
    await this.insert(transaction, 'bulk_jobs', [{ ...job, kind: 'Import' }]);
    await this.insert(transaction, 'job_recipients', recipients);
    const rows = optedOut.map((phone) => ({
      accountId: job.accountId,
      person: phone,
      phone,
      source: 'Api',
      createdAt: this.now(),
    }));
    if (rows.length > 0) await this.insert(transaction, 'opt_outs', rows);
    await this.statement(transaction, 'COMMIT');
  }

  /** Ends everything that a history left open. */
  async close(): Promise<void> {
    for (const transaction of [...this.open]) this.abort(transaction);
    await this.standstill.reached((operation) => void this.server.cancel(operation.pid!));
  }

  private async connectionOf(transaction: SqlTransaction, operation: Operation): Promise<SqlConnection> {
    if (!transaction.connection) {
      operation.isBlocked = this.server.free.length === 0;
      transaction.connection = await this.server.acquire();
      operation.isBlocked = false;
    }
    operation.pid = transaction.connection.pid;
    return transaction.connection;
  }

  private async committed(transaction: SqlTransaction): Promise<void> {
    const written = transaction.hasWritten ? await this.server.written() : [];
    const own = transaction.connection!.pid;
    // Others may have committed at the same time; of a row that both wrote, the later transaction wrote last.
    const pids = [...new Set(written.map(({ pid }) => pid).reverse())].reverse();
    const owners = new Map([...this.open].map(({ connection, owner }) => [connection?.pid, owner]));
    owners.set(own, transaction.owner);
    this.release(transaction);
    for (const pid of pids) {
      const changes = takeOver(
        this,
        written.filter((row) => row.pid === pid),
      );
      if (changes.length > 0) this.onCommit(owners.get(pid) ?? null, changes);
    }
  }

  private async undone(transaction: SqlTransaction): Promise<void> {
    if (transaction.hasBegun && transaction.connection) {
      transaction.hasBegun = false;
      await transaction.connection.runner.query('ROLLBACK');
    }
    this.release(transaction);
  }

  private release(transaction: SqlTransaction): void {
    const { connection } = transaction;
    transaction.isOpen = false;
    transaction.connection = null;
    this.open.delete(transaction);
    if (connection) this.server.release(connection);
    if (transaction.isExplicit || transaction.hasWritten) this.standstill.unblock();
  }

  private endWait(operation: Operation): void {
    this.scheduler.after(LOCK_TIMEOUT_MS, () => {
      if (operation.isBlocked) void this.standstill.during(() => this.server.cancel(operation.pid!));
      operation.isBlocked = false;
    });
  }

  private async cancel({ connection }: SqlTransaction): Promise<void> {
    if (!connection) return;
    this.standstill.unblock();
    await this.standstill.during(() => this.server.cancel(connection.pid));
  }

  private insert(transaction: SqlTransaction, table: string, rows: readonly object[]): Promise<unknown> {
    const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const columns = Object.keys(rows[0]!).map(snake);
    const values = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [snake(name), value as unknown])),
    );
    const sql = `INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM jsonb_populate_recordset(NULL::${table}, $1)`;
    return this.statement(transaction, sql, [JSON.stringify(values)]);
  }

  private atThisMoment(sql: string): string {
    return sql.replaceAll(
      /\b(clock_timestamp|statement_timestamp|now)\(\)/g,
      `'${this.now().toISOString()}'::timestamptz`,
    );
  }
}
