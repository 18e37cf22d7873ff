import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { backgroundWork } from '../../kernel/background-work';

/** Consecutive failures of the background work of this process. */
@Injectable()
export class LoopMetrics {
  constructor(registry: Registry) {
    const seen = new Set<string>();
    const failures = new Gauge<'loop'>({
      name: 'messaging_loop_consecutive_failures',
      help: 'Consecutive failures of retried background work, by name; 0 while it succeeds.',
      labelNames: ['loop'],
      registers: [registry],
      collect() {
        // Ended work counts as succeeding.
        for (const loop of seen) failures.set({ loop }, 0);
        for (const { name, failuresInRow } of backgroundWork()) {
          seen.add(name);
          failures.set({ loop: name }, failuresInRow);
        }
      },
    });
  }
}
