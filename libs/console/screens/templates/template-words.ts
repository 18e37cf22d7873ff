import type { TemplateDto } from '../../../client/generated/types.gen';
import { words } from '../../ui/format';

const STATUS_WORDS: Record<TemplateDto['status'], string> = {
  Draft: 'It was not submitted.',
  Pending: 'WhatsApp reviews it. That takes minutes, at times a day.',
  Approved: 'It can be sent.',
  Rejected: 'WhatsApp rejected it.',
  Paused: 'WhatsApp paused it, as people reported or blocked its messages.',
  Disabled: 'WhatsApp disabled it for good, as too many people reported its messages.',
  Archived: 'It was archived on WhatsApp.',
  Deleted: 'It was deleted.',
};

/** What the platform's codes for rejections mean. */
const REJECTIONS: Record<string, string> = {
  ABUSIVE_CONTENT: 'the text is against the rules of WhatsApp',
  INVALID_FORMAT: 'variables or links are not in the form that WhatsApp asks for',
  PROMOTIONAL: 'the text advertises, but the category is not Marketing',
  INCORRECT_CATEGORY: 'the text belongs to another category',
  TAG_CONTENT_MISMATCH: 'text and category or language do not match',
  SCAM: 'WhatsApp takes it for fraud',
  NONE: 'WhatsApp gives no reason',
};

/** Why a template cannot be sent now, in a sentence. */
export function whyNotSendable({ status, rejectionReason }: Pick<TemplateDto, 'status' | 'rejectionReason'>): string {
  const reason = rejectionReason && (REJECTIONS[rejectionReason] ?? words(rejectionReason).toLowerCase());
  if (status === 'Rejected' && reason) return `WhatsApp rejected it: ${reason}.`;
  return STATUS_WORDS[status];
}
