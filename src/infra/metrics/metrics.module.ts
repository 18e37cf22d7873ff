import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { HealthMetrics } from './health-metrics';
import { HttpMetrics } from './http-metrics';
import { MetricsController } from './metrics.controller';
import { PoolMetrics } from './pool-metrics';

/** Metrics of this process; every module may register its own in the shared `Registry`. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [
    {
      provide: Registry,
      useFactory: () => {
        const register = new Registry();
        collectDefaultMetrics({ register });
        return register;
      },
    },
    HttpMetrics,
    HealthMetrics,
    PoolMetrics,
  ],
  exports: [Registry, HttpMetrics],
})
export class MetricsModule {}
