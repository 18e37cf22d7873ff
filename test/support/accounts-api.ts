import { Controller, Get, Post, Req } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { getOptionsToken, getStorageToken } from '@nestjs/throttler';
import { pino } from 'pino';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { Public, RequireScope } from '../../src/infra/http/access/access.decorators';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { configureHttp } from '../../src/infra/http/configure-http';
import type { EdgeOptions } from '../../src/infra/http/edge/edge';
import { NestLogger } from '../../src/infra/logging/nest-logger';
import { type Scope, SCOPES } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { AccountsController } from '../../src/modules/accounts/adapters/accounts.controller';
import { ApiKeyGuard } from '../../src/modules/accounts/adapters/api-key.guard';
import { ApiKeysController } from '../../src/modules/accounts/adapters/api-keys.controller';
import { AuditLogController } from '../../src/modules/accounts/adapters/audit-log.controller';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { InMemoryAuditStore } from '../fakes/in-memory-audit-store';
import { FailedAttempts } from '../../src/infra/http/limits/failed-attempts';
import { InProcessBuckets } from '../../src/infra/http/limits/in-process-buckets';
import { OwnOrigin } from '../../src/infra/http/access/own-origin';
import { ConsoleCookie } from '../../src/modules/accounts/adapters/console-cookie';
import { ConsoleSessionController } from '../../src/modules/accounts/adapters/console-session.controller';
import { ConsoleSessionStore } from '../../src/modules/accounts/domain/console-session-store.port';
import { ConsoleSessions } from '../../src/modules/accounts/domain/console-sessions';
import { IpAddressRanges } from '../../src/modules/accounts/adapters/ip-address-ranges';
import { MeController } from '../../src/modules/accounts/adapters/me.controller';
import { PlanLimitGuard, planLimits } from '../../src/modules/accounts/adapters/plan-limit.guard';
import { ScopeGuard } from '../../src/modules/accounts/adapters/scope.guard';
import { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { FileExports } from '../../src/infra/http/edge/file-exports';
import { Shutdown } from '../../src/infra/lifecycle/shutdown';
import { AccountSendersService } from '../../src/modules/accounts/domain/account-senders.service';
import { SenderChecks } from '../../src/modules/accounts/domain/sender-checks';
import { AccountSendersController } from '../../src/modules/sending/adapters/account-senders.controller';
import { SenderStatesService } from '../../src/modules/sending/domain/sender-states.service';
import { AccountsService } from '../../src/modules/accounts/domain/accounts.service';
import { AddressRanges } from '../../src/modules/accounts/domain/address-ranges.port';
import { type ApiKeyFields, generateApiKey, proofOf } from '../../src/modules/accounts/domain/api-key';
import { ApiKeyStore } from '../../src/modules/accounts/domain/api-key-store.port';
import { ApiKeysService } from '../../src/modules/accounts/domain/api-keys.service';
import { KeyAuthentication } from '../../src/modules/accounts/domain/key-authentication';
import {
  type NumberAccess,
  NumberRefusedError,
  type NumberState,
  NumberUnavailableError,
  PlatformNumber,
} from '../../src/modules/accounts/domain/platform-number.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { ImmediateUnitOfWork } from '../fakes/immediate-unit-of-work';
import { InMemoryAccountStore } from '../fakes/in-memory-account-store';
import { InMemoryApiKeyStore } from '../fakes/in-memory-api-key-store';
import { InMemoryConsoleSessionStore } from '../fakes/in-memory-console-session-store';
import { ManualClock } from '../fakes/manual-clock';

const PLANS = new Plans({
  Free: { requestsPerSecond: 5, burst: 10, maxRowsPerFile: 5_000, maxApiKeys: 3 },
  Enterprise: { requestsPerSecond: 500, burst: 1_000, maxRowsPerFile: 1_000_000 },
});

/** Empty routes, one per kind of access. */
@Controller('probe')
class ProbeController {
  isHeldAllowed: () => Promise<boolean>;

  @Post('send')
  @RequireScope('messaging:send')
  send(): object {
    return {};
  }

  @Get('jobs')
  @RequireScope('jobs:read')
  jobs(): object {
    return {};
  }

  @Post('either')
  @RequireScope('messaging:send', 'groups:read')
  either(): object {
    return {};
  }

  /** Whether the last request would be accepted now. */
  @Get('held')
  @RequireScope('jobs:read')
  hold(@Req() request: ApiRequest): object {
    this.isHeldAllowed = request.isStillAllowed!;
    return {};
  }

  @Get('open')
  @Public()
  open(): object {
    return {};
  }
}

/** An entry of `errors`. */
export interface ErrorEntry {
  field: string;
  code: string;
}

/** A platform that accepts every number and refuses one token. */
class FakePlatformNumber extends PlatformNumber {
  readonly asked: NumberAccess[] = [];
  refusedToken: string | null = 'refused';
  isUnavailable = false;

  stateOf(access: NumberAccess): Promise<NumberState> {
    this.asked.push(access);
    if (this.isUnavailable) return Promise.reject(new NumberUnavailableError('ECONNREFUSED'));
    if (access.accessToken === this.refusedToken)
      return Promise.reject(new NumberRefusedError('Expired. (code 190)', null, 190));
    return Promise.resolve({
      messagesPerSecond: null,
      messagingTier: null,
      qualityRating: null,
      displayPhoneNumber: null,
    });
  }
}

/** The accounts module over HTTP, with in-memory stores and a manual clock. */
export class AccountsApi {
  readonly clock = new ManualClock(new Date());
  readonly accounts = new InMemoryAccountStore();
  readonly keys = new InMemoryApiKeyStore(this.accounts);
  readonly sessions = new InMemoryConsoleSessionStore();
  readonly platform = new FakePlatformNumber();
  app: NestExpressApplication;
  /** An account on the plan Enterprise. */
  accountId: string;
  /** Its key with all scopes. */
  operator: string;

  async start({
    trustedProxies,
    logger = pino({ level: 'silent' }),
  }: Partial<Pick<EdgeOptions, 'trustedProxies' | 'logger'>> = {}): Promise<this> {
    const module = await Test.createTestingModule({
      controllers: [
        ProbeController,
        MeController,
        ApiKeysController,
        AccountsController,
        AccountSendersController,
        AuditLogController,
        ConsoleSessionController,
      ],
      providers: [
        AccountsService,
        ApiKeysService,
        AuditLogService,
        { provide: AuditStore, useClass: InMemoryAuditStore },
        KeyAuthentication,
        ConsoleSessions,
        ConsoleCookie,
        { provide: OwnOrigin, useValue: new OwnOrigin(trustedProxies ?? []) },
        { provide: ConsoleSessionStore, useValue: this.sessions },
        AccountSendersService,
        SenderChecks,
        SendersService,
        { provide: SenderStatesService, useValue: {} },
        FailedAttempts,
        FileExports,
        Shutdown,
        { provide: PlatformNumber, useValue: this.platform },
        { provide: AddressRanges, useClass: IpAddressRanges },
        { provide: AccountStore, useValue: this.accounts },
        { provide: ApiKeyStore, useValue: this.keys },
        { provide: UnitOfWork, useClass: ImmediateUnitOfWork },
        // No request has a key here, so nothing is stored.
        { provide: IdempotencyKeys, useValue: new IdempotencyKeys({} as Database, this.clock) },
        { provide: Clock, useValue: this.clock },
        { provide: Plans, useValue: PLANS },
        { provide: getOptionsToken(), useValue: planLimits(PLANS) },
        { provide: getStorageToken(), useValue: new InProcessBuckets(this.clock) },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: PlanLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
      ],
    }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({
      bodyParser: false,
      logger: new NestLogger(logger),
    });
    configureHttp(this.app, { maxFileBytes: 10, logger, trustedProxies });
    await this.app.init();
    this.accountId = await this.newAccount('Enterprise');
    this.operator = await this.newKey(this.accountId, SCOPES);
    return this;
  }

  /** A request under the API prefix, with or without a key. */
  http(method: 'get' | 'post' | 'patch' | 'delete', path: string, key?: string): request.Test {
    const call = request(this.app.getHttpServer())[method](`/api/v1/messaging${path}`);
    return key === undefined ? call : call.set('X-API-Key', key);
  }

  /** Whether the last request to `/probe/held` would be accepted now. */
  get isHeldAllowed(): () => Promise<boolean> {
    return this.app.get(ProbeController).isHeldAllowed;
  }

  async newAccount(plan: 'Free' | 'Enterprise'): Promise<string> {
    const id = uuidV7();
    const fields = { name: 'A', plan, sendingPaused: false, defaultCountry: null, businessPortfolioId: null };
    await this.accounts.add(id, { ...fields, status: 'Active', sender: null });
    return id;
  }

  /** The secret of a new key. */
  async newKey(accountId: string, scopes: readonly Scope[], more: Partial<ApiKeyFields> = {}): Promise<string> {
    const secret = generateApiKey();
    await this.keys.add(
      uuidV7(),
      accountId,
      { name: 'K', scopes, expiresAt: null, allowedIps: [], ...more },
      proofOf(secret),
    );
    return secret;
  }

  /** The id of the key with this secret. */
  async idOf(secret: string): Promise<string> {
    const stored = await this.keys.byPrefix(proofOf(secret).prefix);
    if (!stored) throw new Error('Unknown key');
    return stored.key.id;
  }
}
