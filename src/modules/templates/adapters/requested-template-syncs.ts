import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SyncInProgressError } from '../domain/templates.errors';
import { SyncSignal } from '../domain/sync-signal';
import { TemplateSync } from '../domain/template-sync';

/** Reports come in bursts: all signals within this time lead to one sync. */
const GATHER_MS = 300;
/** Minimum time between two syncs of an account. */
const MIN_INTERVAL_MS = 5_000;
const SHUTDOWN_WAIT_MS = 2_000;

/** Syncs an account after a SyncSignal; signals during a sync lead to one more. */
@Injectable()
export class RequestedTemplateSyncs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemplateSync');
  private readonly stopped = new AbortController();
  private readonly pending = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly signal: SyncSignal,
    private readonly templateSync: TemplateSync,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.signal.onRequest((accountId) => this.request(accountId));
  }

  async onApplicationShutdown(): Promise<void> {
    this.unsubscribe?.();
    this.stopped.abort();
    await this.clock.atMost(SHUTDOWN_WAIT_MS, Promise.all(this.running.values()));
  }

  private request(accountId: string): void {
    this.pending.add(accountId);
    if (this.running.has(accountId) || this.stopped.signal.aborted) return;
    const run = this.run(accountId).finally(() => this.running.delete(accountId));
    this.running.set(accountId, run);
  }

  private async run(accountId: string): Promise<void> {
    await this.clock.sleep(GATHER_MS, this.stopped.signal);
    while (!this.stopped.signal.aborted && this.pending.delete(accountId)) {
      await this.sync(accountId);
      await this.clock.sleep(MIN_INTERVAL_MS, this.stopped.signal);
    }
  }

  private async sync(accountId: string): Promise<void> {
    try {
      const { added, updated, removed } = await this.templateSync.sync(accountId);
      this.logger.log(`Templates of account ${accountId}: ${added} added, ${updated} updated, ${removed} removed`);
    } catch (error) {
      // The running sync may have read the list before the change that caused this signal.
      if (error instanceof SyncInProgressError) this.pending.add(accountId);
      else this.logger.warn(`Templates of account ${accountId} were not synced: ${(error as Error).message}`);
    }
  }
}
