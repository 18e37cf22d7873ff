import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { ANY_HOUR } from '../fakes/lane-rows';
import type {
  JobRow,
  LaneRow,
  MemoryDatabase,
  RecipientRow,
  SingleSendRow,
  Tables,
  WorkerRow,
} from '../fakes/memory-database';

/** What a suite over the stores of the sending engine puts into the tables and reads from them, whatever they are. */
export abstract class SendingTables {
  accountId = uuidV7();
  senderId = uuidV7();
  revisionId = uuidV7();

  /** A sender of an account of its own, with a template. */
  abstract addSender(): Promise<void>;
  abstract optOut(phone: string): Promise<void>;
  abstract job(id: string): Promise<JobRow>;
  abstract recipients(jobId: string): Promise<RecipientRow[]>;
  abstract lane(): Promise<LaneRow | undefined>;
  abstract single(messageId: string): Promise<SingleSendRow>;
  abstract change<T extends keyof Rows>(table: T, key: Partial<Rows[T]>, changes: Partial<Rows[T]>): Promise<void>;
  protected abstract insert<T extends keyof Rows>(table: T, rows: Rows[T][]): Promise<void>;

  /** A queued job whose recipients are open unless `recipients` says otherwise, by position from 1. */
  async addJob(
    count: number,
    changes: Partial<JobRow> = {},
    recipients: Record<number, Partial<RecipientRow>> = {},
  ): Promise<string> {
    const id = uuidV7();
    await this.insert('jobs', [
      {
        id,
        accountId: this.accountId,
        senderId: this.senderId,
        status: 'Queued',
        templateName: 'promo',
        languageCode: 'en_US',
        revisionId: this.revisionId,
        headerMedia: null,
        reference: 'spring',
        totalRecipients: count,
        cursor: 1,
        settledBelow: 1,
        laneEpoch: 0,
        atRest: false,
        successfullySent: 0,
        failed: 0,
        skipped: 0,
        unknown: 0,
        unknownInGrace: 0,
        pauseReason: null,
        errorCode: null,
        errorMessage: null,
        ...ANY_HOUR,
        validUntil: null,
        throttledReason: null,
        throttledUntil: null,
        throttledTier: null,
        startedAt: null,
        completedAt: null,
        ...changes,
      },
    ]);
    const positions = Array.from({ length: count }, (_, index) => index + 1);
    const rows = positions.map((position): RecipientRow => ({
      jobId: id,
      position,
      rowNumber: position + 1,
      messageId: uuidV7(),
      phone: phoneAt(position),
      parameters: [`Mira "${position}"`],
      attempt: 0,
      strikes: 0,
      throttles: 0,
      sendingEpoch: null,
      retryAt: null,
      unknownSince: null,
      outcome: null,
      problem: null,
      problemMessage: null,
      platformCode: null,
      ...recipients[position],
    }));
    await this.insert('recipients', rows);
    return id;
  }

  /** A single send that waits, unless `changes` say otherwise. */
  async addSingle(changes: Partial<SingleSendRow> = {}): Promise<string> {
    const messageId = uuidV7();
    await this.insert('singleSends', [
      {
        messageId,
        senderId: this.senderId,
        attempt: 0,
        strikes: 0,
        throttles: 0,
        sendingEpoch: null,
        retryAt: ago(1),
        needsRoom: false,
        giveUpAt: null,
        unknownSince: null,
        outcome: null,
        problem: null,
        validUntil: ago(-3600),
        ...changes,
      },
    ]);
    return messageId;
  }

  /** The lease of the lane ended a second ago. */
  async endLease(): Promise<void> {
    const changes = await this.leaseEnd();
    await this.change('lanes', { senderId: this.senderId }, changes);
  }

  /** The last report of a worker ended a second ago. */
  async silence(owner: string): Promise<void> {
    const { leaseUntil } = await this.leaseEnd();
    await this.change('workers', { owner }, { leaseUntil });
  }

  protected abstract leaseEnd(): Promise<Partial<LaneRow>>;
}

interface Rows {
  lanes: LaneRow;
  workers: WorkerRow;
  jobs: JobRow;
  recipients: RecipientRow;
  singleSends: SingleSendRow;
}

/** A moment so many seconds ago. */
export function ago(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}

/** The number of the recipient at a position. */
export function phoneAt(position: number): string {
  return String(491_510_000_000 + position);
}

const SQL_TABLES = {
  lanes: 'sender_lanes',
  workers: 'lane_workers',
  jobs: 'bulk_jobs',
  recipients: 'job_recipients',
  singleSends: 'single_sends',
};

/** The tables of a database. */
export class SqlSendingTables extends SendingTables {
  constructor(private readonly database: Database) {
    super();
  }

  async addSender(): Promise<void> {
    const templateId = uuidV7();
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [this.accountId]);
    await this.database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $2, $3, '2')`,
      [this.senderId, this.accountId, this.senderId],
    );
    await this.database.transaction(async () => {
      await this.database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id)
         VALUES ($1, $2, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $3)`,
        [templateId, this.accountId, this.revisionId],
      );
      await this.database.execute(
        `INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, '{}')`,
        [this.revisionId, templateId],
      );
    });
  }

  async optOut(phone: string): Promise<void> {
    await this.database.execute(`INSERT INTO opt_outs (account_id, person, phone, source) VALUES ($1, $2, $2, 'Api')`, [
      this.accountId,
      phone,
    ]);
  }

  async job(id: string): Promise<JobRow> {
    const [row] = await this.read<JobRow>('SELECT * FROM bulk_jobs WHERE id = $1', id);
    return { ...row!, laneEpoch: Number(row!.laneEpoch) };
  }

  async recipients(jobId: string): Promise<RecipientRow[]> {
    const rows = await this.read<RecipientRow>(
      'SELECT * FROM job_recipients WHERE job_id = $1 ORDER BY position',
      jobId,
    );
    return rows.map((row) => ({ ...row, sendingEpoch: numberOf(row.sendingEpoch) }));
  }

  async lane(): Promise<LaneRow | undefined> {
    const [row] = await this.read<LaneRow>('SELECT * FROM sender_lanes WHERE sender_id = $1', this.senderId);
    return row && { ...row, epoch: Number(row.epoch) };
  }

  async single(messageId: string): Promise<SingleSendRow> {
    const [row] = await this.read<SingleSendRow>('SELECT * FROM single_sends WHERE message_id = $1', messageId);
    return { ...row!, sendingEpoch: numberOf(row!.sendingEpoch) };
  }

  async change<T extends keyof Rows>(table: T, key: Partial<Rows[T]>, changes: Partial<Rows[T]>): Promise<void> {
    const parameters: unknown[] = [];
    const terms = (row: object): string[] =>
      Object.entries(row).map(([name, value]) => `${snake(name)} = $${parameters.push(columnValue(value))}`);
    const set = terms(changes).join(', ');
    await this.database.execute(`UPDATE ${SQL_TABLES[table]} SET ${set} WHERE ${terms(key).join(' AND ')}`, parameters);
  }

  protected async insert<T extends keyof Rows>(table: T, rows: Rows[T][]): Promise<void> {
    for (const row of withKind(table, rows)) {
      const columns = Object.keys(row).map(snake).join(', ');
      const values = Object.values(row).map(columnValue);
      const places = values.map((_, index) => `$${index + 1}`).join(', ');
      await this.database.execute(`INSERT INTO ${SQL_TABLES[table]} (${columns}) VALUES (${places})`, values);
    }
  }

  protected leaseEnd(): Promise<Partial<LaneRow>> {
    return Promise.resolve({ leaseUntil: ago(1) as unknown as number });
  }

  private async read<Row>(sql: string, id: string): Promise<Row[]> {
    const rows = await this.database.rows<Record<string, unknown>>(sql, [id]);
    return rows.map(
      (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value])) as Row,
    );
  }
}

/** The tables of a database in memory. */
export class MemorySendingTables extends SendingTables {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  addSender(): Promise<void> {
    return Promise.resolve();
  }

  optOut(phone: string): Promise<void> {
    this.database.tables.optOuts.push(`${this.accountId} ${phone}`);
    return Promise.resolve();
  }

  job(id: string): Promise<JobRow> {
    return Promise.resolve(structuredClone(this.database.tables.jobs.find((row) => row.id === id)!));
  }

  recipients(jobId: string): Promise<RecipientRow[]> {
    const rows = this.database.tables.recipients.filter((row) => row.jobId === jobId);
    return Promise.resolve(structuredClone(rows.sort((a, b) => a.position - b.position)));
  }

  lane(): Promise<LaneRow | undefined> {
    return Promise.resolve(this.database.tables.lanes.find((row) => row.senderId === this.senderId));
  }

  single(messageId: string): Promise<SingleSendRow> {
    return Promise.resolve(this.database.tables.singleSends.find((row) => row.messageId === messageId)!);
  }

  change<T extends keyof Rows>(table: T, key: Partial<Rows[T]>, changes: Partial<Rows[T]>): Promise<void> {
    const matches = (row: object): boolean =>
      Object.entries(key).every(([name, value]) => (row as Record<string, unknown>)[name] === value);
    for (const row of this.database.tables[table].filter(matches)) Object.assign(row, changes);
    return Promise.resolve();
  }

  protected insert<T extends keyof Rows>(table: T, rows: Rows[T][]): Promise<void> {
    (this.database.tables[table] as Tables[T] & { push(...rows: Rows[T][]): number }).push(...rows);
    return Promise.resolve();
  }

  protected leaseEnd(): Promise<Partial<LaneRow>> {
    return Promise.resolve({ leaseUntil: ago(1).getTime() });
  }
}

function withKind(table: keyof Rows, rows: object[]): object[] {
  return table === 'jobs' ? rows.map((row) => ({ ...row, kind: 'Import' })) : rows;
}

function columnValue(value: unknown): unknown {
  // Of the lists, weekdays alone are no JSON.
  return Array.isArray(value) && typeof value[0] !== 'number' ? JSON.stringify(value) : value;
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
