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

/** What the database says when it does not do what it was asked. */
export class DatabaseError extends Error {}

/** A row of `messages`, as far as histories look at it. */
export interface MessageState {
  id: string;
  jobId: string | null;
  status: string;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/** A row of `webhook_outbox`: events, one in each line. */
export interface OutboxRow {
  id: string;
  payload: string;
}

/** A person whom the platform has named by number and user id, as a row of `conversations` holds it. */
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

/** A row of `erasures`; moments are milliseconds since 1970. */
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

/** A row of `idempotency_keys`: whose request may create a resource. */
export interface ClaimRow {
  token: number;
  isSealed: boolean;
}

/** A row of `job_status_deltas`. */
export type StatusDeltaRow = StatusDelta & { id: string };

/** A row of `tier_conversations`: whom a portfolio has written to, when, and with which message; null where several rely on it. */
export interface Conversation {
  portfolioId: string;
  person: string;
  /** In the distant past where it was given back. */
  at: number;
  messageId: string | null;
}

/** A change that a commit made visible. */
export interface Change<T extends object = object> {
  row: Row<T>;
  before: T | null;
  after: T;
}

/** How the way to the database fails. */
export interface DatabaseFaults {
  /** That a statement is not carried out, or carried out without its answer reaching the process. */
  refused: number;
  answerLost: number;
  /** How long a statement takes typically, and at most. */
  latencyMs: number;
  longestMs: number;
}

/** The way of one process to the database. */
export interface DatabaseLink {
  faults: DatabaseFaults;
  /** Nothing gets through. */
  cutOff: boolean;
  /** The statement that is never carried out. */
  refuses: string | null;
  /** By how much longer the next statement takes. */
  delayMs: number;
  /** Looks up what no table of the engine holds. */
  read<T>(name: string, look: () => T): Promise<T>;
}

/** Whose stores they are, and how long unknown outcomes may settle. */
export interface StoreTerms {
  owner: string;
  /** There is no other process. */
  exclusive: boolean;
  graceMs: number;
  /** How long somebody who was written to counts against a messaging tier. */
  tierWindowMs: number;
  /** How long a day of a pause lasts. */
  dayMs: number;
  /** How many recipients a statement of a proof reads. */
  proofRange: number;
}

/** A process with its dice and its place in the trace. */
export interface LinkEnd {
  life: Life;
  dice: Dice;
  trace: (line: () => string) => void;
}

/** What a process keeps in the database. */
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
  /** Null where histories have no endpoints. */
  events: { store: DeliveryStore; audit: AuditLogService } | null;
  /** Null where histories cannot restore the database. */
  restoredDatabase: RestoredDatabase | null;
  /** Null where people ask for nothing. */
  people: PeopleStores | null;
  /** Null where everybody has a number only. */
  identities: IdentityStores | null;
  /** Null where nothing is counted and streamed. */
  observation: ObservationStores | null;
}

/** What a database knows of itself. */
export interface IdentityRow {
  /** The service has noticed where it runs, and stopped what had to be stopped. */
  isKnown: boolean;
}

/** A copy of a database; moments are virtual time, null before them. */
export interface DatabaseBackup {
  readonly identity: Row<IdentityRow>;
  readonly takenAt: number | null;
  readonly restoredAt: number | null;
  take(): void;
  restore(): void;
}

/** The database of a history as its checks see it: every row as it was last committed. */
export abstract class HistoryDatabase {
  readonly lanes = new Table<LaneRow>('sender_lanes');
  readonly workers = new Table<WorkerRow>('lane_workers');
  readonly jobs = new Table<JobRow>('bulk_jobs');
  readonly recipients = new Map<string, Row<RecipientRow>[]>();
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
  /** Null where the checks do not see these rows. */
  readonly statusDeltas: Table<StatusDeltaRow> | null = null;
  /** Null where histories cannot restore it. */
  readonly backup: DatabaseBackup | null = null;
  /** Null where histories have no endpoints. */
  readonly webhooks: ObservedWebhooks | null = null;
  /** Its processes count activity and stream the progress of jobs. */
  readonly isObserved: boolean = false;
  /** It can be reached by nobody. */
  away = false;
  /** Called after each commit with what it changed; `owner` is null where a client did it. */
  onCommit: (owner: Life | null, changes: Change[]) => void = () => undefined;

  constructor(readonly scheduler: Timeline) {}

  now(): Date {
    return this.scheduler.dateAt(this.scheduler.now);
  }

  recipientsOf(jobId: string): Row<RecipientRow>[] {
    return this.recipients.get(jobId) ?? [];
  }

  /** The stores of a process that starts. */
  abstract connect(end: LinkEnd, terms: StoreTerms): ProcessStores;
  /** Puts a job there as its import leaves it. */
  abstract addJob(job: JobRow, recipients: readonly RecipientRow[], optedOut: readonly string[]): Promise<void>;
  /** A person opts out, unless the database is unavailable just then. */
  abstract optOut(accountId: string, phone: string): Promise<void>;
  /** Sets the status of an unfinished job that is in one of `from`; whether it was. */
  abstract setStatus(jobId: string, from: readonly string[], to: string): Promise<boolean>;
  /** The server goes down: every open transaction is undone. */
  abstract crash(): void;
  /** Ends the transactions of a connection whose other side is gone; what it asked before is still done. */
  abstract hangUp(owner: Life): void;
  /** Undoes what a silent client has had open for too long. */
  abstract watchIdle(owner: Life): void;
}
