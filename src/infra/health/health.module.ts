import { Global, Module } from '@nestjs/common';
import { LifecycleModule } from '../lifecycle/lifecycle.module';
import { HealthChecks } from './health-checks';
import { HealthController } from './health.controller';
import { ServiceChecks } from './service-checks';

/** Health checks; every module may register its own. */
@Global()
@Module({
  imports: [LifecycleModule],
  controllers: [HealthController],
  providers: [HealthChecks, ServiceChecks],
  exports: [HealthChecks],
})
export class HealthModule {}
