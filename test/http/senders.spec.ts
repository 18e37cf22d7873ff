import { setImmediate as immediate } from 'node:timers/promises';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { HealthController } from '../../src/infra/health/health.controller';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import type { Caller, Scope } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { CloudApiPlatformNumber } from '../../src/modules/accounts/adapters/cloud-api-platform-number';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { ScopeGuard } from '../../src/modules/accounts/adapters/scope.guard';
import { SenderLimitsSchedule } from '../../src/modules/accounts/adapters/sender-limits-schedule';
import { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import {
  type NumberAccess,
  NumberRefusedError,
  type NumberState,
  NumberUnavailableError,
  PlatformNumber,
} from '../../src/modules/accounts/domain/platform-number.port';
import { UNSET_SENDER_FIELDS } from '../../src/modules/accounts/domain/sender';
import { SenderLimitsService } from '../../src/modules/accounts/domain/sender-limits.service';
import { SenderTrafficService } from '../../src/modules/accounts/domain/sender-traffic.service';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { SendersController } from '../../src/modules/sending/adapters/senders.controller';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import { SenderStatesService } from '../../src/modules/sending/domain/sender-states.service';
import { SubscriptionGaps } from '../../src/modules/sending/domain/subscription-gaps';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { ManualClock } from '../fakes/manual-clock';

const ACCOUNT = 'a';
const NUMBER = { phoneNumberId: '109876543210001', businessAccountId: '204876543210002' };
const TOKEN = 'sandbox-access-token';

/** A platform client that counts its calls, and fails on demand. */
class ObservedNumber extends PlatformNumber {
  asked = 0;
  fault: Error | null = null;
  /** Responses wait for it. */
  answering: Promise<void> = Promise.resolve();

  constructor(private readonly line: PlatformNumber) {
    super();
  }

  async stateOf(access: NumberAccess): Promise<NumberState> {
    this.asked++;
    await this.answering;
    if (this.fault) throw this.fault;
    return this.line.stateOf(access);
  }
}

describe('POST /senders/sync', () => {
  let sandbox: RunningSandbox;
  let client: CloudApiClient;
  let app: NestExpressApplication;
  let clock: ManualClock;
  let accounts: InMemoryAccountStore;
  let number: ObservedNumber;
  let scopes: Scope[];
  let accountId: string;

  beforeAll(async () => {
    sandbox = await startSandbox();
    client = new CloudApiClient({ baseUrl: sandbox.url, version: 'v25.0', timeoutMs: 5_000 });
  });
  afterAll(async () => {
    await client?.close();
    await sandbox?.close();
  });

  beforeEach(async () => {
    scopes = ['messaging:send'];
    accountId = ACCOUNT;
    clock = new ManualClock();
    accounts = new InMemoryAccountStore({ accessToken: TOKEN, appSecret: 'sandbox-app-secret' });
    const account = { name: 'A', plan: 'Pro', status: 'Active' as const, sendingPaused: false };
    await accounts.add(ACCOUNT, {
      ...{ ...account, defaultCountry: null, businessPortfolioId: null },
      sender: { ...UNSET_SENDER_FIELDS, ...NUMBER },
    });
    const credentials = new PlatformCredentials(TOKEN, 'sandbox-app-secret');
    number = new ObservedNumber(new CloudApiPlatformNumber(client, credentials));
    const module = await Test.createTestingModule({
      controllers: [SendersController, HealthController],
      providers: [
        HealthChecks,
        SendersService,
        SenderLimitsService,
        SenderLimitsSchedule,
        SenderStatesService,
        SubscriptionGaps,
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: AccountStore, useValue: accounts },
        { provide: Clock, useValue: clock },
        { provide: PlatformNumber, useValue: number },
        { provide: SendGateway, useValue: { currentPace: () => Promise.resolve(80) } },
        { provide: TierBudget, useValue: { useOf: () => Promise.resolve(null) } },
        { provide: SenderTrafficService, useValue: { lastWebhookAt: () => null } },
      ],
    }).compile();
    // Only what a call asks for is read from the platform here.
    const schedule = module.get(SenderLimitsSchedule);
    jest.spyOn(schedule, 'onApplicationBootstrap').mockResolvedValue();
    jest.spyOn(schedule, 'onApplicationShutdown').mockResolvedValue();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 10, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = { accountId, scopes } as unknown as Caller;
      next();
    });
    await app.listen(0, '127.0.0.1');
  });
  afterEach(() => app.close());

  const sync = () => request(app.getHttpServer()).post('/api/v1/messaging/senders/sync');
  const onPlatform = (change: object) =>
    fetch(`${sandbox.url}/sandbox/config`, {
      method: 'POST',
      body: JSON.stringify({ senders: [{ ...NUMBER, ...change }] }),
    });
  const degraded = async () => {
    const { body } = await request(app.getHttpServer()).get('/health/ready').expect(200);
    return (body as { degraded: boolean }).degraded;
  };

  it('returns the current state on the platform immediately', async () => {
    await onPlatform({ messagesPerSecond: 1000, messagingLimitTier: 'TIER_10K' });
    const { body } = await sync().expect(200);
    const first = { messagesPerSecond: 1000, messagingTier: '10000', qualityRating: 'Green', problem: null };
    expect(body).toEqual({
      items: [
        {
          ...first,
          ...{ displayPhoneNumber: '+49 30 900000001', phoneNumberId: NUMBER.phoneNumberId, rateNow: 80 },
          ...{ tierUsed: null, roomAt: null, lastWebhookAt: null, missingSubscriptions: [] },
        },
      ],
    });

    await onPlatform({ messagesPerSecond: 80, messagingLimitTier: 'TIER_1K' });
    clock.advance(9_999);
    expect((await sync().expect(200)).body).toMatchObject({ items: [first] });
    expect(number.asked).toBe(1);
    clock.advance(1);
    expect((await sync().expect(200)).body).toMatchObject({
      items: [{ messagesPerSecond: 80, messagingTier: '1000' }],
    });
    expect(number.asked).toBe(2);
  });

  it('requests the platform once for concurrent calls', async () => {
    let answer!: () => void;
    number.answering = new Promise((resolve) => (answer = resolve));
    const limits = app.get(SenderLimitsService);
    const first = limits.readAtRequest(ACCOUNT);
    await immediate();
    // However long the platform takes.
    clock.advance(60_000);
    const second = limits.readAtRequest(ACCOUNT);
    await immediate();
    expect(number.asked).toBe(1);
    answer();
    await Promise.all([first, second]);
    expect((await sync()).status).toBe(200);
    expect(number.asked).toBe(1);
  });

  it('reports a refused token, which degrades readiness, until it is replaced', async () => {
    await accounts.change(ACCOUNT, { sender: { accessToken: 'ended' } });
    expect(await degraded()).toBe(false);
    for (let times = 0; times < 2; times++) {
      const { body } = await sync().expect(422);
      expect(body).toMatchObject({
        code: 'platform_credentials_invalid',
        message: expect.stringMatching(/refuses the access token .* PATCH/),
        platformCode: 190,
      });
    }
    expect(number.asked).toBe(1);
    expect(await degraded()).toBe(true);

    await accounts.change(ACCOUNT, { sender: { accessToken: null } });
    app.get(SendersService).forget();
    expect((await sync().expect(200)).body).toMatchObject({ items: [{ problem: null }] });
    expect([number.asked, await degraded()]).toEqual([2, false]);
  });

  it('reports an unreachable platform or an unknown number, and retries after 10 s', async () => {
    number.fault = new NumberUnavailableError('ECONNREFUSED');
    const { body, headers } = await sync().expect(503);
    expect(body).toMatchObject({ code: 'platform_unavailable', message: expect.stringContaining('ECONNREFUSED') });
    expect(headers['retry-after']).toBe('5');
    await sync().expect(503);
    expect(number.asked).toBe(1);

    clock.advance(10_000);
    number.fault = new NumberRefusedError('Unsupported get request (code 100)', null, 100);
    expect((await sync().expect(422)).body).toMatchObject({ code: 'platform_rejected', platformCode: 100 });
    expect([number.asked, await degraded()]).toEqual([2, false]);
  });

  it('does not cache its own failures', async () => {
    const record = jest.spyOn(accounts, 'recordLimits').mockRejectedValueOnce(new Error('away'));
    await sync().expect(500);
    await sync().expect(200);
    expect(record).toHaveBeenCalledTimes(2);
  });

  it('needs a sender, and the scope messaging:send', async () => {
    accountId = 'without';
    expect((await sync().expect(422)).body.code).toBe('sender_missing');
    accountId = ACCOUNT;
    scopes = ['messaging:read', 'jobs:read', 'templates:manage'];
    expect((await sync().expect(403)).body).toMatchObject({
      code: 'missing_scope',
      requiredScope: 'messaging:send',
    });
    expect(number.asked).toBe(0);
  });
});
