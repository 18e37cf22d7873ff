import type { Pool } from 'pg';
import type { DataSource, Driver } from 'typeorm';
import { until } from '../process/service';

/** Driver members missing from its types. */
interface Watched {
  processID: number;
  connection: { stream: { destroy(): void }; emit(event: string, ...rest: unknown[]): boolean };
}

/** Server messages, none of which a broken connection passes on. */
const OF_SERVER =
  /^(readyForQuery|commandComplete|dataRow|errorMessage|rowDescription|parseComplete|bindComplete|noData)$/;

/**
 * Counts the server's responses to a pool and loses one of them: the server has executed the statement, but the
 * connection breaks before the client reads the result.
 */
export class LostAnswers {
  /** Responses since the last call of `lose`. */
  answered = 0;
  /** Statements whose response was lost. */
  lost = 0;
  private loseAt = 0;
  private lostSession = 0;

  constructor(private readonly source: DataSource) {
    const pool = (source.driver as Driver & { master: Pool }).master;
    for (const client of (pool as unknown as { _clients: Watched[] })._clients) this.watch(client);
    pool.on('connect', (client) => this.watch(client as unknown as Watched));
  }

  /** Loses the `nth` response from now on, counted from 1; 0: none. */
  lose(nth: number): void {
    this.answered = 0;
    this.loseAt = nth;
  }

  /** Resolves when the server has noticed the loss: until then the session may hold locks. */
  async noticed(): Promise<void> {
    const gone = async () => {
      const sql = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND pid <> pg_backend_pid()';
      return (await this.source.query<unknown[]>(sql, [this.lostSession])).length === 0;
    };
    await until(gone, 5000, 'the server notices the lost connection');
  }

  private watch(client: Watched): void {
    const { connection } = client;
    const emit = connection.emit.bind(connection);
    let isBroken = false;
    connection.emit = (event, ...rest) => {
      if (isBroken && OF_SERVER.test(event)) return true;
      if (event !== 'readyForQuery' || ++this.answered !== this.loseAt) return emit(event, ...rest);
      isBroken = true;
      this.lost++;
      this.lostSession = client.processID;
      connection.stream.destroy();
      return true;
    };
  }
}
