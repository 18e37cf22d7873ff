import type { Socket } from 'node:net';
import { Client, type ClientConfig, Query, type QueryConfig, type QueryResult, types } from 'pg';
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
type Answered = (error: Error | null, result: QueryResult) => void;
type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

const DriverQuery = Query as unknown as new (
  statement: string | QueryConfig,
  values: unknown[] | undefined,
  callback: Answered,
) => DriverQuery;

/** The name of the prepared BEGIN: it is not parsed again, so the only answers of its own are those to its execution. */
const BEGIN = 'begin';

/** The first statement of a transaction, with the BEGIN ahead of it: without a Sync between them, the failure of one is that of both. */
class FirstStatement extends DriverQuery {
  /** Whether the transaction is open, even if the statement itself failed. */
  hasBegun = false;

  constructor(statement: string | QueryConfig, values: unknown[] | undefined, callback: Answered) {
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
 * A connection on which a statement need not wait for the answer to the one before it. They are carried out in the order in which
 * they were sent; those of the same moment leave in one packet.
 */
export class PipelinedClient extends Client {
  private isBeginning = false;
  /** Statements behind the first one of a transaction, until that is answered: without the BEGIN each would commit by itself. */
  private behindFirst: (() => void)[] | null = null;

  constructor(config: ClientConfig) {
    // Not a copy: the pool hides the password from copies.
    super(Object.assign(config, { pipeline: true }));
    this.setTypeParser(types.builtins.JSONB, parseJsonb);
  }

  /** Opens a transaction with the next statement: without it, neither that one nor any behind it is carried out. */
  begin(): void {
    this.isBeginning = true;
  }

  override query(statement: never, ...rest: never[]): never {
    const query = (...call: unknown[]): never => super.query(...(call as [never]));
    const send = (): never => {
      this.gather();
      if (answersItself(statement, rest)) return query(statement, ...rest);
      return promised((answered) => query(statement, rest[0], answered)) as never;
    };
    const { behindFirst } = this;
    if (behindFirst) return new Promise((resolve) => behindFirst.push(() => resolve(send()))) as never;
    if (!this.isBeginning) return send();
    this.isBeginning = false;
    this.behindFirst = [];
    this.gather();
    return promised((answered) => {
      const first = new FirstStatement(statement, rest[0], (error, result) => {
        this.sendBehind(first);
        answered(error, result);
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

  /** Sets the session up before its first use. */
  protected async setUp(): Promise<void> {
    // The embedded database has one session for all connections, so it may know the name already.
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

  private sendBehind({ hasBegun }: FirstStatement): void {
    // They fail with the connection, and so does whatever the transaction asks for later.
    if (!hasBegun) this.wire.stream.destroy();
    const behind = this.behindFirst ?? [];
    this.behindFirst = null;
    for (const send of behind) send();
  }

  private gather(): void {
    const { stream } = this.wire;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}

/** With a callback, or as a query object. */
function answersItself(statement: unknown, rest: readonly unknown[]): boolean {
  if (rest.length > 1 || typeof rest[0] === 'function') return true;
  return typeof statement === 'object' && statement !== null && ('submit' in statement || 'callback' in statement);
}

/**
 * The driver's own promise holds on to the results before it: when queries follow one another, as in a report, their results survived
 * until the whole heap was collected. Like that one, it rejects with an error whose stack leads to the caller.
 */
function promised(query: (answered: Answered) => void): Promise<QueryResult> {
  return new Promise<QueryResult>((resolve, reject) => {
    query((error, result) => (error ? reject(error) : resolve(result)));
  }).catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
