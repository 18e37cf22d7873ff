import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SyncInProgressError } from '../domain/templates.errors';
import { SyncSignal } from '../domain/sync-signal';
import { TemplateSync } from '../domain/template-sync.service';

/** Reports come in bursts: all signals within this time lead to one sync. */
const GATHER_MS = 300;
/** The minimum time between two syncs of an account. */
const APART_MS = 5_000;
const LAST_SYNC_MS = 2_000;

/** Syncs an account after a SyncSignal; signals during a sync lead to one more. */
@Injectable()
export class PromptedTemplateSyncs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemplateSync');
  private readonly stopped = new AbortController();
  private readonly wanted = new Set<string>();
  private readonly underWay = new Map<string, Promise<void>>();
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly signal: SyncSignal,
    private readonly templateSync: TemplateSync,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.signal.onWanted((accountId) => this.want(accountId));
  }

  async onApplicationShutdown(): Promise<void> {
    this.unsubscribe?.();
    this.stopped.abort();
    await this.clock.atMost(LAST_SYNC_MS, Promise.all(this.underWay.values()));
  }

  private want(accountId: string): void {
    this.wanted.add(accountId);
    if (this.underWay.has(accountId) || this.stopped.signal.aborted) return;
    const run = this.run(accountId).finally(() => this.underWay.delete(accountId));
    this.underWay.set(accountId, run);
  }

  private async run(accountId: string): Promise<void> {
    await this.clock.sleep(GATHER_MS, this.stopped.signal);
    while (!this.stopped.signal.aborted && this.wanted.delete(accountId)) {
      await this.sync(accountId);
      await this.clock.sleep(APART_MS, this.stopped.signal);
    }
  }

  private async sync(accountId: string): Promise<void> {
    try {
      const { added, updated, removed } = await this.templateSync.sync(accountId);
      this.logger.log(`Templates of account ${accountId}: ${added} added, ${updated} updated, ${removed} removed`);
    } catch (error) {
      // The running sync may have read the list before the change that caused this signal.
      if (error instanceof SyncInProgressError) this.wanted.add(accountId);
      else this.logger.warn(`Templates of account ${accountId} were not synced: ${(error as Error).message}`);
    }
  }
}
