import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { CloudApiMessageSender } from '../../src/modules/sending/adapters/cloud-api-message-sender';
import { InProcessRateLimiter } from '../../src/modules/sending/adapters/in-process-rate-limiter';
import { SendTemplateController } from '../../src/modules/sending/adapters/send-template.controller';
import { DirectSends } from '../../src/modules/sending/domain/direct-sends';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import { RateLimiter } from '../../src/modules/sending/domain/rate-limiter.port';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import { SendingService } from '../../src/modules/sending/domain/sending.service';
import { CloudApiTemplateDirectory } from '../../src/modules/templates/adapters/cloud-api-template-directory';
import { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import type { TemplateSync } from '../../src/modules/templates/domain/template-sync';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { SyncLeasesInMemory, TemplatesInMemory, templateSyncWith } from '../fakes/templates-in-memory';
import { optOutsOn } from './opt-outs-on';
import { Client } from './process/client';
import { Platform } from './process/platform';
import { statusParts } from './status-parts';

/** Endpoint 2 over HTTP on a real database, for an account with a sender and the templates of a sandbox. */
export class SendTemplateApi {
  readonly optOuts: OptOutsService;
  platform: Platform;
  sender: Sender;
  /** Further accounts' values, by account. */
  private readonly others = new Map<string, Sender>();
  private readonly leases = new SyncLeasesInMemory();
  private readonly templates = new TemplatesInMemory(this.leases);
  private sync: TemplateSync;
  private cloudApi: CloudApiClient;
  private app: NestExpressApplication;

  constructor(private readonly database: Database) {
    this.optOuts = optOutsOn(database);
  }

  async start(): Promise<Client> {
    this.platform = await Platform.start();
    this.cloudApi = new CloudApiClient({ baseUrl: this.platform.url, version: 'v25.0', timeoutMs: 3000 });
    const senders = {
      ofAccount: (accountId: string) => Promise.resolve(this.senderOf(accountId)),
      recorded: (accountId: string) => Promise.resolve(this.senderOf(accountId)),
      allOf: (accountId: string) => Promise.resolve([this.senderOf(accountId)]),
      problemOf: () => null,
      markTemplatesSynced: () => Promise.resolve(),
      recordAccess: () => undefined,
      recordRefusal: () => undefined,
    } as Partial<SendersService> as SendersService;
    this.sync = this.templateSync(senders);
    await this.newSender((sender) => (this.sender = sender));
    const pace = new InProcessRateLimiter(new SystemClock(), {
      alone: true,
      requestLane: () => undefined,
      laneWaitMs: 0,
    });
    const parts = await statusParts(this.database, {
      imports: [DiscoveryModule],
      controllers: [SendTemplateController],
      providers: [
        DirectSends,
        IdempotencyKeys,
        SendGateway,
        SendingService,
        TrafficMarks,
        { provide: MessageSender, useValue: new CloudApiMessageSender(this.cloudApi, new SystemClock()) },
        { provide: RateLimiter, useValue: pace },
        { provide: SendersService, useValue: senders },
        { provide: TemplateStore, useValue: this.templates },
      ],
    }).compile();
    this.app = parts.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    this.app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      const { accountId } = this.senderOf(incoming.get('x-api-key')!);
      incoming.caller = { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
      next();
    });
    await this.app.listen(0, '127.0.0.1');
    return new Client({ api: `${await this.app.getUrl()}/api/v1/messaging` });
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.cloudApi.close();
    await this.platform.close();
  }

  /** Adds an account with a sender; its key is the account id. */
  async addAccount(): Promise<string> {
    return this.newSender((sender) => this.others.set(sender.accountId, sender));
  }

  private senderOf(accountId: string): Sender {
    return this.others.get(accountId) ?? this.sender;
  }

  /** Creates an account with the sandbox's templates; returns its id. */
  private async newSender(keep: (sender: Sender) => void): Promise<string> {
    const id = uuidV7();
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [id]);
    await this.database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, configured_messaging_tier)
       VALUES ($1::uuid, $1::uuid, $1::uuid::text, '2', '250')`,
      [id],
    );
    const { phoneNumberId, businessAccountId, accessToken } = SANDBOX_CREDENTIALS;
    keep({
      ...{ id, accountId: id, phoneNumberId, businessAccountId, accessToken, portfolioId: id },
      ...{ messagesPerSecond: 80, messagingTier: '250', sendingPaused: false },
    } as Sender);
    await this.sync.sync(id);
    return id;
  }

  private templateSync(senders: SendersService): TemplateSync {
    const { templates: store, leases } = this;
    const clock = new SystemClock();
    const directory = new CloudApiTemplateDirectory(this.cloudApi);
    const templates = new TemplatesService(store, senders, clock);
    return templateSyncWith({ senders, directory, store, leases, templates, clock });
  }
}
