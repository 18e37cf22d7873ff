import type { QualityRating, Template, TemplateCategory, TemplateStatus } from './template';

/** What a report says has changed; `contents` names no new value, only that the template reads differently now. */
export type ReportedChange =
  | { kind: 'status'; status: TemplateStatus; reason: string | null }
  | { kind: 'quality'; rating: QualityRating }
  | { kind: 'category'; category: TemplateCategory }
  | { kind: 'contents' };

/** What the platform says of one template without being asked; `at` is its own time of the event, in whole seconds. */
export interface TemplateReport {
  platformTemplateId: string | null;
  name: string | null;
  languageCode: string | null;
  at: Date;
  change: ReportedChange;
}

/** What a report makes of a template: itself, where nothing changes; `doubtful` asks for a look at the platform's list. */
export interface ReportedTemplate {
  template: Template;
  doubtful: boolean;
}

const LONGEST_REASON = 500;

/**
 * Applies a report. Reports keep no order, so one that is older than what is known changes nothing; where it speaks of the
 * same second, or against what is known, the list decides.
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
  // Whoever edits in the platform's console sends the template to review, and no report brings the new text.
  const wasEdited = status === 'Pending' && template.status !== 'Pending';
  const sameSecond = secondOf(at) === secondOf(template.statusAt);
  return {
    template: { ...template, status, rejectionReason, statusAt, updatedAt: now },
    doubtful: wasEdited || sameSecond,
  };
}

/** Reports name whole seconds: one of the same second may be newer. */
function isOlder(at: Date, known: Date | null): boolean {
  return known !== null && secondOf(at) < secondOf(known);
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
