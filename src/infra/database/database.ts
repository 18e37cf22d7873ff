import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import {
  DataSource,
  type Driver,
  type EntityTarget,
  type ObjectLiteral,
  QueryFailedError,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import { RowsLockedError } from '../../kernel/unit-of-work';
import { chainOf, type CodedError } from '../error-chain';
import { arrayParameter } from './array-parameter';
import type { PipelinedClient } from './pipelined-client';

/** Rows and the number of changed rows, for every kind of statement. */
export interface StatementResult<Row> {
  rows: Row[];
  affected: number;
}

/** A part of a transaction failed and `work` ignored it, so the transaction was rolled back; `cause`: the failure, if known. */
export class TransactionRolledBackError extends Error {
  constructor(cause?: unknown) {
    super('A part of this transaction failed, so the whole transaction was rolled back.', { cause });
    this.name = new.target.name;
  }
}

/** A pooled connection; PipelinedClient's override of `query` does not fit the driver's types. */
type Connection = ClientBase & Pick<PipelinedClient, 'begin'>;

interface Transaction {
  database: Database;
  runner: QueryRunner;
  connection: Connection;
  /** Statements awaited only at commit. */
  submitted: Promise<unknown>[];
  afterCommit: (() => void)[];
  /** The first failed statement's error: PostgreSQL rejects every later statement and reports only a rollback at the end. */
  firstError?: unknown;
  /** False once it has ended: promises of `work` that still run in its async context no longer join it. */
  open: boolean;
  failure?: TransactionRolledBackError;
}

/**
 * One storage for all databases of a process, since each storage slows down every promise. Transactions of two databases must
 * therefore not be nested: the inner one hides the outer one.
 */
const transactionStore = new AsyncLocalStorage<Transaction>();

/**
 * Access to the tables: every call joins the transaction of the surrounding unit of work, if any. Async context identifies it, so
 * promises and timers started inside belong to it until it ends.
 */
@Injectable()
export class Database {
  private readonly logger = new Logger(Database.name);

  constructor(private readonly source: DataSource) {}

  /** The rows that a statement returns. */
  async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.execute<Row>(sql, parameters)).rows;
  }

  /** Runs one statement, in the surrounding transaction or in its own. */
  async execute<Row = unknown>(sql: string, parameters: unknown[] = []): Promise<StatementResult<Row>> {
    const transaction = this.current();
    if (transaction) {
      return this.query<Row>(transaction.connection, sql, parameters).catch((error: unknown) => {
        transaction.firstError ??= error;
        throw error;
      });
    }
    const runner = this.source.createQueryRunner();
    try {
      return await this.query<Row>((await runner.connect()) as Connection, sql, parameters);
    } finally {
      await runner.release();
    }
  }

  /**
   * Runs one statement without a result. Inside a transaction it does not wait for the response: statements run in order, and a
   * failed one rejects the transaction at its end.
   */
  async submit(sql: string, parameters: unknown[] = []): Promise<void> {
    const transaction = this.current();
    const result = this.execute(sql, parameters);
    if (!transaction) return void (await result);
    result.catch(() => undefined);
    transaction.submitted.push(result);
  }

  /** The repository of an entity, inside the surrounding transaction. */
  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return (this.current()?.runner.manager ?? this.source.manager).getRepository(entity);
  }

  /** Connections of the pool, idle ones among them, and callers waiting for one. */
  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.source.driver as Driver & { master: Pool }).master;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** See UnitOfWork.run; rejects with TransactionRolledBackError if `work` ignored a failure. */
  async transaction<T>(work: () => Promise<T>, lockWaitMs?: number): Promise<T> {
    const surrounding = this.current();
    return surrounding ? this.join(surrounding, work) : this.begin(work, lockWaitMs);
  }

  /** See UnitOfWork.afterCommit. */
  afterCommit(action: () => void): void {
    const transaction = this.current();
    if (transaction) transaction.afterCommit.push(action);
    else action();
  }

  private current(): Transaction | undefined {
    const transaction = transactionStore.getStore();
    return transaction?.open && transaction.database === this ? transaction : undefined;
  }

  private async join<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      transaction.failure ??= new TransactionRolledBackError(error);
      throw error;
    }
  }

  private async begin<T>(work: () => Promise<T>, lockWaitMs?: number): Promise<T> {
    const runner = this.source.createQueryRunner();
    const afterCommit: (() => void)[] = [];
    let result: T;
    try {
      const connection = (await runner.connect()) as Connection;
      const transaction: Transaction = { database: this, runner, connection, submitted: [], afterCommit, open: true };
      connection.begin();
      // Otherwise repositories would begin their own transaction.
      Object.assign(runner, { isTransactionActive: true });
      try {
        result = await transactionStore.run(transaction, async () => {
          if (lockWaitMs !== undefined) await this.submit(`SET LOCAL lock_timeout = ${lockWaitMs}`);
          return work();
        });
        if (transaction.failure) throw transaction.failure;
        transaction.open = false;
        const [{ command }] = await Promise.all([connection.query('COMMIT'), ...transaction.submitted]);
        // After a failed statement PostgreSQL responds to COMMIT with a rollback, not an error.
        if (command === 'ROLLBACK') throw new TransactionRolledBackError(transaction.firstError);
      } catch (error) {
        transaction.open = false;
        // The connection may be lost; the first error is the cause.
        await connection.query('ROLLBACK').catch(() => undefined);
        const first = isAborted(error) ? (transaction.firstError ?? error) : error;
        throw lockWaitMs !== undefined && isLockTimeout(first) ? new RowsLockedError(first) : first;
      }
    } finally {
      await runner.release();
    }
    transactionStore.exit(() => afterCommit.forEach((action) => this.perform(action)));
    return result;
  }

  /** The transaction is committed, so a failing action must not reject it or prevent the others. */
  private perform(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.logger.error('An action after a commit failed', error instanceof Error ? error.stack : error);
    }
  }

  private async query<Row>(connection: Connection, sql: string, parameters: unknown[]): Promise<StatementResult<Row>> {
    try {
      const values = parameters.map((value) => (Array.isArray(value) ? arrayParameter(value) : value));
      const { rows, rowCount } = await connection.query<Row & object>(sql, values);
      return { rows, affected: rowCount ?? 0 };
    } catch (error) {
      throw new QueryFailedError(sql, parameters, error as Error);
    }
  }
}

/** The error of a statement that follows a failed one. */
function isAborted(error: unknown): boolean {
  return (error as CodedError).code === '25P02';
}

function isLockTimeout(error: unknown): boolean {
  return [...chainOf(error)].some(({ code }) => code === '55P03');
}
