import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { LaneQueue } from '../domain/lane-queue.port';
import { WakeUpMetrics } from './wake-up-metrics';

/** Name of the queue in Redis. */
export const WAKE_UPS = 'lane-wake-ups';

interface WakeUp {
  senderId: string;
}

const CONCURRENCY = 10;

/** Wake-ups over Redis, each for the first worker that receives it. Losing one delays the start of a job by a second. */
@Injectable()
export class BullLaneQueue extends LaneQueue {
  private readonly logger = new Logger(BullLaneQueue.name);
  private failing = false;

  constructor(
    @InjectQueue(WAKE_UPS) private readonly queue: Queue<WakeUp>,
    private readonly metrics: WakeUpMetrics,
  ) {
    super();
    queue.on('error', (error: Error) => this.noteFailure(error));
    // Bull does not handle the rejection when it names its connection: stopping while Redis is unreachable would crash the process.
    Object.assign(queue, { setWorkerName: () => Promise.resolve() });
  }

  wake(senderId: string): void {
    // One waiting wake-up per sender is enough. Finished ones are removed, or they would suppress the next ones.
    const options = { jobId: senderId, removeOnComplete: true, removeOnFail: true };
    this.queue.add({ senderId }, options).then(
      () => {
        this.failing = false;
        this.metrics.sent();
      },
      (error: unknown) => {
        this.metrics.failed();
        this.noteFailure(error as Error);
      },
    );
  }

  onWake(handler: (senderId: string) => void): void {
    this.queue
      .process(CONCURRENCY, (job) => {
        this.metrics.received(job.timestamp);
        handler(job.data.senderId);
        return Promise.resolve();
      })
      .catch((error: unknown) => this.noteFailure(error as Error));
  }

  async close(): Promise<void> {
    // Does not wait: losing a wake-up is harmless.
    await this.queue.close(true).catch(() => undefined);
  }

  private noteFailure(error: Error): void {
    if (!this.failing)
      this.logger.warn(`Wake-ups cannot be delivered; the sweep finds lanes instead: ${error.message}`);
    this.failing = true;
  }
}
