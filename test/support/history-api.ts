import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { FileExports } from '../../src/infra/http/edge/file-exports';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { CloudApiReadReceipts } from '../../src/modules/chat-history/adapters/cloud-api-read-receipts';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { ConversationsController } from '../../src/modules/chat-history/adapters/conversations.controller';
import { MessagesController } from '../../src/modules/messages/adapters/messages.controller';
import { PostgresConversationErasureStore } from '../../src/modules/chat-history/adapters/postgres-conversation-erasure-store';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { PostgresQuickReplyStore } from '../../src/modules/chat-history/adapters/postgres-quick-reply-store';
import { QuickRepliesController } from '../../src/modules/chat-history/adapters/quick-replies.controller';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { ConversationErasure } from '../../src/modules/chat-history/domain/conversation-erasure';
import { ConversationErasureStore } from '../../src/modules/chat-history/domain/conversation-erasure-store.port';
import { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import { ConversationsService } from '../../src/modules/chat-history/domain/conversations.service';
import type { StoredMessage } from '../../src/modules/messages/domain/stored-message';
import { ConversationMessages } from '../../src/modules/messages/domain/conversation-messages';
import { MessageArchive } from '../../src/modules/messages/domain/message-archive.port';
import { MessageSearch } from '../../src/modules/messages/domain/message-search';
import { MessageTexts } from '../../src/modules/messages/domain/message-texts';
import { LaterMessages } from '../../src/modules/chat-history/domain/later-messages';
import { QuickRepliesService } from '../../src/modules/chat-history/domain/quick-replies.service';
import { QuickReplyStore } from '../../src/modules/chat-history/domain/quick-reply-store.port';
import { ReadMarks } from '../../src/modules/chat-history/domain/read-marks';
import { ReadReceipts } from '../../src/modules/chat-history/domain/read-receipts.port';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { PhoneFilters } from '../../src/modules/groups/domain/phone-filters';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PostgresInboundMediaStore } from '../../src/modules/media/adapters/postgres-inbound-media-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { MediaInMemory } from '../fakes/media-in-memory';
import { knownNumbersOn, optOutsOn } from './opt-outs-on';

const API = '/api/v1/messaging';

/** The fields of a message that a test sets; the rest has defaults. */
export type MessageDraft = Partial<Omit<StoredMessage, 'id' | 'accountId' | 'conversationId'>> & {
  contactPhone?: string | null;
};

/** The history over HTTP, on a real database, with the platform at `platformUrl`. */
export class HistoryApi {
  caller: Caller;
  app: NestExpressApplication;
  sender: Sender;
  hasSeveralSenders = false;
  private platform: CloudApiClient;

  constructor(
    readonly database: Database,
    private readonly platformUrl: string,
  ) {}

  async start(): Promise<void> {
    const { database } = this;
    this.platform = new CloudApiClient({ baseUrl: this.platformUrl, version: 'v25.0', timeoutMs: 2000 });
    const unitOfWork = new TypeOrmUnitOfWork(database);
    const media = new InboundMedia(new PostgresInboundMediaStore(database), new MediaInMemory(), unitOfWork);
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [ConversationsController, MessagesController, QuickRepliesController],
      providers: [
        ConversationsService,
        LaterMessages,
        FileExports,
        ConversationMessages,
        MessageSearch,
        MessageTexts,
        ReadMarks,
        QuickRepliesService,
        { provide: QuickReplyStore, useClass: PostgresQuickReplyStore },
        { provide: IdempotencyKeys, useValue: new IdempotencyKeys({} as Database, new SystemClock()) },
        ConversationErasure,
        AuditLogService,
        { provide: AuditStore, useClass: PostgresAuditStore },
        TemplatesService,
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: unitOfWork },
        { provide: Clock, useClass: SystemClock },
        { provide: CloudApiClient, useValue: this.platform },
        { provide: ConversationStore, useClass: PostgresConversationStore },
        { provide: MessageArchive, useClass: PostgresMessageArchive },
        { provide: ConversationErasureStore, useClass: PostgresConversationErasureStore },
        { provide: ReadReceipts, useClass: CloudApiReadReceipts },
        { provide: TemplateStore, useClass: PostgresTemplateStore },
        { provide: InboundMedia, useValue: media },
        { provide: OptOutsService, useValue: optOutsOn(database) },
        PhoneFilters,
        { provide: PhoneBook, useClass: AccountPhoneBook },
        { provide: KnownNumbers, useValue: knownNumbersOn(database) },
        {
          provide: SendersService,
          useValue: {
            ofAccount: () => Promise.resolve(this.sender),
            recorded: () => Promise.resolve(this.sender),
            hasSeveral: () => Promise.resolve(this.hasSeveralSenders),
          },
        },
      ],
    }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    this.app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = this.caller;
      next();
    });
    await this.app.listen(0, '127.0.0.1');
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.platform.close();
  }

  /** Switches to a new account. */
  async newAccount(): Promise<string> {
    const accountId = uuidV7();
    this.caller = { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
    const { phoneNumberId, businessAccountId, accessToken } = SANDBOX_CREDENTIALS;
    this.sender = {
      ...{ id: accountId, accountId, phoneNumberId, businessAccountId, accessToken },
      sendingPaused: false,
    } as Sender;
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    return accountId;
  }

  get(path: string): request.Test {
    return request(this.app.getHttpServer()).get(API + path);
  }

  post(path: string, body?: object): request.Test {
    const call = request(this.app.getHttpServer()).post(API + path);
    return body === undefined ? call : call.send(body);
  }

  patch(path: string, body: object): request.Test {
    return request(this.app.getHttpServer())
      .patch(API + path)
      .send(body);
  }

  delete(path: string): request.Test {
    return request(this.app.getHttpServer()).delete(API + path);
  }

  /** Reads a list to its end; returns the ids and the number of calls. */
  async all(path: string, limit: number): Promise<{ ids: string[]; calls: number }> {
    const ids: string[] = [];
    let cursor: string | null = null;
    let calls = 0;
    do {
      const more = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body } = (await this.get(path + more).expect(200)) as {
        body: { items: { id: string }[]; nextCursor: string | null };
      };
      ids.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
      calls++;
    } while (cursor !== null);
    return { ids, calls };
  }

  /** Adds a template `Hello {{1}}`; returns its revision. */
  async newTemplate(bodyText = 'Hello {{1}}'): Promise<string> {
    const [templateId, revisionId] = [uuidV7(), uuidV7()];
    const components = {
      ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, bodyText, footerText: 'Acme' },
      ...{ buttons: [], offer: null, cards: [], unsupported: [] },
    };
    await this.database.transaction(async () => {
      await this.database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, $4, 'en_US', 'Utility', 'Approved', 'Positional', $3, '2')`,
        [templateId, this.caller.accountId, revisionId, `t_${revisionId}`],
      );
      await this.database.execute(`INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, $3)`, [
        revisionId,
        templateId,
        JSON.stringify(components),
      ]);
    });
    return revisionId;
  }

  /** Adds a message and updates its conversation if it is the latest one, like the service does. */
  async newMessage(draft: MessageDraft = {}): Promise<string> {
    const message = {
      direction: 'Inbound',
      type: 'Text',
      contactPhone: '4915112345678',
      userId: null,
      status: 'Received',
      createdAt: new Date(),
      ...draft,
    };
    const id = uuidV7(message.createdAt.getTime());
    const conversation = this.conversationOf((message.contactPhone ?? message.userId)!);
    const content = message.extras ?? message.content ?? null;
    await this.database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id,
         template_name, language_code, revision_id, parameters, content, status, problem, problem_message,
         platform_code, platform_message_id, reference, job_id, row_number, created_at, sent_at, delivered_at, read_at,
         failed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
         $24, $25)`,
      [
        ...[id, this.caller.accountId, conversation, message.direction, message.type, message.contactPhone],
        ...[message.userId, message.templateName, message.languageCode, message.revisionId],
        ...[message.parameters && JSON.stringify(message.parameters), content && JSON.stringify(content)],
        ...[message.status, message.problem?.code, message.problem?.message, message.problem?.platformCode],
        ...[message.platformMessageId, message.reference, message.jobId, message.rowNumber, message.createdAt],
        ...[message.sentAt, message.deliveredAt, message.readAt, message.failedAt],
      ],
    );
    const isInbound = message.direction === 'Inbound';
    await this.database.execute(
      `INSERT INTO conversations AS c (id, account_id, contact_phone, contact_user_id, last_message_id, last_message_at,
         last_direction, unread_count, window_expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET last_message_id = $5, last_message_at = $6, last_direction = $7,
         unread_count = c.unread_count + $8, window_expires_at = COALESCE($9, c.window_expires_at)`,
      [
        ...[conversation, this.caller.accountId, message.contactPhone, message.userId, id, message.createdAt],
        ...[message.direction, isInbound ? 1 : 0],
        isInbound ? new Date(message.createdAt.getTime() + 86_400_000) : null,
      ],
    );
    return id;
  }

  /** Adds messages one minute apart, oldest first. */
  async newMessages(count: number, draft: (index: number) => MessageDraft = () => ({})): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const createdAt = new Date(Date.now() - (count - index) * 60_000);
      ids.push(await this.newMessage({ createdAt, content: { text: `Text ${index}` }, ...draft(index) }));
    }
    return ids;
  }

  /** A contact of the account by phone number or user id. */
  async newContact(
    name: string | null,
    { phone, userId, username }: { phone?: string; userId?: string; username?: string },
  ): Promise<void> {
    await this.database.execute(
      `INSERT INTO contacts (id, account_id, phone, phone_key, user_id, name, username)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [uuidV7(), this.caller.accountId, phone ?? null, phone ?? null, userId ?? null, name, username],
    );
  }

  /** The id of the conversation with a person. */
  conversationOf(person: string): string {
    return conversationId(this.caller.accountId, person);
  }
}
