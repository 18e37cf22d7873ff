import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { unreadAuditLog } from './audit';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { FileExports } from '../../src/infra/http/edge/file-exports';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { Plans } from '../../src/modules/accounts/domain/plans';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { BulkJobsController } from '../../src/modules/bulk-jobs/adapters/bulk-jobs.controller';
import { BulkSendsController } from '../../src/modules/bulk-jobs/adapters/bulk-sends.controller';
import { FileUploadInterceptor, UploadLimit } from '../../src/infra/http/uploads/file-upload.decorator';
import { JobReportsController } from '../../src/modules/bulk-jobs/adapters/job-reports.controller';
import { JobRetriesController } from '../../src/modules/bulk-jobs/adapters/job-retries.controller';
import { PostgresTimeZones } from '../../src/modules/bulk-jobs/adapters/postgres-time-zones';
import { TimeZones } from '../../src/modules/bulk-jobs/domain/time-zones.port';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { PostgresJobFailureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-failure-store';
import { PostgresJobIntakeStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-intake-store';
import { UploadDirectory } from '../../src/infra/http/uploads/upload-directory';
import { BulkJobStore } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import { FileImportsService } from '../../src/modules/bulk-jobs/domain/file-imports.service';
import { ListSendsService } from '../../src/modules/bulk-jobs/domain/list-sends.service';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { PhoneFilters } from '../../src/modules/groups/domain/phone-filters';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { OptedOutRecipients } from '../../src/modules/bulk-jobs/domain/opted-out-recipients';
import { LeftOutPeople } from '../../src/modules/bulk-jobs/domain/left-out-people';
import { ReachedPeople } from '../../src/modules/bulk-jobs/domain/reached-people';
import { GroupSendsService } from '../../src/modules/bulk-jobs/domain/group-sends.service';
import { JobFailureStore } from '../../src/modules/bulk-jobs/domain/job-failures';
import { JobErasureStore } from '../../src/modules/bulk-jobs/domain/job-erasure-store.port';
import { JobIntakes } from '../../src/modules/bulk-jobs/domain/job-intakes';
import { JobIntakeStore } from '../../src/modules/bulk-jobs/domain/job-intake-store.port';
import { JobReportsService } from '../../src/modules/bulk-jobs/domain/job-reports.service';
import { RecipientChecks } from '../../src/modules/bulk-jobs/domain/recipient-checks';
import { SendForecasts } from '../../src/modules/bulk-jobs/domain/send-forecasts';
import { JobRetriesService } from '../../src/modules/bulk-jobs/domain/job-retries.service';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { GroupNotFoundError } from '../../src/modules/groups/domain/groups.errors';
import { PostgresGroupStore } from '../../src/modules/groups/adapters/postgres-group-store';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';
import { GroupsService } from '../../src/modules/groups/domain/groups.service';
import { SpreadsheetRecipientFile } from '../../src/modules/recipient-files/adapters/spreadsheet-recipient-file';
import { RecipientFile } from '../../src/modules/recipient-files/domain/recipient-file.port';
import { RecipientFiles } from '../../src/modules/recipient-files/domain/recipient-files';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { knownNumbersOn } from './opt-outs-on';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { LaterMessages } from '../../src/modules/chat-history/domain/later-messages';
import { noLaterMessages } from '../fakes/no-later-messages';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { SingleSendTimes } from '../../src/modules/sending/domain/single-sends';
import { SendableTemplate } from '../../src/modules/templates/domain/sendable-template';
import type { TemplateButton } from '../../src/modules/templates/domain/template-components';
import { TemplateNotFoundError } from '../../src/modules/templates/domain/templates.errors';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';

export const API = '/api/v1/messaging';
export const MAX_FILE_BYTES = 200_000;
export const ROWS_OF_PLAN = 5000;
export const OPEN_JOBS_OF_PLAN = 30;
export const GRACE_MS = 900_000;
const HEADERS = { promo: 'None', picture: 'Image', carousel: 'None', invoice: 'Document' } as const;
const BUTTON = { url: null, phoneNumber: null };
const INVOICE_BUTTONS: TemplateButton[] = [
  { ...BUTTON, type: 'QuickReply', text: 'Paid' },
  { ...BUTTON, type: 'Flow', text: 'Pay' },
];
const CARD = { headerFormat: 'Image' as const, bodyText: null, buttons: [] };
export const CSV = 'phone,name,order\n+4915123456781,Ann,1\n+4915123456782,Ben,2\n';

type Body = Record<string, unknown> & { errors?: { field: string; code: string }[] };

/** Field and code of each error of an error body. */
export function errorsOf(body: Body): [string, string][] | undefined {
  return body.errors?.map(({ field, code }) => [field, code]);
}

/**
 * The bulk-job endpoints over HTTP with their whole module and a real database. There are four templates: `promo` with
 * two values, `picture` with two values and an image header, `carousel` with two values and two cards with an image, and `invoice` with
 * two values, a document header, a quick-reply button and a flow.
 */
export class BulkJobsApi {
  /** Senders signalled to have work. */
  readonly runnable: string[] = [];
  /** Phones of people who have opted out. */
  optedOut = new Set<string>();
  /** Overrides of the sender. */
  sender: Partial<Sender> = {};
  /** Phone keys with an erasure in progress. */
  peopleBeingErased = new Set<string>();
  /** Called while a request looks up its template. */
  whileTemplateIsRead?: () => Promise<unknown>;
  caller: Caller;
  revisionId: string;
  /** The text of `promo` when the existing jobs were created; absent: the current one. */
  bodyOfOldJobs?: string;
  app: NestExpressApplication;

  constructor(readonly database: Database) {}

  async start(): Promise<void> {
    const { database } = this;
    const groups = new PostgresGroupStore(database);
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [BulkSendsController, BulkJobsController, JobReportsController, JobRetriesController],
      providers: [
        BulkJobsService,
        FileImportsService,
        GroupSendsService,
        ReachedPeople,
        LeftOutPeople,
        ListSendsService,
        {
          provide: ContactsService,
          useFactory: (phones: PhoneBook) => ({ listReader: phones.listReaderFor.bind(phones) }),
          inject: [PhoneBook],
        },
        PhoneFilters,
        { provide: PhoneBook, useClass: AccountPhoneBook },
        JobReportsService,
        JobRetriesService,
        JobIntakes,
        UploadDirectory,
        FileUploadInterceptor,
        FileExports,
        IdempotencyKeys,
        MessageHistory,
        SenderSignal,
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        { provide: Clock, useClass: SystemClock },
        { provide: MessageStore, useClass: PostgresMessageStore },
        { provide: BulkJobStore, useClass: PostgresBulkJobStore },
        { provide: TimeZones, useClass: PostgresTimeZones },
        { provide: SingleSendTimes, useValue: { giveUpAfterMs: 35_000, graceMs: GRACE_MS } satisfies SingleSendTimes },
        { provide: JobErasureStore, useClass: PostgresJobErasureStore },
        { provide: JobFailureStore, useClass: PostgresJobFailureStore },
        { provide: JobIntakeStore, useClass: PostgresJobIntakeStore },
        RecipientFiles,
        RecipientChecks,
        SendForecasts,
        TierBudget,
        { provide: KnownNumbers, useValue: knownNumbersOn(database) },
        { provide: AuditLogService, useValue: unreadAuditLog() },
        { provide: TierBudgetStore, useClass: PostgresTierBudgetStore },
        {
          provide: SendGateway,
          useValue: { currentPace: ({ messagesPerSecond }: Sender) => Promise.resolve(messagesPerSecond) },
        },
        {
          provide: OptOutsService,
          useValue: {
            scopesByPerson: (_: string, people: string[]) =>
              Promise.resolve(new Map(people.filter((one) => this.optedOut.has(one)).map((one) => [one, 'All']))),
          },
        },
        OptOutCheck,
        { provide: LaterMessages, useValue: noLaterMessages() },
        OptedOutRecipients,
        { provide: RecipientFile, useClass: SpreadsheetRecipientFile },
        { provide: UploadLimit, useValue: new UploadLimit(MAX_FILE_BYTES) },
        {
          provide: Plans,
          useValue: new Plans({
            Free: {
              ...{ requestsPerSecond: 1, burst: 1, maxRowsPerFile: ROWS_OF_PLAN, maxOpenJobs: OPEN_JOBS_OF_PLAN },
            },
          }),
        },
        {
          provide: SendersService,
          useValue: {
            ofAccount: (id: string) => Promise.resolve(this.senderOf(id)),
            allOf: (id: string) => Promise.resolve([this.senderOf(id)]),
            recorded: (id: string) => Promise.resolve(this.senderOf(id)),
            byId: (id: string) => Promise.resolve(this.senderOf(id)),
            hasSeveral: () => Promise.resolve(false),
          },
        },
        {
          provide: TemplatesService,
          useValue: {
            sendable: async (_: object, name: string) => {
              await this.whileTemplateIsRead?.();
              return this.templateOf(name);
            },
            revision: () => this.templateOf('promo', this.bodyOfOldJobs),
          },
        },
        {
          provide: PersonErasure,
          useValue: {
            peopleBeingErased: (_: string, since?: Date) => Promise.resolve(since ? new Set() : this.peopleBeingErased),
          },
        },
        {
          provide: GroupsService,
          useValue: {
            get: async (accountId: string, groupId: string) => {
              const group = await groups.find(accountId, groupId);
              if (!group) throw new GroupNotFoundError();
              return group;
            },
            membersOf: groups.membersOf.bind(groups),
            attributeNames: groups.attributeNames.bind(groups),
          },
        },
      ],
    }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, { maxFileBytes: MAX_FILE_BYTES, logger: pino({ level: 'silent' }) });
    this.app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = this.caller;
      next();
    });
    this.app.get(SenderSignal).onRunnable((senderId) => this.runnable.push(senderId));
    await this.app.listen(0, '127.0.0.1');
  }

  /** Switches to a new account with a sender. */
  async newAccount(): Promise<void> {
    const accountId = uuidV7();
    const templateId = uuidV7();
    const revisionId = (this.revisionId = uuidV7());
    this.sender = {};
    this.optedOut.clear();
    this.whileTemplateIsRead = undefined;
    this.caller = { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    await this.database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $1, $2, '2')`,
      [accountId, accountId],
    );
    await new TypeOrmUnitOfWork(this.database).run(async () => {
      await this.database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $3, '2')`,
        [templateId, accountId, revisionId],
      );
      await this.database.execute(
        `INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, '{}')`,
        [revisionId, templateId],
      );
    });
  }

  get(path: string): request.Test {
    return request(this.app.getHttpServer()).get(API + path);
  }

  post(path: string, body?: object): request.Test {
    return request(this.app.getHttpServer())
      .post(API + path)
      .send(body);
  }

  patch(path: string, body: object): request.Test {
    return request(this.app.getHttpServer())
      .patch(API + path)
      .send(body);
  }

  upload(
    content: string | Buffer | null,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): request.Test {
    let call = request(this.app.getHttpServer()).post(`${API}/bulk-import-messages`).set(headers);
    for (const [name, value] of Object.entries({ templateName: 'promo', ...fields })) call = call.field(name, value);
    return content === null ? call : call.attach('file', Buffer.from(content), 'peöple.csv');
  }

  /** A contact group with these contacts, in this order; who is a contact already stays as they are. */
  async newGroup(
    contacts: { phone: string; name?: string; parameters?: object; attributes?: object }[],
  ): Promise<string> {
    const groupId = uuidV7();
    await this.database.execute(
      `INSERT INTO contact_groups (id, account_id, name, contact_count) VALUES ($1, $2, $4, $3)`,
      [groupId, this.caller.accountId, contacts.length, groupId],
    );
    for (const { phone, name = null, parameters = {}, attributes = {} } of contacts) {
      await this.database.execute(
        `INSERT INTO contacts (id, account_id, phone, phone_key, name, parameters, attributes)
         VALUES ($1, $2, $3, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        [uuidV7(), this.caller.accountId, phone, name, JSON.stringify(parameters), JSON.stringify(attributes)],
      );
      await this.database.execute(
        `INSERT INTO contact_group_members (group_id, contact_id)
         SELECT $1::uuid, id FROM contacts WHERE account_id = $2 AND phone = $3`,
        [groupId, this.caller.accountId, phone],
      );
    }
    return groupId;
  }

  /** The number of jobs of the account, including invisible ones, and of orphaned recipients. */
  async leftOvers(): Promise<{ jobs: number; recipients: number } | undefined> {
    const [row] = await this.database.rows<{ jobs: number; recipients: number }>(
      `SELECT (SELECT count(*) FROM bulk_jobs WHERE account_id = $1)::int AS jobs,
         (SELECT count(*) FROM job_recipients r WHERE NOT EXISTS (SELECT FROM bulk_jobs j WHERE j.id = r.job_id))::int
           AS recipients`,
      [this.caller.accountId],
    );
    return row;
  }

  private senderOf(id: string): Partial<Sender> {
    const limits = {
      messagesPerSecond: 80,
      messagingTier: 'Unlimited',
      portfolioId: id,
      sendingPaused: false,
    } as const;
    return { id, accountId: id, defaultCountry: null, ...limits, ...this.sender };
  }

  private templateOf(name: string, bodyText = 'Hi {{1}}, your order {{2}}'): Promise<SendableTemplate> {
    if (!Object.hasOwn(HEADERS, name)) return Promise.reject(new TemplateNotFoundError(name));
    return Promise.resolve(
      new SendableTemplate({
        revisionId: this.revisionId,
        name,
        languageCode: 'en_US',
        category: 'Marketing',
        components: {
          parameterFormat: 'Positional',
          headerFormat: HEADERS[name as keyof typeof HEADERS],
          headerText: null,
          bodyText,
          footerText: null,
          buttons: name === 'invoice' ? INVOICE_BUTTONS : [],
          offer: null,
          cards: name === 'carousel' ? [CARD, CARD] : [],
          unsupported: [],
        },
      }),
    );
  }
}
