import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SyncLeases } from './sync-leases.port';
import { SyncSignal } from './sync-signal';
import { type DirectoryReading, planSync } from './sync-plan';
import { TemplateChanges } from './template-changes';
import { DirectoryUnavailableError, type SyncFailure, TemplateDirectory } from './template-directory.port';
import { TemplateStore } from './template-store.port';
import { SyncInProgressError } from './templates.errors';
import { TemplatesService } from './templates.service';

/** What a sync did. `complete` is false when a page of the platform's list could not be read; nothing is removed then. */
export interface SyncResult {
  added: number;
  updated: number;
  removed: number;
  unchanged: number;
  failed: SyncFailure[];
  complete: boolean;
  startedAt: Date;
  finishedAt: Date;
}

/** Long enough to outlive a slow renewal, short enough that a killed process blocks nobody for long. */
const LEASE_SECONDS = 15;
const RENEW_EVERY_MS = 4000;

/** Brings an account's templates to the state of the platform's list. */
@Injectable()
export class TemplateSync {
  constructor(
    private readonly senders: SendersService,
    private readonly directory: TemplateDirectory,
    private readonly store: TemplateStore,
    private readonly leases: SyncLeases,
    private readonly templates: TemplatesService,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: TemplateChanges,
    private readonly syncSignal: SyncSignal,
  ) {}

  /** Syncs one account. Throws SyncInProgressError while another sync of it runs, in whatever process. */
  async sync(accountId: string): Promise<SyncResult> {
    const sender = await this.senders.ofAccount(accountId);
    const owner = uuidV7();
    if (!(await this.leases.take(accountId, owner, LEASE_SECONDS))) throw new SyncInProgressError();
    const done = new AbortController();
    const renewal = this.keepLease(accountId, owner, done.signal);
    try {
      return await this.syncAs(owner, sender);
    } finally {
      done.abort();
      await renewal;
      await this.leases.release(accountId, owner);
    }
  }

  private async syncAs(owner: string, sender: Sender): Promise<SyncResult> {
    const { accountId } = sender;
    const reading = await this.read(sender);
    const { startedAt } = reading;
    const finishedAt = this.clock.now();
    const plan = planSync(accountId, await this.store.all(accountId), reading, finishedAt);
    await this.unitOfWork.run(async () => {
      const kept = await this.store.record(accountId, owner, plan);
      if (!kept) throw new SyncInProgressError();
      await this.changes.announce(plan.statusChanges.filter(({ templateId }) => !kept.includes(templateId)));
      // The list may say more of them than what changed them here.
      if (kept.length > 0) this.unitOfWork.afterCommit(() => this.syncSignal.wanted(accountId));
    });
    this.templates.forgetCurrent();
    if (reading.complete) await this.senders.markTemplatesSynced(sender.id, finishedAt);
    return {
      added: plan.added.length,
      updated: plan.updated.length,
      removed: plan.removed.length,
      unchanged: plan.unchanged.length,
      failed: reading.failed,
      complete: reading.complete,
      startedAt,
      finishedAt,
    };
  }

  private async read(sender: Sender): Promise<DirectoryReading> {
    const reading: DirectoryReading = { startedAt: this.clock.now(), templates: [], failed: [], complete: true };
    try {
      for await (const page of this.directory.pages(sender)) {
        reading.templates.push(...page.templates);
        reading.failed.push(...page.unreadable);
      }
    } catch (error) {
      if (!(error instanceof DirectoryUnavailableError)) throw error;
      reading.failed.push({ name: null, languageCode: null, reason: error.message });
      reading.complete = false;
    }
    return reading;
  }

  private async keepLease(accountId: string, owner: string, done: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(RENEW_EVERY_MS, done);
      if (done.aborted) return;
      // A renewal that fails decides nothing: writing the result asks for the lease once more.
      await this.leases.renew(accountId, owner, LEASE_SECONDS).catch(() => false);
    }
  }
}
