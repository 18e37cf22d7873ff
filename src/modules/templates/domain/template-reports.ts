import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SyncSignal } from './sync-signal';
import type { Template, TemplateOwner } from './template';
import { statusChange, TemplateChanges, type TemplateStatusChange } from './template-changes';
import { applyReport, type TemplateReport } from './template-report';
import { TemplateStore } from './template-store.port';
import { TemplatesService } from './templates.service';

/** Applies the platform's reports about templates between two syncs. */
@Injectable()
export class TemplateReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TemplateStore,
    private readonly templates: TemplatesService,
    private readonly changes: TemplateChanges,
    private readonly syncSignal: SyncSignal,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies reports of one business account in the surrounding unit of work, the oldest first. If they are not conclusive (an unknown
   * template, new contents, a report that contradicts a newer one), requests a sync after the commit.
   */
  apply(owner: TemplateOwner, reports: readonly TemplateReport[]): Promise<void> {
    if (reports.length === 0) return Promise.resolve();
    const byTime = reports.map(normalise).sort((one, other) => one.at.getTime() - other.at.getTime());
    return this.unitOfWork.run(async () => {
      const locked = await this.store.lock(owner, byTime);
      const current = new Map(locked.map((template) => [template.id, template]));
      let needsSync = false;
      for (const report of byTime) {
        const template = findReported([...current.values()], report);
        if (!template) {
          needsSync ||= !(report.change.kind === 'status' && report.change.status === 'Deleted');
          continue;
        }
        const applied = applyReport(template, report, this.clock.now());
        current.set(template.id, applied.template);
        needsSync ||= applied.needsSync;
      }
      await this.save(owner, locked, current);
      if (needsSync) this.unitOfWork.afterCommit(() => this.syncSignal.request(owner.accountId));
    });
  }

  private async save(
    { accountId }: TemplateOwner,
    locked: readonly Template[],
    current: ReadonlyMap<string, Template>,
  ): Promise<void> {
    const changed: Template[] = [];
    const statusChanges: TemplateStatusChange[] = [];
    for (const before of locked) {
      const after = current.get(before.id);
      if (!after || after === before) continue;
      changed.push(after);
      if (after.status !== before.status) statusChanges.push(statusChange(before, after));
    }
    if (changed.length === 0) return;
    await this.store.saveState(changed);
    await this.changes.announce(statusChanges);
    this.unitOfWork.afterCommit(() => this.templates.forgetCurrent(accountId));
  }
}

/** Normalises a text: reports contain `en-US`, the list `en_US`; NUL and lone surrogates cannot be stored. */
function normalise(report: TemplateReport): TemplateReport {
  const { platformTemplateId, name, languageCode, change } = report;
  return {
    ...report,
    platformTemplateId: storable(platformTemplateId),
    name: storable(name),
    languageCode: storable(languageCode)?.replaceAll('-', '_') ?? null,
    change: change.kind === 'status' ? { ...change, reason: storable(change.reason) } : change,
  };
}

function storable(text: string | null): string | null {
  return text?.replace(/\0|\p{Cs}/gu, '\ufffd') ?? null;
}

/** Finds a template by name and language, otherwise by the platform's id. A template that is deleted and created again has a new id. */
function findReported(templates: readonly Template[], report: TemplateReport): Template | undefined {
  const { platformTemplateId, name, languageCode } = report;
  const sameName = templates.find((template) => template.name === name && template.languageCode === languageCode);
  if (!sameName) {
    const sameId = platformTemplateId !== null && (name === null || languageCode === null);
    return sameId ? templates.find((template) => template.platformTemplateId === platformTemplateId) : undefined;
  }
  const isReplaced =
    platformTemplateId !== null &&
    sameName.platformTemplateId !== null &&
    sameName.platformTemplateId !== platformTemplateId;
  return isReplaced ? undefined : sameName;
}
