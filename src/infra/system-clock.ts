import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock';

/** The clock of this machine. */
@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  monotonic(): number {
    return performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      return signal?.addEventListener('abort', wake);
    });
  }
}
