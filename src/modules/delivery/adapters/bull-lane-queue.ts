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

/** Wake-ups over Redis, for whichever worker takes them first. A lost one only makes a job start a second later. */
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
    // Bull handles no rejection of the name that it gives its connection: a stop while Redis is unreachable would end the process.
    Object.assign(queue, { setWorkerName: () => Promise.resolve() });
  }

  wake(senderId: string): void {
    // One waiting wake-up for a sender says as much as many. What stays in Redis would swallow the next ones.
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
    // Without waiting for anybody: a wake-up in progress carries nothing that could be lost.
    await this.queue.close(true).catch(() => undefined);
  }

  private noteFailure(error: Error): void {
    if (!this.failing)
      this.logger.warn(`Wake-ups cannot be delivered; the sweep finds lanes instead: ${error.message}`);
    this.failing = true;
  }
}
