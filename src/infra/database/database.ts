import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import {
  DataSource,
  type Driver,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';

/** Rows and the number of rows changed, alike for every kind of statement. */
export interface StatementResult<Row> {
  rows: Row[];
  affected: number;
}

/** Part of a transaction failed, so the whole was undone although `work` went on; `cause` is that failure, if known. */
export class TransactionUndoneError extends Error {
  constructor(cause?: unknown) {
    super('A part of this transaction failed before its end, so all of it was undone.', { cause });
    this.name = new.target.name;
  }
}

interface Transaction {
  database: Database;
  runner: QueryRunner;
  afterCommit: (() => void)[];
  /** False once it is committed or undone: what `work` left running in its async context is then outside. */
  open: boolean;
  failure?: TransactionUndoneError;
}

/**
 * One for all databases of a process: each further one would make every promise of it slower. Transactions of two databases
 * are therefore not to be nested: inside the inner one the outer one is not seen.
 */
const surroundings = new AsyncLocalStorage<Transaction>();

/**
 * The way to the tables: every call joins the transaction of the surrounding unit of work, if there is one.
 * Surrounding is meant by async context, so promises and timers started inside belong to it too until it ends.
 */
@Injectable()
export class Database {
  private readonly logger = new Logger(Database.name);

  constructor(private readonly source: DataSource) {}

  /** Rows of a statement that reads, or that returns what it wrote. */
  async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.execute<Row>(sql, parameters)).rows;
  }

  /** Runs one statement; without a surrounding transaction it commits by itself. */
  async execute<Row = unknown>(sql: string, parameters: unknown[] = []): Promise<StatementResult<Row>> {
    const transaction = this.current();
    if (transaction) return this.on<Row>(transaction.runner, sql, parameters);
    const runner = this.source.createQueryRunner();
    try {
      return await this.on<Row>(runner, sql, parameters);
    } finally {
      await runner.release();
    }
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

  /** See UnitOfWork.run; rejects with TransactionUndoneError where `work` hid the failure of one of its parts. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const surrounding = this.current();
    return surrounding ? this.join(surrounding, work) : this.begin(work);
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

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    const transaction: Transaction = { database: this, runner, afterCommit: [], open: true };
    let result: T;
    try {
      const connection = (await runner.connect()) as ClientBase;
      await runner.startTransaction();
      try {
        result = await surroundings.run(transaction, work);
        if (transaction.failure) throw transaction.failure;
        transaction.open = false;
        // PostgreSQL answers COMMIT after a failed statement with a rollback, which is not an error to it.
        if ((await connection.query('COMMIT')).command === 'ROLLBACK') throw new TransactionUndoneError();
      } catch (error) {
        transaction.open = false;
        // The connection may be what broke; the first error is the one that tells why.
        await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    } finally {
      await runner.release();
    }
    surroundings.exit(() => transaction.afterCommit.forEach((action) => this.perform(action)));
    return result;
  }

  /** The transaction stands, so a failing action may neither undo it in the eyes of the caller nor stop the others. */
  private perform(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.logger.error('What should follow a commit failed', error instanceof Error ? error.stack : error);
    }
  }

  private async on<Row>(runner: QueryRunner, sql: string, parameters: unknown[]): Promise<StatementResult<Row>> {
    const result = await runner.query(sql, parameters, true);
    return { rows: (result.records ?? []) as Row[], affected: result.affected ?? 0 };
  }
}
