import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdempotencyCleaning } from './idempotency/idempotency-cleaning';
import { IdempotencyKeys } from './idempotency/idempotency-keys';
import { FailedAttempts } from './limits/failed-attempts';
import { RouteAccessCheck } from './route-access-check';
import { UnknownRoutes } from './unknown-routes';

/** Shared by the controllers of all modules: idempotency, limits of failed attempts, the check of route access at start, the answer to unknown paths. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [FailedAttempts, IdempotencyKeys, IdempotencyCleaning, RouteAccessCheck, UnknownRoutes],
  exports: [FailedAttempts, IdempotencyKeys],
})
export class HttpKitModule {}
