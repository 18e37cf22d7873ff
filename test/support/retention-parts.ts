import { unreadAuditLog } from './audit';
import type { Database } from '../../src/infra/database/database';
import { MessagePartitions } from '../../src/modules/messages/adapters/message-partitions';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { Clock } from '../../src/kernel/clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { StoredResponseDeletion } from '../../src/modules/accounts/adapters/stored-response-deletion';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { AccountRecords } from '../../src/modules/accounts/adapters/account-records';
import { AccountArchive } from '../../src/modules/accounts/domain/account-archive';
import { AccountDeletion } from '../../src/modules/accounts/domain/account-deletion';
import { AccountJobs } from '../../src/modules/bulk-jobs/adapters/account-jobs';
import { AccountActivity } from '../../src/modules/delivery/adapters/account-activity';
import { AccountConversations } from '../../src/modules/chat-history/adapters/account-conversations';
import { AccountContacts } from '../../src/modules/groups/adapters/account-contacts';
import { AccountEndpoints } from '../../src/modules/events/adapters/account-endpoints';
import { AccountMedia } from '../../src/modules/media/adapters/account-media';
import { AccountMessages } from '../../src/modules/messages/adapters/account-messages';
import { AccountTemplates } from '../../src/modules/templates/adapters/account-templates';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { PostgresHistoryTermStore } from '../../src/modules/accounts/adapters/postgres-history-term-store';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { HistoryTerms } from '../../src/modules/accounts/domain/history-terms';
import { ConversationRetention } from '../../src/modules/chat-history/adapters/conversation-retention';
import { RecipientKeyBackfill } from '../../src/modules/bulk-jobs/adapters/recipient-key-backfill';
import { RecipientRetention } from '../../src/modules/bulk-jobs/adapters/recipient-retention';
import { AuditRetention } from '../../src/modules/messages/adapters/audit-retention';
import { PostgresExpiredMessages } from '../../src/modules/messages/adapters/postgres-expired-messages';
import { PostgresRetentionTurns } from '../../src/modules/messages/adapters/postgres-retention-turns';
import { MessageRetention } from '../../src/modules/messages/domain/message-retention';
import { RetentionTelemetry } from '../../src/modules/messages/domain/retention-telemetry';
import { Retention } from '../../src/modules/messages/domain/retention-rounds';
import { PostgresInboundMediaStore } from '../../src/modules/media/adapters/postgres-inbound-media-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { SingleSendRetention } from '../../src/modules/sending/adapters/single-send-retention';
import { TierRetention } from '../../src/modules/sending/adapters/tier-retention';
import { MediaInMemory } from '../fakes/media-in-memory';

/** A stopped clock whose pauses take one turn of the event loop. */
export class StoppedClock extends Clock {
  constructor(private readonly time = new Date()) {
    super();
  }

  now(): Date {
    return this.time;
  }

  monotonic(): number {
    return 0;
  }

  sleep(): Promise<void> {
    return this.turn();
  }
}

/** Records all calls. */
class RecordingRetentionTelemetry extends RetentionTelemetry {
  readonly rounds: Record<string, number>[] = [];
  readonly failures: string[] = [];
  readonly counts: Record<string, number> = {};

  deleted(kind: string, count: number): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + count;
  }

  finished(counts: ReadonlyMap<string, number>): void {
    this.rounds.push(Object.fromEntries(counts));
  }

  failed(kind: string | null, accountId: string | null, error: unknown): void {
    this.failures.push(`${kind} ${accountId} ${String(error)}`);
  }
}

/** Retention with all its parts, on one database. */
export class RetentionParts {
  readonly telemetry = new RecordingRetentionTelemetry();
  readonly retention: Retention;
  readonly terms: HistoryTerms;
  readonly partitions: MessagePartitions;
  readonly media: InboundMedia;
  readonly store: PostgresExpiredMessages;
  readonly accounts: TypeOrmAccountStore;
  readonly deletion: AccountDeletion;
  readonly archive: AccountArchive;
  readonly files = new MediaInMemory();

  constructor(
    readonly database: Database,
    clock: Clock = new StoppedClock(),
  ) {
    const unitOfWork = new TypeOrmUnitOfWork(database);
    this.terms = new HistoryTerms(
      new PostgresHistoryTermStore(database),
      new TypeOrmUnitOfWork(database),
      unreadAuditLog(),
    );
    this.partitions = new MessagePartitions(database, clock);
    this.media = new InboundMedia(new PostgresInboundMediaStore(database), this.files, unitOfWork);
    this.store = new PostgresExpiredMessages(database);
    this.accounts = new TypeOrmAccountStore(database, new SecretBox(Buffer.alloc(32)), new PlatformCredentials('', ''));
    this.deletion = new AccountDeletion(this.accounts);
    this.retention = new Retention(
      this.terms,
      new PostgresRetentionTurns(database),
      this.partitions,
      this.telemetry,
      clock,
      this.deletion,
    );
    const messages = new MessageRetention(this.retention, this.store, this.media, unitOfWork, this.deletion);
    this.archive = new AccountArchive(this.accounts);
    new AccountRecords(database, this.deletion, this.archive);
    new AccountConversations(database, this.deletion, this.archive);
    new AccountJobs(database, this.deletion, this.archive);
    new AccountContacts(database, this.deletion, this.archive);
    new StoredResponseDeletion(new IdempotencyKeys(database, clock), this.deletion);
    new AccountTemplates(database, this.deletion, this.archive);
    new AccountActivity(database, this.deletion, this.archive);
    new AccountMessages(database, this.archive);
    new AccountEndpoints(database, this.archive);
    new AccountMedia(database, this.files, this.archive);
    new ConversationRetention(this.retention, database, unitOfWork).onApplicationBootstrap();
    new SingleSendRetention(messages, database).onApplicationBootstrap();
    const audit = new AuditLogService(new PostgresAuditStore(database), clock);
    new AuditRetention(this.retention, audit).onApplicationBootstrap();
    new TierRetention(this.retention, database).onApplicationBootstrap();
    new RecipientRetention(this.retention, messages, database).onApplicationBootstrap();
    new RecipientKeyBackfill(this.retention, database, clock).onApplicationBootstrap();
  }

  /** Runs a round immediately, even if none is due; returns whether it did. */
  async round(): Promise<boolean> {
    await this.database.execute(`UPDATE retention_turn SET due_at = '-infinity'`);
    return this.retention.round(new AbortController().signal);
  }
}

/** A message to store in the history. */
export interface StoredMessage {
  accountId: string;
  /** Days ago. */
  age: number;
  /** Age of the id in days; by default that of the message. */
  idAge?: number;
  conversationId?: string;
  jobId?: string;
  direction?: 'Inbound' | 'Outbound';
}

const DAY_MS = 86_400_000;

/** The time this many days ago. */
export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

/** Stores messages with their conversations; returns their ids. */
export async function storeMessages(database: Database, messages: readonly StoredMessage[]): Promise<string[]> {
  const rows = messages.map((message) => ({
    ...message,
    id: uuidV7(daysAgo(message.idAge ?? message.age).getTime()),
    at: daysAgo(message.age),
    conversationId: message.conversationId ?? uuidV7(),
  }));
  for (let from = 0; from < rows.length; from += 2_000) {
    const some = rows.slice(from, from + 2_000);
    await database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, created_at, job_id)
       SELECT id, account, conversation, direction, 'Template', 'Sent', at, job
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[])
         AS m (id, account, conversation, direction, at, job)`,
      [
        some.map(({ id }) => id),
        some.map(({ accountId }) => accountId),
        some.map(({ conversationId }) => conversationId),
        some.map(({ direction }) => direction ?? 'Outbound'),
        some.map(({ at }) => at),
        some.map(({ jobId }) => jobId ?? null),
      ],
    );
    await database.execute(
      `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction)
       SELECT DISTINCT ON (conversation) conversation, account, id, at, 'Outbound'
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) AS m (id, account, conversation, at)
       ORDER BY conversation, at DESC
       ON CONFLICT (id) DO UPDATE SET last_message_at = GREATEST(conversations.last_message_at, EXCLUDED.last_message_at)`,
      [
        some.map(({ id }) => id),
        some.map(({ accountId }) => accountId),
        some.map(({ conversationId }) => conversationId),
        some.map(({ at }) => at),
      ],
    );
  }
  return rows.map(({ id }) => id);
}
