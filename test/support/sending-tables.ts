import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { personByKey } from '../../src/modules/groups/domain/opt-out';
import { ANY_HOUR } from '../fakes/lane-rows';
import type { JobRow, LaneRow, RecipientRow, SingleSendRow, WorkerRow } from '../fakes/engine-rows';
import { type DatabaseServer, newRecipient } from '../simulation/database-server';
import type { Row } from '../simulation/table';

/** Writes and reads the tables of the sending engine's stores, in any implementation. */
export abstract class SendingTables {
  accountId = uuidV7();
  senderId = uuidV7();
  revisionId = uuidV7();

  /** A sender in a new account, with a template. */
  abstract addSender(): Promise<void>;
  /** Another sender of the account; returns its id. */
  abstract addSenderOf(businessAccountId: string): Promise<string>;
  abstract optOut(person: string): Promise<void>;
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
        validForSeconds: null,
        ...{ retryOf: null, retryScope: null, importOwner: null, createdAt: new Date() },
        pausedAt: null,
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
      extras: null,
      userId: null,
      reference: null,
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

  /** A single send, waiting by default. */
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

/** The time this many seconds ago. */
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

  async addSenderOf(businessAccountId: string): Promise<string> {
    const id = uuidV7();
    await this.database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, is_default) VALUES ($1, $2, $3, $4, false)`,
      [id, this.accountId, id, businessAccountId],
    );
    return id;
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
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $3, '2')`,
        [templateId, this.accountId, this.revisionId],
      );
      await this.database.execute(
        `INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, '{}')`,
        [this.revisionId, templateId],
      );
    });
  }

  async optOut(person: string): Promise<void> {
    const { phone, userId } = personByKey(person);
    await this.database.execute(
      `INSERT INTO opt_outs (account_id, person, phone, user_id, source) VALUES ($1, $2, $3, $4, 'Api')`,
      [this.accountId, person, phone, userId],
    );
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

/** The tables of the engine's database in memory. */
export class EngineSendingTables extends SendingTables {
  constructor(private readonly server: DatabaseServer) {
    super();
  }

  addSender(): Promise<void> {
    return Promise.resolve();
  }

  addSenderOf(businessAccountId: string): Promise<string> {
    const id = uuidV7();
    this.server.businessAccounts.set(id, businessAccountId);
    return Promise.resolve(id);
  }

  optOut(person: string): Promise<void> {
    return this.server.optOut(this.accountId, person);
  }

  job(id: string): Promise<JobRow> {
    return Promise.resolve(this.server.jobs.row(id).committed!);
  }

  recipients(jobId: string): Promise<RecipientRow[]> {
    return Promise.resolve(this.server.recipientsOf(jobId).map(({ committed }) => committed!));
  }

  lane(): Promise<LaneRow | undefined> {
    return Promise.resolve(this.server.lanes.row(this.senderId).committed ?? undefined);
  }

  single(messageId: string): Promise<SingleSendRow> {
    return Promise.resolve(this.server.singles.row(messageId).committed!);
  }

  async change<T extends keyof Rows>(table: T, key: Partial<Rows[T]>, changes: Partial<Rows[T]>): Promise<void> {
    const matches = (row: Rows[T]): boolean =>
      Object.entries(key).every(([name, value]) => row[name as keyof Rows[T]] === value);
    const transaction = this.server.begin(null);
    await this.server.update(transaction, this.rows(table), matches, () => changes);
    this.server.commit(transaction);
  }

  protected insert<T extends keyof Rows>(table: T, rows: Rows[T][]): Promise<void> {
    const { jobs, recipients, singles } = this.server;
    const put: { [T in keyof Rows]?: (row: Rows[T]) => void } = {
      jobs: (row) => {
        jobs.put(row.id, row);
        recipients.set(row.id, []);
      },
      recipients: (row) => recipients.get(row.jobId)!.push(newRecipient(row)),
      singleSends: (row) => singles.put(row.messageId, row),
    };
    for (const row of rows) put[table]!(row);
    return Promise.resolve();
  }

  protected leaseEnd(): Promise<Partial<LaneRow>> {
    return Promise.resolve({ leaseUntil: ago(1).getTime() });
  }

  private rows<T extends keyof Rows>(table: T): Iterable<Row<Rows[T]>> {
    const { jobs, lanes, recipients, singles, workers } = this.server;
    const tables: { [T in keyof Rows]: Iterable<Row<Rows[T]>> } = {
      jobs: jobs.rows.values(),
      lanes: lanes.rows.values(),
      recipients: [...recipients.values()].flat(),
      singleSends: singles.rows.values(),
      workers: workers.rows.values(),
    };
    return tables[table];
  }
}

function withKind(table: keyof Rows, rows: object[]): object[] {
  return table === 'jobs' ? rows.map((row) => ({ ...row, kind: 'Import' })) : rows;
}

function columnValue(value: unknown): unknown {
  // Weekdays are the only list not stored as JSON.
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
