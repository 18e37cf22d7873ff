import type { Socket } from 'node:net';
import { Client, type ClientConfig, Query, type QueryConfig, type QueryResult, types } from 'pg';
import { corkForTick } from './cork-for-tick';
import { parseJsonb } from './jsonb';

/** Members of the driver that its types lack. */
interface Wire {
  stream: Socket;
  bind(of: { statement: string }): void;
  execute(of: object): void;
}
interface DriverQuery {
  submit(wire: Wire): Error | null;
  handleCommandComplete(message: object, wire: Wire): void;
}
type Callback = (error: Error | null, result: QueryResult) => void;
type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

const DriverQuery = Query as unknown as new (
  statement: string | QueryConfig,
  values: unknown[] | undefined,
  callback: Callback,
) => DriverQuery;

/** The name of the prepared BEGIN: it is not parsed again, so the server responds only to its execution. */
const BEGIN = 'begin';

/** The first statement of a transaction, preceded by BEGIN: without a Sync in between, both fail together. */
class FirstStatement extends DriverQuery {
  /** Whether the transaction is open, even if the statement itself failed. */
  hasBegun = false;

  constructor(statement: string | QueryConfig, values: unknown[] | undefined, callback: Callback) {
    super(statement, values, callback);
    Object.assign(this, { queryMode: 'extended' });
  }

  override submit(wire: Wire): Error | null {
    wire.bind({ statement: BEGIN });
    wire.execute({});
    return super.submit(wire);
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.hasBegun) super.handleCommandComplete(message, wire);
    this.hasBegun = true;
  }
}

/**
 * A connection on which a statement need not wait for the response to the previous one. Statements run in the order in which they
 * were sent; those of the same tick share a packet.
 */
export class PipelinedClient extends Client {
  private isBeginning = false;
  /** Statements after the first one of a transaction, until it completes: without the BEGIN each would commit on its own. */
  private queued: (() => void)[] | null = null;

  constructor(config: ClientConfig) {
    // Not a copy: the pool hides the password from copies.
    super(Object.assign(config, { pipeline: true }));
    this.setTypeParser(types.builtins.JSONB, parseJsonb);
  }

  /** Opens a transaction with the next statement: if BEGIN fails, neither that statement nor any later one runs. */
  begin(): void {
    this.isBeginning = true;
  }

  override query(statement: never, ...rest: never[]): never {
    const query = (...call: unknown[]): never => super.query(...(call as [never]));
    const send = (): never => {
      corkForTick(this.wire.stream);
      if (handlesOwnResult(statement, rest)) return query(statement, ...rest);
      return promised((done) => query(statement, rest[0], done)) as never;
    };
    const { queued } = this;
    if (queued) return new Promise((resolve) => queued.push(() => resolve(send()))) as never;
    if (!this.isBeginning) return send();
    this.isBeginning = false;
    this.queued = [];
    corkForTick(this.wire.stream);
    return promised((done) => {
      const first = new FirstStatement(statement, rest[0], (error, result) => {
        this.sendQueued(first);
        done(error, result);
      });
      query(first);
    }) as never;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback: (error: null, client: Client) => void): void;
  override connect(callback?: ConnectCallback): Promise<this> | void {
    const opening = this.open().then(() => this);
    if (!callback) return opening;
    opening.then(
      () => (callback as (error: null, client: Client) => void)(null, this),
      (error: unknown) => (callback as (error: Error) => void)(error as Error),
    );
  }

  /** Connects; resolves when the session is set up. */
  protected async open(): Promise<void> {
    await super.connect();
    try {
      await this.setUp();
    } catch (error) {
      this.wire.stream.destroy();
      throw error;
    }
  }

  /** Prepares the session before its first use. */
  protected async setUp(): Promise<void> {
    // The embedded database has one session for all connections, so the name may already exist.
    const prepare = [
      super.query('DEALLOCATE ALL'),
      super.query({ name: BEGIN, text: 'BEGIN' }),
      super.query('ROLLBACK'),
    ];
    await Promise.all(prepare);
  }

  protected get wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  private sendQueued({ hasBegun }: FirstStatement): void {
    // Without a transaction, the queued and all later statements must fail.
    if (!hasBegun) this.wire.stream.destroy();
    const queued = this.queued ?? [];
    this.queued = null;
    for (const send of queued) send();
  }
}

/** Whether the call has a callback or is a query object. */
function handlesOwnResult(statement: unknown, rest: readonly unknown[]): boolean {
  if (rest.length > 1 || typeof rest[0] === 'function') return true;
  return typeof statement === 'object' && statement !== null && ('submit' in statement || 'callback' in statement);
}

/**
 * The driver's own promise retains earlier results: with consecutive queries, as in a report, they survived until a full collection.
 * As the driver's does, this promise rejects with an error whose stack includes the caller.
 */
function promised(query: (done: Callback) => void): Promise<QueryResult> {
  return new Promise<QueryResult>((resolve, reject) => {
    query((error, result) => (error ? reject(error) : resolve(result)));
  }).catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
