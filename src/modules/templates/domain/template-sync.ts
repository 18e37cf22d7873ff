import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { AccessTokenRefusedError } from '../../accounts/domain/accounts.errors';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SyncLeases } from './sync-leases.port';
import { SyncSignal } from './sync-signal';
import { type DirectoryReading, planSync } from './sync-plan';
import { TemplateChanges } from './template-changes';
import {
  DirectoryRefusedError,
  DirectoryUnavailableError,
  type SyncFailure,
  TemplateDirectory,
} from './template-directory.port';
import type { TemplateOwner } from './template';
import { TemplateStore } from './template-store.port';
import { SyncInProgressError } from './templates.errors';
import { TemplatesService } from './templates.service';

/** The result of a sync. `complete` is false if a page of the platform's list could not be read; nothing is removed then. */
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

/** Long enough for a slow renewal, and short enough that a killed process does not block others for long. */
const LEASE_SECONDS = 15;
const RENEW_INTERVAL_MS = 4000;

/** Updates an account's templates from the platform's list. */
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

  /**
   * Syncs one account: reads the list of each business account of its senders once. Throws SyncInProgressError while another sync of it
   * runs in any process, and AccessTokenRefusedError if the platform refuses the access tokens for the first pages of all lists.
   */
  async sync(accountId: string): Promise<SyncResult> {
    await this.senders.ofAccount(accountId);
    const owner = uuidV7();
    if (!(await this.leases.acquire(accountId, owner, LEASE_SECONDS))) throw new SyncInProgressError();
    const renewal = new Loop({
      name: 'template_sync_lease',
      clock: this.clock,
      everyMs: RENEW_INTERVAL_MS,
      firstAfterMs: RENEW_INTERVAL_MS,
      round: () => this.leases.renew(accountId, owner, LEASE_SECONDS),
      // A failed renewal needs no report: the result is written only with a valid lease.
      failed: () => undefined,
    });
    renewal.start();
    try {
      return await this.syncAs(owner, accountId);
    } finally {
      await renewal.stop();
      await this.leases.release(accountId, owner);
    }
  }

  private async syncAs(owner: string, accountId: string): Promise<SyncResult> {
    const senders = await this.senders.allOf(accountId);
    const ids = [...new Set(senders.map((sender) => sender.businessAccountId))];
    const results: SyncResult[] = [];
    const refusals: AccessTokenRefusedError[] = [];
    for (const businessAccountId of ids) {
      const own = senders.filter((sender) => sender.businessAccountId === businessAccountId);
      const reading = await this.read(own.find((one) => this.senders.problemOf(one) === null) ?? own[0]!);
      if (reading instanceof AccessTokenRefusedError) refusals.push(reading);
      else results.push(await this.record({ accountId, businessAccountId }, owner, reading, own));
    }
    if (refusals.length === ids.length) throw refusals[0]!;
    const [first, ...others] = results;
    if (refusals.length + others.length === 0) return first!;
    const total = others.reduce(sum, first!);
    const failed = refusals.map(({ message: reason }) => ({ name: null, languageCode: null, reason }));
    return { ...total, failed: [...total.failed, ...failed], complete: total.complete && failed.length === 0 };
  }

  /** Writes a reading. */
  private async record(
    of: TemplateOwner,
    owner: string,
    reading: DirectoryReading,
    senders: readonly Sender[],
  ): Promise<SyncResult> {
    const { accountId, businessAccountId } = of;
    const { startedAt } = reading;
    const finishedAt = this.clock.now();
    const known = (await this.store.all(accountId)).filter((one) => one.businessAccountId === businessAccountId);
    const plan = planSync(of, known, reading, finishedAt);
    await this.unitOfWork.run(async () => {
      const kept = await this.store.record(accountId, owner, plan);
      if (!kept) throw new SyncInProgressError();
      await this.changes.announce(plan.statusChanges.filter(({ templateId }) => !kept.includes(templateId)));
      // Templates that changed meanwhile are synced again: the list may contain more about them.
      if (kept.length > 0) this.unitOfWork.afterCommit(() => this.syncSignal.request(accountId));
    });
    this.templates.forgetCurrent(accountId);
    if (reading.complete) for (const sender of senders) await this.senders.markTemplatesSynced(sender, finishedAt);
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

  private async read(sender: Sender): Promise<DirectoryReading | AccessTokenRefusedError> {
    const reading: DirectoryReading = { startedAt: this.clock.now(), templates: [], failed: [], complete: true };
    try {
      for await (const page of this.directory.pages(sender)) {
        reading.templates.push(...page.templates);
        reading.failed.push(...page.unreadable);
      }
    } catch (error) {
      if (!(error instanceof DirectoryUnavailableError)) throw error;
      if (error instanceof DirectoryRefusedError && reading.templates.length + reading.failed.length === 0) {
        return new AccessTokenRefusedError(error.problem, error.platformCode);
      }
      reading.failed.push({ name: null, languageCode: null, reason: error.message });
      reading.complete = false;
    }
    return reading;
  }
}

/** One result of two business accounts. */
function sum(one: SyncResult, other: SyncResult): SyncResult {
  return {
    added: one.added + other.added,
    updated: one.updated + other.updated,
    removed: one.removed + other.removed,
    unchanged: one.unchanged + other.unchanged,
    failed: [...one.failed, ...other.failed],
    complete: one.complete && other.complete,
    startedAt: one.startedAt,
    finishedAt: other.finishedAt,
  };
}
