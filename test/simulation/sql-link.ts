import type { DataSource } from 'typeorm';
import { Database } from '../../src/infra/database/database';
import * as jobSql from '../../src/modules/delivery/adapters/lane-jobs.sql';
import * as leaseSql from '../../src/modules/delivery/adapters/lane-leases.sql';
import type { LinkEnd } from './history-database';
import type { OpenTransaction } from './open-transactions';
import { ProcessLink } from './process-link';
import type { SqlDatabase } from './sql-database';
import type { SqlConnection } from './sql-server';

/** A transaction, on a real connection once it needs one; an implicit transaction is a single statement. */
export interface SqlTransaction extends OpenTransaction {
  readonly isExplicit: boolean;
  hasBegun: boolean;
  hasWritten: boolean;
  /** One of its statements runs on the server, or waits there for a lock. */
  isExecuting: boolean;
  connection: SqlConnection | null;
}

const NAMES = new Map<string, string>(Object.entries({ ...leaseSql, ...jobSql }).map(([name, sql]) => [sql, name]));
// Plans name the step of one lane.
NAMES.set(leaseSql.RENEW_LANES, 'RENEW_LANE');

/** The connection of one process to a real database, used by the application's own `Database`. */
export class SqlLink extends ProcessLink<SqlTransaction> {
  readonly database: Database;

  constructor(
    override readonly server: SqlDatabase,
    end: LinkEnd,
  ) {
    super(server, end);
    const source = { createQueryRunner: () => new LinkRunner(this) };
    this.database = new Database(source as unknown as DataSource);
  }

  read<R>(name: string, look: () => R): Promise<R> {
    const transaction = this.begin(false);
    return this.journey(name, transaction, () => {
      this.server.abort(transaction);
      return look();
    });
  }

  begin(isExplicit: boolean): SqlTransaction {
    return this.server.begin(this.end.life, isExplicit);
  }

  carryOut(
    transaction: SqlTransaction,
    sql: string,
    parameters?: unknown[],
  ): Promise<{ records: unknown[]; affected: number }> {
    return this.journey(nameOf(sql), transaction, () => this.server.statement(transaction, sql, parameters));
  }

  undo(transaction: SqlTransaction): void {
    this.giveUp(transaction);
  }
}

/** A pooled connection as `Database` expects it: each statement starts when the previous one is answered. */
class LinkRunner {
  private transaction: SqlTransaction | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly link: SqlLink) {}

  connect(): Promise<this> {
    return Promise.resolve(this);
  }

  begin(): void {
    this.transaction = this.link.begin(true);
  }

  query(sql: string, parameters?: unknown[]): Promise<{ command: string; rows: unknown[]; rowCount: number }> {
    if (sql === 'ROLLBACK') return this.rollBack();
    const transaction = this.transaction ?? this.link.begin(false);
    const answer = this.last.then(() => this.link.carryOut(transaction, sql, parameters));
    this.last = answer.catch(() => undefined);
    return answer.then(({ records, affected }) => ({ command: sql, rows: records, rowCount: affected }));
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  private rollBack(): Promise<{ command: string; rows: unknown[]; rowCount: number }> {
    if (this.transaction) this.link.undo(this.transaction);
    return Promise.resolve({ command: 'ROLLBACK', rows: [], rowCount: 0 });
  }
}

/** The step of a statement: the name of its constant in the lane stores, otherwise its kind. */
function nameOf(sql: string): string {
  const known = NAMES.get(sql);
  if (known !== undefined) return known;
  if (sql.includes('INSERT INTO messages')) return 'SAVE_MESSAGES';
  if (sql.includes('INSERT INTO single_sends')) return 'INSERT_SINGLES';
  if (sql.includes('UPDATE single_sends SET attempt')) return 'CLAIM_SINGLES';
  if (sql.includes('UPDATE single_sends')) return 'SAVE_SINGLES';
  return sql.trim().split(/\s+/).slice(0, 4).join(' ');
}
