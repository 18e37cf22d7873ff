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

/** The template after a report, the same object if nothing changed; `doubtful`: the platform's list must be read. */
export interface ReportedTemplate {
  template: Template;
  doubtful: boolean;
}

/** Stands between the code of a rejection and its explanation, which only a report has. */
export const EXPLAINED = ': ';

const LONGEST_REASON = 1000;

/**
 * Applies a report. Reports arrive in any order, so an outdated one changes nothing. If it has the
 * same second as the latest one, or contradicts the stored state, the platform's list decides.
 */
export function applyReport(template: Template, { at, change }: TemplateReport, now: Date): ReportedTemplate {
  switch (change.kind) {
    case 'status':
      return applyStatus(template, change, at, now);
    case 'quality':
      if (change.rating === template.qualityRating) return { template, doubtful: false };
      return isOlder(at, template.lastSyncedAt)
        ? { template, doubtful: true }
        : { template: { ...template, qualityRating: change.rating, updatedAt: now }, doubtful: false };
    case 'category':
      if (change.category === template.category) return { template, doubtful: false };
      return isOlder(at, template.lastSyncedAt)
        ? { template, doubtful: true }
        : { template: { ...template, category: change.category, updatedAt: now }, doubtful: false };
    case 'contents':
      return { template, doubtful: true };
  }
}

function applyStatus(
  template: Template,
  { status, reason }: ReportedChange & { kind: 'status' },
  at: Date,
  now: Date,
): ReportedTemplate {
  if (isOlder(at, template.statusAt)) return { template, doubtful: status !== template.status };
  const rejectionReason = reason === null || reason === 'NONE' ? null : reason.slice(0, LONGEST_REASON);
  const statusAt = at > template.statusAt ? at : template.statusAt;
  if (status === template.status && rejectionReason === template.rejectionReason) {
    return { template: { ...template, statusAt }, doubtful: false };
  }
  // An edit in the platform's console submits the template for review, and no report contains the new text.
  const wasEdited = status === 'Pending' && template.status !== 'Pending';
  const sameSecond = secondOf(at) === secondOf(template.statusAt);
  return {
    template: { ...template, status, rejectionReason, statusAt, updatedAt: now },
    doubtful: wasEdited || sameSecond,
  };
}

/** Reports have times in whole seconds: one of the same second may be newer. */
function isOlder(at: Date, known: Date | null): boolean {
  return known !== null && secondOf(at) < secondOf(known);
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
