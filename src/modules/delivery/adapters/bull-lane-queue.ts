import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { LaneQueue } from '../domain/lane-queue.port';
import { KnockMetrics } from './knock-metrics';

/** Name of the queue in Redis. */
export const KNOCKS = 'lane-knocks';

interface Knock {
  senderId: string;
}

const CONCURRENCY = 10;

/** Knocks over Redis, for whichever worker takes them first. A lost one only makes a job start a second later. */
@Injectable()
export class BullLaneQueue extends LaneQueue {
  private readonly logger = new Logger(BullLaneQueue.name);
  private failing = false;

  constructor(
    @InjectQueue(KNOCKS) private readonly queue: Queue<Knock>,
    private readonly metrics: KnockMetrics,
  ) {
    super();
    queue.on('error', (error: Error) => this.noteFailure(error));
  }

  knock(senderId: string): void {
    // One waiting knock for a sender says as much as many. What stays in Redis would swallow the next ones.
    const options = { jobId: senderId, removeOnComplete: true, removeOnFail: true };
    this.queue.add({ senderId }, options).then(
      () => {
        this.failing = false;
        this.metrics.given();
      },
      (error: unknown) => {
        this.metrics.failed();
        this.noteFailure(error as Error);
      },
    );
  }

  onKnock(handler: (senderId: string) => void): void {
    this.queue
      .process(CONCURRENCY, (job) => {
        this.metrics.heard(job.timestamp);
        handler(job.data.senderId);
        return Promise.resolve();
      })
      .catch((error: unknown) => this.noteFailure(error as Error));
  }

  async close(): Promise<void> {
    // Without waiting for anybody: a knock in progress carries nothing that could be lost.
    await this.queue.close(true).catch(() => undefined);
  }

  private noteFailure(error: Error): void {
    if (!this.failing) this.logger.warn(`Knocks do not get through; lanes are found by the sweep: ${error.message}`);
    this.failing = true;
  }
}
