import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { HealthChecks } from '../health/health-checks';

/** The results of /health/ready as metrics. */
@Injectable()
export class HealthMetrics {
  constructor(registry: Registry, checks: HealthChecks) {
    const ok = new Gauge<'check'>({
      name: 'messaging_health_check_ok',
      help: '1 if the /health/ready check succeeded, otherwise 0.',
      labelNames: ['check'],
      registers: [registry],
      async collect() {
        // Other metrics are read first, since the checks occupy a database connection.
        await nextTurn();
        for (const { name, health } of (await checks.run()).checks) ok.set({ check: name }, health.ok ? 1 : 0);
      },
    });
  }
}
