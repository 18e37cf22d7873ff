import { EventEmitter } from 'node:events';
import Bull from 'bull';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { BullLaneQueue, WAKE_UPS } from './bull-lane-queue';
import { WakeUpMetrics } from './wake-up-metrics';

const never = new Promise<never>(() => undefined);

/** A connection that fails when it is named, and otherwise responds like an empty Redis. */
class NamelessRedis extends EventEmitter {
  readonly status = 'ready';
  readonly options = {};
  readonly info = () => Promise.resolve('redis_version:7.0.0');
  readonly defineCommand = () => undefined;
  readonly updateDelaySet = () => Promise.resolve(null);
  readonly moveStalledJobsToWait = () => Promise.resolve([[], []]);
  readonly subscribe = () => Promise.resolve(1);
  readonly client = () => Promise.reject(new Error('Connection is closed.'));
  readonly quit = () => Promise.resolve('OK');
  readonly disconnect = () => this.emit('end');
  readonly connect = () => Promise.resolve();

  constructor(readonly brpoplpush: () => Promise<never>) {
    super();
  }
}

describe('Wake-ups over Bull', () => {
  it('leave no rejection unhandled if the connection is lost before it is named', async () => {
    let queue: BullLaneQueue | undefined;
    await new Promise<void>((waiting) => {
      const connection = new NamelessRedis(() => {
        waiting();
        return never;
      });
      const bull = new Bull(WAKE_UPS, { createClient: () => connection as unknown as Redis });
      queue = new BullLaneQueue(bull, new WakeUpMetrics(new Registry()));
      queue.onWake(() => undefined);
    });
    await queue?.close();
  });
});
