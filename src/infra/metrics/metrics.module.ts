import { type DynamicModule, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { BuildMetrics, ProcessRole } from './build-metrics';
import { HealthMetrics } from './health-metrics';
import { HttpMetrics } from './http-metrics';
import { LoopMetrics } from './loop-metrics';
import { MetricsController } from './metrics.controller';
import { MetricsServer } from './metrics-server';
import { PoolMetrics } from './pool-metrics';

/** Metrics of this process; every module may register its own in the shared `Registry`. */
@Module({})
export class MetricsModule {
  /** With `metricsPort`, MetricsServer serves the metrics and the API does not. */
  static register({ metricsPort, role }: { metricsPort?: number; role: string }): DynamicModule {
    return {
      module: MetricsModule,
      global: true,
      controllers: metricsPort === undefined ? [MetricsController] : [],
      providers: [
        {
          provide: Registry,
          useFactory: () => {
            const register = new Registry();
            collectDefaultMetrics({ register });
            return register;
          },
        },
        { provide: ProcessRole, useValue: new ProcessRole(role) },
        BuildMetrics,
        HttpMetrics,
        HealthMetrics,
        PoolMetrics,
        LoopMetrics,
        MetricsServer,
      ],
      exports: [Registry, HttpMetrics],
    };
  }
}
