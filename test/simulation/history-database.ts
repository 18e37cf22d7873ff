import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import type { DeliveryStore } from '../../src/modules/events/domain/delivery-store.port';
import type { Erasure } from '../../src/modules/groups/domain/erasure';
import type { OptOutRecord } from '../../src/modules/groups/domain/opt-out';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import type { StatusStore } from '../../src/modules/messages/domain/status-store.port';
import type { JobStatusStore, StatusDelta } from '../../src/modules/delivery/domain/job-status-store.port';
import type { JobScheduleStore } from '../../src/modules/delivery/domain/job-schedule-store.port';
import type { JobWindowStore } from '../../src/modules/delivery/domain/job-window-store.port';
import type { LaneJobStore } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { LaneLeases } from '../../src/modules/delivery/domain/lane-leases.port';
import type { SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import type { RestoredDatabase } from '../../src/modules/delivery/domain/restored-database.port';
import type { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import type { JobRow, LaneRow, RecipientRow, SingleSendRow, WorkerRow } from '../fakes/engine-rows';
import type { Dice } from './dice';
import type { Life } from './life';
import type { IdentityStores } from './identity-stores';
import type { ObservationStores } from './process-observation';
import type { PeopleStores } from './people-stores';
import type { Timeline } from './scheduler';
import type { ObservedWebhooks } from './observed-webhooks';
import { type Row, Table } from './table';

/** An error that the database returns. */
export class DatabaseError extends Error {}

/** The columns of `messages` that histories use. */
export interface MessageState {
  id: string;
  jobId: string | null;
  status: string;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/** A row of `webhook_outbox`; `payload` has one event per line. */
export interface OutboxRow {
  id: string;
  payload: string;
}

/** A person with number and user id: a row of `conversations`. */
export interface LinkRow {
  accountId: string;
  phone: string;
  userId: string;
}

/** A row of `opt_outs`. */
export interface OptOutRow extends OptOutRecord {
  accountId: string;
  isDeleted: boolean;
}

/** A row of `erasures`; times are milliseconds since 1970. */
export interface ErasureRow {
  id: string;
  accountId: string;
  phone: string | null;
  userId: string | null;
  requestedAt: number;
  owner: string | null;
  dueAt: number;
  round: number;
  positions: Erasure['positions'];
  isComplete: boolean;
}

/** A row of `idempotency_keys`: the request that may create the resource. */
export interface ClaimRow {
  token: number;
  isSealed: boolean;
}

/** A row of `job_status_deltas`. */
export type StatusDeltaRow = StatusDelta & { id: string };

/**
 * A row of `tier_conversations`: a person whom a portfolio has written to, the time, and the message; null where
 * several messages rely on it.
 */
export interface Conversation {
  portfolioId: string;
  person: string;
  /** In the distant past if it was given back. */
  at: number;
  messageId: string | null;
}

/** A committed change. */
export interface Change<T extends object = object> {
  row: Row<T>;
  before: T | null;
  after: T;
}

/** How the connection to the database fails. */
export interface DatabaseFaults {
  /** Probability that a statement is not executed, and that it is executed but its response is lost. */
  refused: number;
  answerLost: number;
  /** Typical and maximum duration of a statement. */
  latencyMs: number;
  longestMs: number;
}

/** The database connection of one process. */
export interface DatabaseLink {
  faults: DatabaseFaults;
  /** Blocks all traffic. */
  cutOff: boolean;
  /** The name of the statement that is never executed. */
  refuses: string | null;
  /** Additional delay of the next statement. */
  delayMs: number;
  /** Reads something that no table of the engine holds. */
  read<T>(name: string, look: () => T): Promise<T>;
}

/** The owner of the stores, and how long unknown outcomes may take to settle. */
export interface StoreTerms {
  owner: string;
  /** There is no other process. */
  exclusive: boolean;
  graceMs: number;
  /** How long a person counts against a messaging tier. */
  tierWindowMs: number;
  /** Length of a day of a pause. */
  dayMs: number;
  /** Number of recipients that one statement of a proof reads. */
  proofRange: number;
}

/** A process, with its dice and its trace. */
export interface LinkEnd {
  life: Life;
  dice: Dice;
  trace: (line: () => string) => void;
}

/** The stores of a process. */
export interface ProcessStores {
  link: DatabaseLink;
  unitOfWork: UnitOfWork;
  laneLeases: LaneLeases;
  laneJobStore: LaneJobStore;
  tierStore: TierBudgetStore;
  singleSendStore: SingleSendStore;
  messageStore: MessageStore;
  statusStore: StatusStore;
  jobStatusStore: JobStatusStore;
  jobScheduleStore: JobScheduleStore;
  jobWindowStore: JobWindowStore;
  optedOut: (accountId: string, phones: readonly string[]) => Promise<Set<string>>;
  /** Null without webhook endpoints. */
  events: { store: DeliveryStore; audit: AuditLogService } | null;
  /** Null if the database cannot be restored. */
  restoredDatabase: RestoredDatabase | null;
  /** Null without requests of people. */
  people: PeopleStores | null;
  /** Null if people have numbers only. */
  identities: IdentityStores | null;
  /** Null if nothing is counted or streamed. */
  observation: ObservationStores | null;
}

/** The identity of a database. */
export interface IdentityRow {
  /** `known` once the service has stopped what must not continue. */
  state: 'known' | 'restored' | 'lost_transactions';
  timeline: number;
}

/** A copy of a database; times are virtual, null before the event. */
export interface DatabaseBackup {
  readonly identity: Row<IdentityRow>;
  readonly takenAt: number | null;
  readonly restoredAt: number | null;
  /** When the service had first stopped what must not continue after the restore. */
  readonly noticedAt: number | null;
  take(): void;
  restore(state: Exclude<IdentityRow['state'], 'known'>): void;
}

/** The database of a history, as its checks see it: the last committed version of every row. */
export abstract class HistoryDatabase {
  readonly lanes = new Table<LaneRow>('sender_lanes');
  readonly workers = new Table<WorkerRow>('lane_workers');
  readonly jobs = new Table<JobRow>('bulk_jobs');
  readonly recipients = new Map<string, Row<RecipientRow>[]>();
  /** The business accounts that senders share, by sender. */
  readonly businessAccounts = new Map<string, string>();
  readonly singles = new Table<SingleSendRow>('single_sends');
  readonly messages = new Table<MessageState>('messages');
  readonly outbox = new Table<OutboxRow>('webhook_outbox');
  readonly erasures = new Table<ErasureRow>('erasures');
  readonly claims = new Table<ClaimRow>('idempotency_keys');
  /** By account and user id. */
  readonly links = new Table<LinkRow>('conversations');
  /** By account, person and scope. */
  readonly optOutRecords = new Table<OptOutRow>('opt_outs');
  readonly portfolios = new Table<{ id: string }>('portfolios');
  readonly conversations = new Table<Conversation>('tier_conversations');
  /** Null if the checks do not see these rows. */
  readonly statusDeltas: Table<StatusDeltaRow> | null = null;
  /** Null if it cannot be restored. */
  readonly backup: DatabaseBackup | null = null;
  /** Null without webhook endpoints. */
  readonly webhooks: ObservedWebhooks | null = null;
  /** Whether processes count activity and stream the progress of jobs. */
  readonly isObserved: boolean = false;
  /** Whether the database is unavailable. */
  away = false;
  /** Called after each commit with its changes; `owner` is null for a client's change. */
  onCommit: (owner: Life | null, changes: Change[]) => void = () => undefined;

  constructor(readonly scheduler: Timeline) {}

  now(): Date {
    return this.scheduler.dateAt(this.scheduler.now);
  }

  recipientsOf(jobId: string): Row<RecipientRow>[] {
    return this.recipients.get(jobId) ?? [];
  }

  /** The stores of a starting process. */
  abstract connect(end: LinkEnd, terms: StoreTerms): ProcessStores;
  /** Adds a job as its import leaves it. */
  abstract addJob(job: JobRow, recipients: readonly RecipientRow[], optedOut: readonly string[]): Promise<void>;
  /** Opts a person out, unless the database is unavailable. */
  abstract optOut(accountId: string, phone: string): Promise<void>;
  /** Sets the status of an unfinished job that is in one of `from`; returns whether it did. */
  abstract setStatus(jobId: string, from: readonly string[], to: string): Promise<boolean>;
  /** Stops the server: rolls back every open transaction. */
  abstract crash(): void;
  /** Ends the transactions of a closed connection; statements that were already sent are still executed. */
  abstract disconnect(owner: Life): void;
  /** Rolls back transactions that a silent client has kept open for too long. */
  abstract watchIdle(owner: Life): void;
}
