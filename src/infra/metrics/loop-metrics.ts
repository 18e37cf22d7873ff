import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { repeatedWork } from '../../kernel/repeated-work';

/** How often in a row the background work of this process has failed. */
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
        // Work that pauses or has ended does not fail.
        for (const loop of seen) failures.set({ loop }, 0);
        for (const { name, failuresInRow } of repeatedWork()) {
          seen.add(name);
          failures.set({ loop: name }, failuresInRow);
        }
      },
    });
  }
}
