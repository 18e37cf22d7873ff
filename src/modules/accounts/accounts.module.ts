import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { getOptionsToken, getStorageToken } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Settings } from '../../../config/settings';
import { InProcessBuckets } from '../../infra/http/limits/in-process-buckets';
import { OwnOrigin } from '../../infra/http/access/own-origin';
import { SharedRedis } from '../../infra/redis/shared-redis';
import { SecretsModule } from '../../infra/secrets/secrets.module';
import { Clock } from '../../kernel/clock';
import { AccountExportController } from './adapters/account-export.controller';
import { AccountRecords } from './adapters/account-records';
import { AccountEntity } from './adapters/account.entity';
import { AccountsController } from './adapters/accounts.controller';
import { ApiKeyEntity } from './adapters/api-key.entity';
import { ApiKeyGuard } from './adapters/api-key.guard';
import { ApiKeysController } from './adapters/api-keys.controller';
import { AuditLogController } from './adapters/audit-log.controller';
import { CloudApiPlatformNumber } from './adapters/cloud-api-platform-number';
import { ConsoleCookie } from './adapters/console-cookie';
import { ConsoleSessionCleaning } from './adapters/console-session-cleaning';
import { ConsoleSessionController } from './adapters/console-session.controller';
import { DiskFirstKeyFile } from './adapters/disk-first-key-file';
import { FirstAccountWarning } from './adapters/first-account-warning';
import { IpAddressRanges } from './adapters/ip-address-ranges';
import { MeController } from './adapters/me.controller';
import { PlanLimitGuard, planLimits } from './adapters/plan-limit.guard';
import { PlatformCredentials } from './adapters/platform-credentials';
import { RedisBuckets } from './adapters/redis-buckets';
import { ScopeGuard } from './adapters/scope.guard';
import { SenderLimitsSchedule } from './adapters/sender-limits-schedule';
import { SenderTrafficHealth } from './adapters/sender-traffic-health';
import { SenderSecrets } from './adapters/sender-secrets';
import { SenderEntity } from './adapters/sender.entity';
import { StoredResponseDeletion } from './adapters/stored-response-deletion';
import { TypeOrmAccountStore } from './adapters/typeorm-account-store';
import { PostgresAuditStore } from './adapters/postgres-audit-store';
import { PostgresConsoleSessionStore } from './adapters/postgres-console-session-store';
import { PostgresHistoryTermStore } from './adapters/postgres-history-term-store';
import { PostgresTrafficStore } from './adapters/postgres-traffic-store';
import { TypeOrmApiKeyStore } from './adapters/typeorm-api-key-store';
import { AccountArchive } from './domain/account-archive';
import { AccountDeletion } from './domain/account-deletion';
import { AccountStore } from './domain/account-store.port';
import { AccountSendersService } from './domain/account-senders.service';
import { AccountsBootstrap } from './domain/accounts-bootstrap';
import { AccountsService } from './domain/accounts.service';
import { AddressRanges } from './domain/address-ranges.port';
import { ApiKeyStore } from './domain/api-key-store.port';
import { ApiKeysService } from './domain/api-keys.service';
import { AuditLogService } from './domain/audit-log.service';
import { AuditStore } from './domain/audit-store.port';
import { ConsoleSessionStore } from './domain/console-session-store.port';
import { ConsoleSessions } from './domain/console-sessions';
import { FirstAccount } from './domain/first-account';
import { FirstKeyFile } from './domain/first-key-file.port';
import { HistoryTermStore } from './domain/history-term-store.port';
import { HistoryTerms } from './domain/history-terms';
import { KeyAuthentication } from './domain/key-authentication';
import { Plans } from './domain/plans';
import { PlatformNumber } from './domain/platform-number.port';
import { SenderChecks } from './domain/sender-checks';
import { SenderLimitsService } from './domain/sender-limits.service';
import { SenderTrafficService } from './domain/sender-traffic.service';
import { SendersService } from './domain/senders.service';
import { TrafficMarks } from './domain/traffic-marks';
import { TrafficStore } from './domain/traffic-store.port';

/** The settings that this module reads. */
export type AccountsSettings = Pick<
  Settings,
  | 'platform'
  | 'firstSender'
  | 'bootstrapApiKey'
  | 'encryptionKey'
  | 'previousEncryptionKey'
  | 'dataDir'
  | 'plans'
  | 'trustedProxies'
>;

/** Accounts, senders, plans, API keys, and the guards of all routes. */
@Module({})
export class AccountsModule {
  /** Registered once, by the root. */
  static register(settings: AccountsSettings): DynamicModule {
    return {
      module: AccountsModule,
      // Global: every module needs the account's sender and plan.
      global: true,
      imports: [
        SecretsModule.register(settings),
        TypeOrmModule.forFeature([AccountEntity, SenderEntity, ApiKeyEntity]),
      ],
      controllers: [
        MeController,
        ApiKeysController,
        AccountsController,
        AccountExportController,
        AuditLogController,
        ConsoleSessionController,
      ],
      providers: [
        AccountArchive,
        AccountDeletion,
        AccountRecords,
        AccountSendersService,
        AccountsService,
        AccountsBootstrap,
        FirstAccountWarning,
        ApiKeysService,
        AuditLogService,
        { provide: AuditStore, useClass: PostgresAuditStore },
        KeyAuthentication,
        ConsoleSessions,
        ConsoleSessionCleaning,
        ConsoleCookie,
        { provide: ConsoleSessionStore, useClass: PostgresConsoleSessionStore },
        SenderChecks,
        SendersService,
        HistoryTerms,
        SenderLimitsSchedule,
        SenderLimitsService,
        SenderSecrets,
        SenderTrafficService,
        SenderTrafficHealth,
        StoredResponseDeletion,
        TrafficMarks,
        { provide: TrafficStore, useClass: PostgresTrafficStore },
        { provide: PlatformNumber, useClass: CloudApiPlatformNumber },
        { provide: AddressRanges, useClass: IpAddressRanges },
        { provide: AccountStore, useClass: TypeOrmAccountStore },
        { provide: ApiKeyStore, useClass: TypeOrmApiKeyStore },
        { provide: HistoryTermStore, useClass: PostgresHistoryTermStore },
        ...fromSettings(settings),
        ...GUARDS,
      ],
      exports: [
        AccountArchive,
        AccountDeletion,
        AccountSendersService,
        AccountsService,
        AuditLogService,
        SendersService,
        SenderLimitsService,
        SenderTrafficService,
        TrafficMarks,
        Plans,
        HistoryTerms,
      ],
    };
  }
}

function fromSettings({
  platform,
  firstSender,
  bootstrapApiKey,
  dataDir,
  plans,
  trustedProxies,
}: AccountsSettings): Provider[] {
  return [
    { provide: OwnOrigin, useValue: new OwnOrigin(trustedProxies) },
    { provide: Plans, useValue: new Plans(plans) },
    { provide: FirstAccount, useValue: new FirstAccount({ ...firstSender, apiKey: bootstrapApiKey }) },
    { provide: FirstKeyFile, useValue: new DiskFirstKeyFile(dataDir) },
    { provide: PlatformCredentials, useValue: new PlatformCredentials(platform.accessToken, platform.appSecret) },
    { provide: getOptionsToken(), useFactory: planLimits, inject: [Plans] },
    {
      provide: getStorageToken(),
      useFactory: (clock: Clock, redis?: SharedRedis) => {
        const inProcess = new InProcessBuckets(clock);
        return redis ? new RedisBuckets(redis, inProcess, clock) : inProcess;
      },
      inject: [Clock, { token: SharedRedis, optional: true }],
    },
  ];
}

/** In order of execution. */
const GUARDS: Provider[] = [
  { provide: APP_GUARD, useClass: ApiKeyGuard },
  { provide: APP_GUARD, useClass: PlanLimitGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
];
