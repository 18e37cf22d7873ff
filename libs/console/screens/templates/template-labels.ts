import type { TemplateDto } from '../../../client/generated/types.gen';
import { humanize } from '../../ui/format';

const STATUS_LABELS: Record<TemplateDto['status'], string> = {
  Draft: 'Not submitted for review.',
  Pending: 'In review by WhatsApp, usually for minutes, sometimes for a day.',
  Approved: 'Ready to send.',
  Rejected: 'Rejected by WhatsApp.',
  Paused: 'Paused by WhatsApp because recipients reported or blocked its messages.',
  Disabled: 'Permanently disabled by WhatsApp because too many recipients reported its messages.',
  Archived: 'Archived in WhatsApp.',
  Deleted: 'Deleted.',
};

/** What the platform's rejection codes mean. */
const REJECTIONS: Record<string, string> = {
  ABUSIVE_CONTENT: 'the text violates WhatsApp’s policies',
  INVALID_FORMAT: 'variables or links have the wrong format',
  PROMOTIONAL: 'the text is promotional, but the category is not Marketing',
  INCORRECT_CATEGORY: 'the text belongs to another category',
  TAG_CONTENT_MISMATCH: 'the text does not match the category or language',
  SCAM: 'suspected fraud',
  NONE: 'no reason given',
};

/** Why a template cannot be sent, in one sentence. */
export function whyNotSendable({ status, rejectionReason }: Pick<TemplateDto, 'status' | 'rejectionReason'>): string {
  const reason = rejectionReason && (REJECTIONS[rejectionReason] ?? humanize(rejectionReason).toLowerCase());
  if (status === 'Rejected' && reason) return `Rejected by WhatsApp: ${reason}.`;
  return STATUS_LABELS[status];
}
