import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SyncSignal } from './sync-signal';
import type { Template } from './template';
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
   * Applies reports of one account in the surrounding unit of work, the oldest first. If they leave questions open (an unknown
   * template, new contents, a report that contradicts a newer one), a sync is requested after the commit.
   */
  take(accountId: string, reports: readonly TemplateReport[]): Promise<void> {
    if (reports.length === 0) return Promise.resolve();
    const inOrder = reports.map(normalised).sort((one, other) => one.at.getTime() - other.at.getTime());
    return this.unitOfWork.run(async () => {
      const locked = await this.store.lock(accountId, inOrder);
      const current = new Map(locked.map((template) => [template.id, template]));
      let lookUp = false;
      for (const report of inOrder) {
        const template = reportedOn([...current.values()], report);
        if (!template) {
          lookUp ||= !(report.change.kind === 'status' && report.change.status === 'Deleted');
          continue;
        }
        const applied = applyReport(template, report, this.clock.now());
        current.set(template.id, applied.template);
        lookUp ||= applied.doubtful;
      }
      await this.save(locked, current);
      if (lookUp) this.unitOfWork.afterCommit(() => this.syncSignal.wanted(accountId));
    });
  }

  private async save(locked: readonly Template[], current: ReadonlyMap<string, Template>): Promise<void> {
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
    this.unitOfWork.afterCommit(() => this.templates.forgetCurrent());
  }
}

/** Normalises a text: reports contain `en-US`, the list `en_US`; NUL and lone surrogates cannot be stored. */
function normalised(report: TemplateReport): TemplateReport {
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

/** Finds a template by name and language, otherwise by the platform's id. After deletion and creation a template has a new id. */
function reportedOn(templates: readonly Template[], report: TemplateReport): Template | undefined {
  const { platformTemplateId, name, languageCode } = report;
  const named = templates.find((template) => template.name === name && template.languageCode === languageCode);
  if (!named) {
    const sameId = platformTemplateId !== null && (name === null || languageCode === null);
    return sameId ? templates.find((template) => template.platformTemplateId === platformTemplateId) : undefined;
  }
  const isOther =
    platformTemplateId !== null && named.platformTemplateId !== null && named.platformTemplateId !== platformTemplateId;
  return isOther ? undefined : named;
}
