import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LifecycleModule } from '../lifecycle/lifecycle.module';
import { EventStreams } from './event-streams';
import { FileExports } from './file-exports';
import { IdempotencyCleaning } from './idempotency/idempotency-cleaning';
import { IdempotencyKeys } from './idempotency/idempotency-keys';
import { FailedAttempts } from './limits/failed-attempts';
import { RouteAccessCheck } from './route-access-check';
import { UnknownRoutes } from './unknown-routes';

/** Shared by the controllers of all modules: streams of events, exports, idempotency, limits of failed attempts, the check of route access at start, the answer to unknown paths. */
@Global()
@Module({
  imports: [DiscoveryModule, LifecycleModule],
  providers: [
    EventStreams,
    FailedAttempts,
    FileExports,
    IdempotencyKeys,
    IdempotencyCleaning,
    RouteAccessCheck,
    UnknownRoutes,
  ],
  exports: [EventStreams, FailedAttempts, FileExports, IdempotencyKeys],
})
export class HttpKitModule {}
