import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LifecycleModule } from '../lifecycle/lifecycle.module';
import { EventStreams } from './streams/event-streams';
import { FileExports } from './edge/file-exports';
import { IdempotencyCleaning } from './idempotency/idempotency-cleaning';
import { IdempotencyKeys } from './idempotency/idempotency-keys';
import { FailedAttempts } from './limits/failed-attempts';
import { RouteAccessCheck } from './access/route-access-check';
import { UnknownRoutes } from './edge/unknown-routes';

/** Shared by the controllers of all modules: event streams, exports, idempotency, limits of failed attempts, route access check, unknown paths. */
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
