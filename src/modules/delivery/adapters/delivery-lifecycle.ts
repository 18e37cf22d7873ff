import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { LaneDriver } from '../domain/lane-driver';
import { LaneQueue } from '../domain/lane-queue.port';

/** What of the delivery this process does. */
export abstract class DeliveryRole {
  /** It sends; else it only tells others that there is something to send. */
  abstract readonly runsLanes: boolean;
}

/** Starts the lanes with the application and brings them to a clean end before it closes its connections. */
@Injectable()
export class DeliveryLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly driver: LaneDriver,
    private readonly queue: LaneQueue,
    private readonly signal: SenderSignal,
    private readonly role: DeliveryRole,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.signal.onRunnable((senderId) => this.queue.wake(senderId));
    if (this.role.runsLanes) this.driver.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.unsubscribe?.();
    await this.driver.stop();
    await this.queue.close();
  }
}
