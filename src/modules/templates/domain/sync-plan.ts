import { uuidV7 } from '../../../kernel/uuid';
import { statusChange, type TemplateStatusChange } from './template-changes';
import { sameComponents } from './template-components';
import type { PlatformTemplate, Template } from './template';
import type { SyncFailure } from './template-directory.port';

/** What the platform's list showed: `complete` only if every page of it was read. */
export interface DirectoryReading {
  /** When the first page was asked for. */
  startedAt: Date;
  templates: PlatformTemplate[];
  failed: SyncFailure[];
  complete: boolean;
}

/** What has to be written so that the account's templates are as the platform's list showed them. */
export interface SyncPlan {
  at: Date;
  /** Since when the list was read: what changed here later is newer than it. */
  readFrom: Date;
  added: Template[];
  /** With a new revisionId where the contents changed. */
  updated: Template[];
  removed: Template[];
  unchanged: Template[];
  /** Of those updated and removed. */
  statusChanges: TemplateStatusChange[];
}

/**
 * Compares what is known with what was read. Nothing is removed unless the list was read to its end, nor where an entry
 * could not be understood: it may be the very template that seems to be missing.
 */
export function planSync(accountId: string, known: Template[], reading: DirectoryReading, at: Date): SyncPlan {
  const { startedAt } = reading;
  const plan: SyncPlan = {
    ...{ at, readFrom: startedAt },
    ...{ added: [], updated: [], removed: [], unchanged: [], statusChanges: [] },
  };
  const missing = new Map(known.map((template) => [keyOf(template), template]));
  // The platform lists its newest first; ids grow, so the newest is added last and stands first in our list as well.
  for (const found of distinct(reading.templates).reverse()) {
    const template = missing.get(keyOf(found));
    missing.delete(keyOf(found));
    if (!template && found.status === 'Deleted') continue;
    if (!template) plan.added.push(newTemplate(accountId, found, plan));
    else if (isSame(template, found)) plan.unchanged.push(template);
    else plan.updated.push(changed(template, found, plan));
    if (template && template.status !== found.status) plan.statusChanges.push(statusChange(template, found));
  }
  if (!reading.complete || reading.failed.some(({ name, languageCode }) => name === null || languageCode === null)) {
    return plan;
  }
  const unreadable = new Set(reading.failed.map(({ name, languageCode }) => `${languageCode} ${name}`));
  const removed = [...missing.values()].filter(
    (template) => template.status !== 'Deleted' && !unreadable.has(keyOf(template)),
  );
  plan.removed = removed.map((template) => ({ ...template, status: 'Deleted', statusAt: startedAt, updatedAt: at }));
  plan.statusChanges.push(...removed.map((template) => statusChange(template, { status: 'Deleted' })));
  return plan;
}

/** Name and language are the identity; the platform's id changes when a template is deleted and made anew. */
function keyOf({ name, languageCode }: { name: string; languageCode: string }): string {
  return `${languageCode} ${name}`;
}

/** One entry of each name and language: while a deleted one lingers in the list, the living one counts. */
function distinct(templates: PlatformTemplate[]): PlatformTemplate[] {
  const byKey = new Map<string, PlatformTemplate>();
  for (const template of templates) {
    if (template.status !== 'Deleted' || !byKey.has(keyOf(template))) byKey.set(keyOf(template), template);
  }
  return [...byKey.values()];
}

function isSame(template: Template, found: PlatformTemplate): boolean {
  return (
    template.platformTemplateId === found.platformTemplateId &&
    template.category === found.category &&
    template.status === found.status &&
    template.qualityRating === found.qualityRating &&
    template.rejectionReason === found.rejectionReason &&
    sameComponents(template.components, found.components)
  );
}

type PlanTimes = Pick<SyncPlan, 'at' | 'readFrom'>;

function newTemplate(accountId: string, found: PlatformTemplate, { at, readFrom: statusAt }: PlanTimes): Template {
  const ids = { id: uuidV7(), accountId, revisionId: uuidV7() };
  return { ...found, ...ids, statusAt, createdAt: at, updatedAt: at, lastSyncedAt: at };
}

function changed(template: Template, found: PlatformTemplate, { at, readFrom: statusAt }: PlanTimes): Template {
  const revisionId = sameComponents(template.components, found.components) ? template.revisionId : uuidV7();
  return { ...template, ...found, revisionId, statusAt, updatedAt: at, lastSyncedAt: at };
}
