import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock';

/** The time of this machine. */
@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  monotonic(): number {
    return performance.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await wait(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  }
}
