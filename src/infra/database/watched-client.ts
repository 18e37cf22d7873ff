import type { ClientConfig } from 'pg';
import type { ConnectionGate } from './connection-gate';
import { PipelinedClient } from './pipelined-client';
import { preparedName } from './prepared-statement';

/** Options of a watched client. */
export interface WatchedClientConfig extends ClientConfig {
  gate: ConnectionGate;
  /** Statements that configure the session before its first use. */
  sessionSetup: string;
  silenceMs: number;
}

/** Time to read a response that arrived while this process was suspended. */
const READING_MS = 500;

/**
 * A connection that configures its session when it opens, and closes if the server is silent for `silenceMs`, so that the query
 * fails as on any lost connection. Otherwise a lost machine would go unnoticed for 15 minutes.
 */
export class WatchedClient extends PipelinedClient {
  /** Whether to wait indefinitely, for statements without a time limit. */
  noTimeout = false;

  constructor(private readonly config: WatchedClientConfig) {
    super(config);
    this.once('connect', () => this.watch());
    // If the connection is lost before the pool listens, the query fails; without a listener the process would crash.
    this.on('error', () => undefined);
  }

  /** Parses a statement marked as prepared once per connection. */
  override query(statement: never, ...rest: never[]): never {
    const name = typeof statement === 'string' ? preparedName(statement) : undefined;
    const named = name === undefined ? statement : ({ name, text: statement } as never);
    return super.query(named, ...rest);
  }

  protected override open(): Promise<void> {
    return this.config.gate.open(() => super.open());
  }

  protected override async setUp(): Promise<void> {
    await Promise.all([super.setUp(), super.query(this.config.sessionSetup as never) as Promise<unknown>]);
  }

  private watch(): void {
    const { stream } = this.wire;
    const isWaiting = (): boolean => !(this as unknown as { readyForQuery: boolean }).readyForQuery && !this.noTimeout;
    stream.setTimeout(this.config.silenceMs, () => {
      const { bytesRead } = stream;
      if (!isWaiting()) return;
      setTimeout(() => {
        if (isWaiting() && stream.bytesRead === bytesRead) stream.destroy();
      }, READING_MS);
    });
  }
}
