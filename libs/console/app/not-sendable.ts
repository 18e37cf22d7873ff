import type { TemplateDto } from '../../client/generated/types.gen';
import { t } from '../language/translate';
import { humanize } from '../ui/format';

const STATUS_MEANINGS: Record<Exclude<TemplateDto['status'], 'Approved'>, string> = {
  Draft: t('Not submitted for review.'),
  Pending: t('In review by WhatsApp, usually for minutes, sometimes for a day.'),
  Rejected: t('Rejected by WhatsApp.'),
  Paused: t('Paused by WhatsApp because recipients reported or blocked its messages.'),
  Disabled: t('Permanently disabled by WhatsApp because too many recipients reported its messages.'),
  Archived: t('Archived in WhatsApp.'),
  Deleted: t('Deleted.'),
};

/** What the platform's rejection codes mean. */
const REJECTIONS: Record<string, string> = {
  ABUSIVE_CONTENT: t('the text violates WhatsApp’s policies'),
  INVALID_FORMAT: t('variables or links have the wrong format'),
  PROMOTIONAL: t('the text is promotional, but the category is not Marketing'),
  INCORRECT_CATEGORY: t('the text belongs to another category'),
  TAG_CONTENT_MISMATCH: t('the text does not match the category or language'),
  SCAM: t('suspected fraud'),
  NONE: t('no reason given'),
};

/** What the screens of the console fill beside values. */
const FILLED_HERE: ReadonlySet<TemplateDto['needs'][number]> = new Set(['headerMedia', 'headerLocation']);

/** Why a template cannot be sent on the screens of the console, in one sentence; null: it can. */
export function whyNotSendable({
  status,
  rejectionReason,
  unsupported,
  needs,
}: Pick<TemplateDto, 'status' | 'rejectionReason' | 'unsupported' | 'needs'>): string | null {
  const reason = rejectionReason && (REJECTIONS[rejectionReason] ?? humanize(rejectionReason).toLowerCase());
  if (status === 'Rejected' && reason) return t('Rejected by WhatsApp: {reason}.', { reason });
  if (status !== 'Approved') return STATUS_MEANINGS[status];
  if (unsupported.length > 0) return t('Has parts that this service cannot send.');
  if (needs.every((need) => FILLED_HERE.has(need))) return null;
  return t('Needs products, carousel cards or the end of an offer: it can only be sent with the API.');
}
