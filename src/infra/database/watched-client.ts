import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** What a client of the driver knows and its types do not tell. */
interface Inside {
  connection: { stream: Socket };
  /** Nothing that was asked waits for an answer. */
  readyForQuery: boolean;
}

/** While this process stood still the answer may have come: it gets the time to be read. */
const READING_MS = 500;

/**
 * A connection that breaks off when the server is silent for `silenceMs` to what was asked, so that the answer fails like
 * any lost one. Of a machine that is gone the network says nothing for a quarter of an hour.
 */
export class WatchedClient extends Client {
  /** It waits for ever; for statements without a time limit. */
  patient = false;

  constructor(config: ClientConfig & { silenceMs: number }) {
    super(config);
    this.once('connect', () => this.watch(config.silenceMs));
  }

  private watch(silenceMs: number): void {
    const inside = this as unknown as Inside;
    const { stream } = inside.connection;
    const isWaiting = (): boolean => !inside.readyForQuery && !this.patient;
    stream.setTimeout(silenceMs, () => {
      const { bytesRead } = stream;
      if (!isWaiting()) return;
      setTimeout(() => {
        if (isWaiting() && stream.bytesRead === bytesRead) stream.destroy();
      }, READING_MS);
    });
  }
}
