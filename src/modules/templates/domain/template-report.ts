import type { QualityRating, Template, TemplateCategory, TemplateStatus } from './template';

/** A reported change; `contents` has no new value, only the fact that the contents have changed. */
export type ReportedChange =
  | { kind: 'status'; status: TemplateStatus; reason: string | null }
  | { kind: 'quality'; rating: QualityRating }
  | { kind: 'category'; category: TemplateCategory }
  | { kind: 'contents' };

/** A report of the platform about one template; `at` is the platform's time of the event, in whole seconds. */
export interface TemplateReport {
  platformTemplateId: string | null;
  name: string | null;
  languageCode: string | null;
  at: Date;
  change: ReportedChange;
}

/** The template after a report, the same object if unchanged; `needsSync`: the platform's list must be read. */
export interface ReportedTemplate {
  template: Template;
  needsSync: boolean;
}

/** Separates the code of a rejection from its explanation, which only reports contain. */
export const EXPLANATION_SEPARATOR = ': ';

const MAX_REASON_LENGTH = 1000;

/**
 * Applies a report. Reports arrive in any order, so an outdated one changes nothing. If it has the
 * same second as the latest one, or contradicts the stored state, the platform's list decides.
 */
export function applyReport(template: Template, { at, change }: TemplateReport, now: Date): ReportedTemplate {
  switch (change.kind) {
    case 'status':
      return applyStatus(template, change, at, now);
    case 'quality':
      if (change.rating === template.qualityRating) return { template, needsSync: false };
      return isOlder(at, template.lastSyncedAt)
        ? { template, needsSync: true }
        : { template: { ...template, qualityRating: change.rating, updatedAt: now }, needsSync: false };
    case 'category':
      if (change.category === template.category) return { template, needsSync: false };
      return isOlder(at, template.lastSyncedAt)
        ? { template, needsSync: true }
        : { template: { ...template, category: change.category, updatedAt: now }, needsSync: false };
    case 'contents':
      return { template, needsSync: true };
  }
}

function applyStatus(
  template: Template,
  { status, reason }: ReportedChange & { kind: 'status' },
  at: Date,
  now: Date,
): ReportedTemplate {
  if (isOlder(at, template.statusAt)) return { template, needsSync: status !== template.status };
  const rejectionReason = reason === null || reason === 'NONE' ? null : reason.slice(0, MAX_REASON_LENGTH);
  const statusAt = at > template.statusAt ? at : template.statusAt;
  if (status === template.status && rejectionReason === template.rejectionReason) {
    return { template: { ...template, statusAt }, needsSync: false };
  }
  // An edit in the platform's console submits the template for review, and no report contains the new text.
  const wasEdited = status === 'Pending' && template.status !== 'Pending';
  const sameSecond = secondOf(at) === secondOf(template.statusAt);
  return {
    template: { ...template, status, rejectionReason, statusAt, updatedAt: now },
    needsSync: wasEdited || sameSecond,
  };
}

/** Reports have times in whole seconds: one of the same second may be newer. */
function isOlder(at: Date, known: Date | null): boolean {
  return known !== null && secondOf(at) < secondOf(known);
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
