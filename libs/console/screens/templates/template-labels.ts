import type { TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { humanize } from '../../ui/format';

/** The word for each status of a template. */
export const STATUS_LABELS: Readonly<Record<TemplateDto['status'], string>> = {
  Draft: t('Draft', {}, 'status of a template'),
  Pending: t('Pending', {}, 'status of a template'),
  Approved: t('Approved', {}, 'status of a template'),
  Rejected: t('Rejected', {}, 'status of a template'),
  Paused: t('Paused', {}, 'status of a template'),
  Disabled: t('Disabled', {}, 'status of a template'),
  Archived: t('Archived', {}, 'status of a template'),
  Deleted: t('Deleted', {}, 'status of a template'),
};

/** The word for each category of templates. */
export const CATEGORY_LABELS: Readonly<Record<TemplateDto['category'], string>> = {
  Marketing: t('Marketing'),
  Utility: t('Utility'),
  Authentication: t('Authentication'),
};

/** The word for each quality rating of a template. */
export const QUALITY_LABELS: Readonly<Record<NonNullable<TemplateDto['qualityRating']>, string>> = {
  Green: t('Green'),
  Yellow: t('Yellow'),
  Red: t('Red'),
  Unknown: t('Not rated'),
};

const STATUS_MEANINGS: Record<TemplateDto['status'], string> = {
  Draft: t('Not submitted for review.'),
  Pending: t('In review by WhatsApp, usually for minutes, sometimes for a day.'),
  Approved: t('Ready to send.'),
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

/** Why a template cannot be sent, in one sentence. */
export function whyNotSendable({ status, rejectionReason }: Pick<TemplateDto, 'status' | 'rejectionReason'>): string {
  const reason = rejectionReason && (REJECTIONS[rejectionReason] ?? humanize(rejectionReason).toLowerCase());
  if (status === 'Rejected' && reason) return t('Rejected by WhatsApp: {reason}.', { reason });
  return STATUS_MEANINGS[status];
}
