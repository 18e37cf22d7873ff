import { t } from '../../language/translate';
import type { MessageDto } from '../../../client/generated/types.gen';

/** What stands for a message without a text. */
export const TYPE_WORDS: Readonly<Record<MessageDto['type'], string>> = {
  Template: t('Template'),
  Text: t('Text', {}, 'a message'),
  Image: t('Image', {}, 'a message'),
  Video: t('Video', {}, 'a message'),
  Audio: t('Audio', {}, 'a message'),
  Document: t('Document', {}, 'a message'),
  Sticker: t('Sticker', {}, 'a message'),
  Button: t('Button', {}, 'a message'),
  Interactive: t('Interactive', {}, 'a message'),
  Reaction: t('Reaction', {}, 'a message'),
  Location: t('Location', {}, 'a message'),
  Contacts: t('Contacts', {}, 'a message'),
  Order: t('Order', {}, 'a message'),
  System: t('System', {}, 'a message'),
  Unsupported: t('Unsupported', {}, 'a message'),
  Other: t('Other', {}, 'a message'),
};

/** Whether the status is a final failure. */
export function hasFailed(status: MessageDto['status']): boolean {
  return status === 'Failed' || status === 'Undelivered' || status === 'Cancelled';
}
