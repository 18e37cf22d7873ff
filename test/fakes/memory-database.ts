import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '../../src/modules/sending/domain/send-state';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { OutboundMessage } from '../../src/modules/chat-history/domain/message';

/** A row of `sender_lanes`. */
export interface LaneRow {
  senderId: string;
  epoch: number;
  owner: string | null;
  leaseUntil: number;
  throttledReason: string | null;
  throttledUntil: Date | null;
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
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
  pauseReason: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  validUntil: Date | null;
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
  validUntil: Date;
}

/** The tables of the sending engine. */
export interface Tables {
  lanes: LaneRow[];
  jobs: JobRow[];
  recipients: RecipientRow[];
  singleSends: SingleSendRow[];
  messages: OutboundMessage[];
  /** `<account id> <phone>` */
  optOuts: string[];
}

/** How a statement or transaction fails: before anything happened, or after its commit whose answer is lost. */
export type Fault = 'refused' | 'answer lost';

/** Tables in memory with one connection: transactions follow one another and a failed one leaves nothing. */
export class MemoryDatabase extends UnitOfWork {
  tables: Tables = { lanes: [], jobs: [], recipients: [], singleSends: [], messages: [], optOuts: [] };
  /** The database cannot be reached. */
  away = false;
  /** What each call takes beyond its own work; null: no time. */
  delay: (() => Promise<void>) | null = null;
  /** Whole transactions that committed. */
  commits = 0;
  private readonly faults = new Map<string, Fault[]>();
  private readonly context = new AsyncLocalStorage<{ after: (() => void)[] }>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(readonly now: () => Date = () => new Date()) {
    super();
  }

  /** The next call of the store method `name` fails in this way. */
  fail(name: string, fault: Fault): void {
    this.faults.set(name, [...(this.faults.get(name) ?? []), fault]);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.context.getStore()) return work();
    return this.serially(() => this.transaction(work));
  }

  afterCommit(action: () => void): void {
    const transaction = this.context.getStore();
    if (transaction) transaction.after.push(action);
    else action();
  }

  /** One call of a store, inside the surrounding transaction or as one of its own. */
  async call<T>(name: string, work: (tables: Tables) => T | Promise<T>): Promise<T> {
    if (this.delay) await this.delay();
    const fault = this.faults.get(name)?.shift();
    if (this.away || fault === 'refused') throw new Error(`${name}: the database is away`);
    const result = await this.run(async () => work(this.tables));
    if (fault) throw new Error(`${name}: the connection was lost at the commit`);
    return result;
  }

  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.away) throw new Error('The database is away');
    const before = copyOf(this.tables);
    const transaction = { after: [] as (() => void)[] };
    let result: T;
    try {
      result = await this.context.run(transaction, work);
      if (this.away) throw new Error('The database is away');
    } catch (error) {
      this.tables = before;
      throw error;
    }
    this.commits++;
    this.context.exit(() => transaction.after.forEach((action) => action()));
    return result;
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work, work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Rows are changed in place, what stands in their columns never is. */
function copyOf({ lanes, jobs, recipients, singleSends, messages, optOuts }: Tables): Tables {
  const copies = <Row extends object>(rows: Row[]): Row[] => rows.map((row) => ({ ...row }));
  return {
    lanes: copies(lanes),
    jobs: copies(jobs),
    recipients: copies(recipients),
    singleSends: copies(singleSends),
    messages: copies(messages),
    optOuts: [...optOuts],
  };
}
