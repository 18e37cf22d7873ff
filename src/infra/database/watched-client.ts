import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { ConnectionGate } from './connection-gate';
import { preparedName } from './prepared-statement';

/** Members of a client of the driver that its types lack. */
interface Inside {
  connection: { stream: Socket };
  /** Whether no query is waiting for an answer. */
  readyForQuery: boolean;
}

/** Options of a watched client. */
export interface WatchedClientConfig extends ClientConfig {
  gate: ConnectionGate;
  /** Statements that configure the session before its first use. */
  sessionSetup: string;
  silenceMs: number;
}

type Callback = ((error: Error) => void) | ((error: null, client: Client) => void);

/** If this process was suspended, the answer may have arrived: this is the time to read it. */
const READING_MS = 500;

/**
 * A connection that configures its session when it opens, and that is closed when the server does not answer for `silenceMs`,
 * so that the query fails like on any lost connection. Without it, a lost machine would go unnoticed for a
 * quarter of an hour.
 */
export class WatchedClient extends Client {
  /** Waits without limit, for statements without a time limit. */
  patient = false;

  constructor(private readonly config: WatchedClientConfig) {
    super(config);
    this.once('connect', () => this.watch());
    // If the connection is lost before the pool listens, the query fails; without a listener the process would end.
    this.on('error', () => undefined);
  }

  /** A statement that is marked as prepared is parsed once on this connection. */
  override query(statement: never, ...rest: never[]): never {
    const name = typeof statement === 'string' ? preparedName(statement) : undefined;
    const named = name === undefined ? statement : ({ name, text: statement } as never);
    return (super.query as (...call: never[]) => never).call(this, named, ...rest);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback: (error: null, client: Client) => void): void;
  override connect(callback?: Callback): Promise<this> | void {
    const opening = this.config.gate.open(() => this.openSession()).then(() => this);
    if (!callback) return opening;
    opening.then(
      () => (callback as (error: null, client: Client) => void)(null, this),
      (error: unknown) => (callback as (error: Error) => void)(error as Error),
    );
  }

  private async openSession(): Promise<void> {
    await super.connect();
    try {
      await super.query(this.config.sessionSetup);
    } catch (error) {
      this.stream.destroy();
      throw error;
    }
  }

  private watch(): void {
    const { stream } = this;
    const isWaiting = (): boolean => !(this as unknown as Inside).readyForQuery && !this.patient;
    stream.setTimeout(this.config.silenceMs, () => {
      const { bytesRead } = stream;
      if (!isWaiting()) return;
      setTimeout(() => {
        if (isWaiting() && stream.bytesRead === bytesRead) stream.destroy();
      }, READING_MS);
    });
  }

  private get stream(): Socket {
    return (this as unknown as Inside).connection.stream;
  }
}
