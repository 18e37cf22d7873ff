import type { MessageDto, TemplateDto } from '../../client/generated/types.gen';
import { t } from '../language/translate';
import { humanize } from '../ui/format';

/** The word for each type of message. */
const TYPE_WORDS: Readonly<Record<MessageDto['type'], string>> = {
  Template: t('Template'),
  Text: t('Text', {}, 'a message'),
  Image: t('Image', {}, 'a message'),
  Video: t('Video', {}, 'a message'),
  Audio: t('Voice message'),
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

/** The text of a message in one line or, without one, the word for its type. */
export function textOf({ renderedText, type }: Pick<MessageDto, 'renderedText' | 'type'>): string {
  return renderedText ?? TYPE_WORDS[type];
}

/** A preview as the service writes it: the beginning of a message, or its type where it has no text. */
export function previewWords(preview: string): string {
  return (TYPE_WORDS as Readonly<Record<string, string | undefined>>)[preview] ?? preview;
}

/** The word for each status of a template. */
export const TEMPLATE_STATUS_WORDS: Readonly<Record<TemplateDto['status'], string>> = {
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
export const CATEGORY_WORDS: Readonly<Record<TemplateDto['category'], string>> = {
  Marketing: t('Marketing'),
  Utility: t('Utility'),
  Authentication: t('Authentication'),
};

/** The words for the platform's rates. */
const RATE_WORDS: Readonly<Record<string, string>> = {
  marketing: CATEGORY_WORDS.Marketing,
  marketing_lite: CATEGORY_WORDS.Marketing,
  utility: CATEGORY_WORDS.Utility,
  authentication: CATEGORY_WORDS.Authentication,
  authentication_international: t('International authentication'),
  service: t('Service', {}, 'a rate'),
  referral_conversion: t('Reply to an ad', {}, 'a rate'),
};

/** The rate of a message in words. */
export function rateWord(rate: string): string {
  return RATE_WORDS[rate] ?? humanize(rate);
}

/** The word for each quality rating of a template or a number. */
export const QUALITY_WORDS: Readonly<Record<NonNullable<TemplateDto['qualityRating']>, string>> = {
  Green: t('Good', {}, 'quality'),
  Yellow: t('Medium', {}, 'quality'),
  Red: t('Poor', {}, 'quality'),
  Unknown: t('Not rated'),
};
