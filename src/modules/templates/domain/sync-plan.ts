import { uuidV7 } from '../../../kernel/uuid';
import { statusChange, type TemplateStatusChange } from './template-changes';
import { sameComponents } from './template-components';
import type { PlatformTemplate, Template, TemplateOwner } from './template';
import { EXPLANATION_SEPARATOR } from './template-report';
import type { SyncFailure } from './template-directory.port';

/** The platform's list as it was read; `complete` only if every page was read. */
export interface DirectoryReading {
  /** When the first page was requested. */
  startedAt: Date;
  templates: PlatformTemplate[];
  failed: SyncFailure[];
  complete: boolean;
}

/** The changes that bring the templates of a business account to the state of the platform's list. */
export interface SyncPlan {
  at: Date;
  /** When reading the list began: later changes in this service are newer than the list. */
  readFrom: Date;
  added: Template[];
  /** With a new revisionId if the contents changed. */
  updated: Template[];
  removed: Template[];
  unchanged: Template[];
  /** Status changes of updated and removed templates. */
  statusChanges: TemplateStatusChange[];
}

/**
 * Compares the stored templates with the list. Templates are removed only if the list is complete and every entry
 * could be read: an unreadable entry may be the template that seems to be missing.
 */
export function planSync(owner: TemplateOwner, known: Template[], reading: DirectoryReading, at: Date): SyncPlan {
  const { startedAt } = reading;
  const plan: SyncPlan = {
    ...{ at, readFrom: startedAt },
    ...{ added: [], updated: [], removed: [], unchanged: [], statusChanges: [] },
  };
  const missing = new Map(known.map((template) => [identityOf(template), template]));
  // The platform lists the newest first. Ids ascend, so the newest is added last to be first in our lists too.
  for (const found of distinct(reading.templates).reverse()) {
    const template = missing.get(identityOf(found));
    missing.delete(identityOf(found));
    if (!template && found.status === 'Deleted') continue;
    if (!template) plan.added.push(newTemplate(owner, found, plan));
    else if (isUnchanged(template, found)) plan.unchanged.push(template);
    else plan.updated.push(updatedTemplate(template, found, plan));
    if (template && template.status !== found.status) plan.statusChanges.push(statusChange(template, found));
  }
  if (!reading.complete || reading.failed.some(({ name, languageCode }) => name === null || languageCode === null)) {
    return plan;
  }
  const unreadable = new Set(reading.failed.map(({ name, languageCode }) => `${languageCode} ${name}`));
  const removed = [...missing.values()].filter(
    (template) => template.status !== 'Deleted' && !unreadable.has(identityOf(template)),
  );
  plan.removed = removed.map((template) => ({ ...template, status: 'Deleted', statusAt: startedAt, updatedAt: at }));
  plan.statusChanges.push(...removed.map((template) => statusChange(template, { status: 'Deleted' })));
  return plan;
}

/** Templates are identified by name and language; the platform's id changes when a template is deleted and created again. */
function identityOf({ name, languageCode }: { name: string; languageCode: string }): string {
  return `${languageCode} ${name}`;
}

/** One entry per name and language: a deleted template may remain in the list for a while beside its successor. */
function distinct(templates: PlatformTemplate[]): PlatformTemplate[] {
  const byKey = new Map<string, PlatformTemplate>();
  for (const template of templates) {
    if (template.status !== 'Deleted' || !byKey.has(identityOf(template))) byKey.set(identityOf(template), template);
  }
  return [...byKey.values()];
}

function isUnchanged(template: Template, found: PlatformTemplate): boolean {
  return (
    template.platformTemplateId === found.platformTemplateId &&
    template.source === found.source &&
    template.category === found.category &&
    template.status === found.status &&
    template.qualityRating === found.qualityRating &&
    template.rejectionReason === rejectionReasonAfter(template, found) &&
    sameComponents(template.components, found.components)
  );
}

/** The list has only the code of a rejection: a reported explanation is kept. */
function rejectionReasonAfter(
  { rejectionReason: known }: Template,
  { rejectionReason }: PlatformTemplate,
): string | null {
  return rejectionReason !== null && known?.startsWith(rejectionReason + EXPLANATION_SEPARATOR)
    ? known
    : rejectionReason;
}

type PlanTimes = Pick<SyncPlan, 'at' | 'readFrom'>;

function newTemplate(
  { accountId, businessAccountId }: TemplateOwner,
  found: PlatformTemplate,
  { at, readFrom: statusAt }: PlanTimes,
): Template {
  const ids = { id: uuidV7(), accountId, businessAccountId, revisionId: uuidV7() };
  return { ...found, ...ids, statusAt, createdAt: at, updatedAt: at, lastSyncedAt: at };
}

function updatedTemplate(template: Template, found: PlatformTemplate, { at, readFrom: statusAt }: PlanTimes): Template {
  const revisionId = sameComponents(template.components, found.components) ? template.revisionId : uuidV7();
  const rejectionReason = rejectionReasonAfter(template, found);
  return { ...template, ...found, rejectionReason, revisionId, statusAt, updatedAt: at, lastSyncedAt: at };
}
