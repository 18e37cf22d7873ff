import { readFileSync } from 'node:fs';
import { Database } from '../../../src/infra/database/database';
import { uuidV7 } from '../../../src/kernel/uuid';
import { Recorder } from '../../../src/modules/delivery/domain/recorder';
import { openPostgresDatabase } from '../../support/postgres-database';
import { SqlSendingTables } from '../../support/sending-tables';
import { statusParts } from '../../support/status-parts';

const RECIPIENTS = 5000;
const BATCH = 100;

/** The recorder of the engine on its own database, in this process. */
export class Recording {
  private constructor(
    private readonly database: Database,
    private readonly recorder: Recorder,
    private readonly tables: SqlSendingTables,
    readonly close: () => Promise<void>,
  ) {}

  static async open(postgresUrl: string): Promise<Recording> {
    const { source, close } = await openPostgresDatabase(postgresUrl, []);
    const database = new Database(source);
    const parts = await statusParts(database).compile();
    const tables = new SqlSendingTables(database);
    await tables.addSender();
    return new Recording(database, parts.get(Recorder), tables, close);
  }

  /** Sets whether the account has an endpoint for sent messages. */
  async subscribe(isSubscribed: boolean): Promise<void> {
    await this.database.execute('DELETE FROM webhook_endpoints');
    await this.database.execute('TRUNCATE webhook_outbox');
    if (!isSubscribed) return;
    await this.database.execute(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
       VALUES ($1, $2, '', '{message.sent,message.failed}', 1, 'Enabled', '')`,
      [uuidV7(), this.tables.accountId],
    );
  }

  /** Processor time in ms of this process and of PostgreSQL for 1,000 answers of a job. */
  async cpuOfThousand(): Promise<number> {
    const progress = { status: 'Processing', totalRecipients: RECIPIENTS, cursor: RECIPIENTS + 1 } as const;
    const jobId = await this.tables.addJob(0, progress);
    await this.database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters)
       SELECT $1, m.n, m.n + 1, m.id, (491510000000 + m.n)::text, '["Mira"]'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS m (id, n)`,
      [jobId, Array.from({ length: RECIPIENTS }, () => uuidV7())],
    );
    const before = await this.cpuMs();
    for (let from = 1; from <= RECIPIENTS; from += BATCH) {
      const answers = Array.from({ length: BATCH }, (_, n) => {
        const answer = { kind: 'accepted', platformMessageId: `wamid.${jobId}.${from + n}` } as const;
        return { jobId, position: from + n, attempt: 1, answer };
      });
      await this.recorder.recordNow(answers);
    }
    return ((await this.cpuMs()) - before) / (RECIPIENTS / 1000);
  }

  private async cpuMs(): Promise<number> {
    const backends = await this.database.rows<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
    );
    const { user, system } = process.cpuUsage();
    return backends.reduce((sum, { pid }) => sum + ticksOf(pid) * 10, (user + system) / 1000);
  }
}

/** User and system time of a process as Linux counts it, in ticks of 10 ms. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
