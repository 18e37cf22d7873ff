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

/** A part of a transaction failed and `work` ignored it, so the transaction was rolled back; `cause`: that failure, if known. */
export class TransactionUndoneError extends Error {
  constructor(cause?: unknown) {
    super('A part of this transaction failed, so the whole transaction was rolled back.', { cause });
    this.name = new.target.name;
  }
}

/** A connection of the pool; the driver's types of `query` do not bear an override. */
type Connection = ClientBase & Pick<PipelinedClient, 'begin'>;

interface Transaction {
  database: Database;
  runner: QueryRunner;
  connection: Connection;
  /** Statements that nobody waits for before the end. */
  submitted: Promise<unknown>[];
  afterCommit: (() => void)[];
  /** The first statement's failure: PostgreSQL undoes everything after it, and tells at the end only that it did. */
  firstError?: unknown;
  /** False once it has ended: promises of `work` that still run in its async context are then outside. */
  open: boolean;
  failure?: TransactionUndoneError;
}

/**
 * One storage for all databases of a process, since each one slows down every promise. Transactions of two databases
 * must therefore not be nested: the outer one is not visible inside the inner one.
 */
const surroundings = new AsyncLocalStorage<Transaction>();

/**
 * Access to the tables: every call joins the transaction of the surrounding unit of work, if there is one.
 * It is found by async context, so promises and timers started inside belong to it until it ends.
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
      return this.on<Row>(transaction.connection, sql, parameters).catch((error: unknown) => {
        transaction.firstError ??= error;
        throw error;
      });
    }
    const runner = this.source.createQueryRunner();
    try {
      return await this.on<Row>((await runner.connect()) as Connection, sql, parameters);
    } finally {
      await runner.release();
    }
  }

  /**
   * Runs one statement whose result nobody needs. Inside a transaction it does not wait for the answer: statements are carried
   * out in order, and where one fails, the transaction rejects with its error at the end.
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

  /** Connections of the pool, how many of them are idle, and how many callers wait for one. */
  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.source.driver as Driver & { master: Pool }).master;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** See UnitOfWork.run; rejects with TransactionUndoneError if `work` ignored a failure. */
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
    const transaction = surroundings.getStore();
    return transaction?.open && transaction.database === this ? transaction : undefined;
  }

  private async join<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      transaction.failure ??= new TransactionUndoneError(error);
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
      // Repositories would begin one of their own.
      Object.assign(runner, { isTransactionActive: true });
      try {
        result = await surroundings.run(transaction, async () => {
          if (lockWaitMs !== undefined) await this.submit(`SET LOCAL lock_timeout = ${lockWaitMs}`);
          return work();
        });
        if (transaction.failure) throw transaction.failure;
        transaction.open = false;
        const [{ command }] = await Promise.all([connection.query('COMMIT'), ...transaction.submitted]);
        // After a failed statement PostgreSQL answers COMMIT with a rollback, without an error.
        if (command === 'ROLLBACK') throw new TransactionUndoneError(transaction.firstError);
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
    surroundings.exit(() => afterCommit.forEach((action) => this.perform(action)));
    return result;
  }

  /** The transaction is committed, so a failing action must neither reject it nor prevent the others. */
  private perform(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.logger.error('An action after a commit failed', error instanceof Error ? error.stack : error);
    }
  }

  private async on<Row>(connection: Connection, sql: string, parameters: unknown[]): Promise<StatementResult<Row>> {
    try {
      const values = parameters.map((value) => (Array.isArray(value) ? arrayParameter(value) : value));
      const { rows, rowCount } = await connection.query<Row & object>(sql, values);
      return { rows, affected: rowCount ?? 0 };
    } catch (error) {
      throw new QueryFailedError(sql, parameters, error as Error);
    }
  }
}

/** The answer to a statement behind one that failed. */
function isAborted(error: unknown): boolean {
  return (error as CodedError).code === '25P02';
}

function isLockTimeout(error: unknown): boolean {
  return [...chainOf(error)].some(({ code }) => code === '55P03');
}
