import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '../../src/modules/sending/domain/send-state';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { OutboundMessage } from '../../src/modules/messages/domain/message';

/** A row of `sender_lanes`. */
export interface LaneRow {
  senderId: string;
  epoch: number;
  owner: string | null;
  leaseUntil: number;
  throttledReason: string | null;
  throttledUntil: Date | null;
}

/** A row of `lane_workers`. */
export interface WorkerRow {
  owner: string;
  lanes: number;
  leaseUntil: number;
}

/** A row of `bulk_jobs`, as far as lanes know it. */
export interface JobRow {
  id: string;
  accountId: string;
  senderId: string;
  status: string;
  templateName: string;
  languageCode: string;
  revisionId: string;
  headerMedia: { id?: string; link?: string } | null;
  reference: string | null;
  totalRecipients: number;
  cursor: number;
  settledBelow: number;
  laneEpoch: number;
  atRest: boolean;
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
  pauseReason: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  scheduledAt: Date | null;
  sendFrom: string | null;
  sendUntil: string | null;
  sendZone: string | null;
  sendDays: number[] | null;
  validUntil: Date | null;
  throttledReason: string | null;
  throttledUntil: Date | null;
  throttledTier: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
}

/** A row of `job_recipients`. */
export interface RecipientRow {
  jobId: string;
  position: number;
  rowNumber: number;
  messageId: string;
  phone: string;
  parameters: string[];
  attempt: number;
  strikes: number;
  throttles: number;
  sendingEpoch: number | null;
  retryAt: Date | null;
  unknownSince: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  problemMessage: string | null;
  platformCode: number | null;
}

/** A row of `single_sends`. */
export interface SingleSendRow {
  messageId: string;
  senderId: string;
  attempt: number;
  strikes: number;
  throttles: number;
  sendingEpoch: number | null;
  retryAt: Date | null;
  giveUpAt: Date | null;
  unknownSince: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  needsRoom: boolean;
  validUntil: Date;
}

/** A row of `tier_conversations`. */
export interface ConversationRow {
  portfolioId: string;
  person: string;
  at: Date;
  messageId: string | null;
}

/** The tables of the sending engine. */
export interface Tables {
  lanes: LaneRow[];
  workers: WorkerRow[];
  jobs: JobRow[];
  recipients: RecipientRow[];
  singleSends: SingleSendRow[];
  messages: OutboundMessage[];
  conversations: ConversationRow[];
  /** `<account id> <phone>` */
  optOuts: string[];
}

/** How a statement or transaction fails: before anything happened, or after its commit whose answer is lost. */
export type Fault = 'refused' | 'answer lost';

interface Transaction {
  of: MemoryDatabase;
  /** The tables that it has touched, as they were before. */
  before: Partial<Tables>;
  after: (() => void)[];
  /** It commits, but whoever waits for it hears of a failure. */
  answerLost: boolean;
}

/** One for all databases: each AsyncLocalStorage makes every promise of the process dearer, for as long as it lives. */
const surroundings = new AsyncLocalStorage<Transaction>();

/** Tables in memory with one connection: transactions follow one another and a failed one leaves nothing. */
export class MemoryDatabase extends UnitOfWork {
  tables: Tables = {
    ...{ lanes: [], workers: [], jobs: [], recipients: [], singleSends: [] },
    ...{ messages: [], conversations: [], optOuts: [] },
  };
  /** The database cannot be reached. */
  away = false;
  /** What each call takes beyond its own work; null: no time. */
  delay: (() => Promise<void>) | null = null;
  /** Whole transactions that committed. */
  commits = 0;
  private readonly faults = new Map<string, Fault[]>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(readonly now: () => Date = () => new Date()) {
    super();
  }

  /** The next call of the store method `name` fails in this way. */
  fail(name: string, fault: Fault): void {
    this.faults.set(name, [...(this.faults.get(name) ?? []), fault]);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.current) return work();
    return this.serially(() => this.transaction(work));
  }

  afterCommit(action: () => void): void {
    const transaction = this.current;
    if (transaction) transaction.after.push(action);
    else action();
  }

  /** One call of a store, inside the surrounding transaction or as one of its own. */
  async call<T>(name: string, work: (tables: Tables) => T | Promise<T>): Promise<T> {
    if (this.delay) await this.delay();
    const fault = this.faults.get(name)?.shift();
    if (this.away || fault === 'refused') throw new Error(`${name}: the database is unavailable`);
    return this.run(async () => {
      const transaction = this.current!;
      if (fault) transaction.answerLost = true;
      return work(this.touchedBy(transaction));
    });
  }

  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.away) throw new Error('The database is unavailable');
    const transaction: Transaction = { of: this, before: {}, after: [], answerLost: false };
    let result: T;
    try {
      result = await surroundings.run(transaction, work);
      if (this.away) throw new Error('The database is unavailable');
    } catch (error) {
      Object.assign(this.tables, transaction.before);
      throw error;
    }
    this.commits++;
    surroundings.exit(() => transaction.after.forEach((action) => action()));
    if (transaction.answerLost) throw new Error('The connection was lost at the commit');
    return result;
  }

  /** The tables as a transaction sees them: each is kept as it was when the transaction first asks for it. */
  private touchedBy({ before }: Transaction): Tables {
    const keep = <Name extends keyof Tables>(name: Name): void => {
      before[name] ??= copyOf<Tables[Name][number]>(this.tables[name]) as Tables[Name];
    };
    return new Proxy(this.tables, {
      get: (tables, name: keyof Tables) => {
        keep(name);
        return tables[name];
      },
      set: (tables, name: keyof Tables, rows) => {
        keep(name);
        return Reflect.set(tables, name, rows);
      },
    });
  }

  private get current(): Transaction | null {
    const transaction = surroundings.getStore();
    return transaction?.of === this ? transaction : null;
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work, work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Rows are changed in place, what stands in their columns never is. */
function copyOf<Row>(rows: readonly Row[]): Row[] {
  return rows.map((row) => (typeof row === 'object' ? { ...row } : row));
}
