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

/** Why a template cannot be sent, in one sentence; null: it can. */
export function whyNotSendable({
  status,
  rejectionReason,
  unsupported,
}: Pick<TemplateDto, 'status' | 'rejectionReason' | 'unsupported'>): string | null {
  const reason = rejectionReason && (REJECTIONS[rejectionReason] ?? humanize(rejectionReason).toLowerCase());
  if (status === 'Rejected' && reason) return t('Rejected by WhatsApp: {reason}.', { reason });
  if (status !== 'Approved') return STATUS_MEANINGS[status];
  return unsupported.length > 0 ? t('Has parts that this service cannot send.') : null;
}
