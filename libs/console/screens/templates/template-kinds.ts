import type { ButtonDraftDto, TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** What a template is for; it decides which parts it has. */
export const KINDS = [
  'Message',
  'Form',
  'Offer',
  'Carousel',
  'Catalog',
  'Products',
  'Product',
  'CallRequest',
  'Password',
] as const;
/** See KINDS. */
export type Kind = (typeof KINDS)[number];

type HeaderFormat = TemplateDto['headerFormat'];
type ButtonType = ButtonDraftDto['type'];

/** The parts of a kind of template. */
export interface KindRules {
  /** The first one is that of a new template. */
  categories: readonly TemplateDto['category'][];
  /** The first one is that of a new template. */
  headers: readonly HeaderFormat[];
  hasFooter: boolean;
  /** The buttons that it always has. */
  buttons: readonly ButtonDraftDto[];
  /** The buttons that it may have beside them. */
  addable: readonly ButtonType[];
}

const ANY: KindRules['categories'] = ['Utility', 'Marketing'];
const MARKETING: KindRules['categories'] = ['Marketing'];
const TEXT_OR_MEDIA: readonly HeaderFormat[] = ['None', 'Text', 'Image', 'Video', 'Document'];
const NONE = { headers: ['None'], hasFooter: false, buttons: [], addable: [] } as const;

/** The rules of each kind. */
export const KIND_RULES: Readonly<Record<Kind, KindRules>> = {
  Message: {
    ...{ categories: ANY, headers: [...TEXT_OR_MEDIA, 'Location'], hasFooter: true, buttons: [] },
    addable: ['QuickReply', 'Url', 'PhoneNumber', 'CopyCode', 'VoiceCall', 'RequestContactInfo'],
  },
  Form: { categories: ANY, headers: TEXT_OR_MEDIA, hasFooter: true, buttons: [{ type: 'Flow' }], addable: [] },
  Offer: {
    ...{ ...NONE, categories: MARKETING, headers: ['None', 'Image', 'Video'] },
    buttons: [{ type: 'CopyCode' }, { type: 'Url' }],
  },
  Carousel: { ...NONE, categories: MARKETING },
  Catalog: {
    ...{ ...NONE, categories: MARKETING, hasFooter: true },
    buttons: [{ type: 'Catalog', text: t('View catalog') }],
  },
  Products: {
    ...{ ...NONE, categories: MARKETING, headers: ['Text'], hasFooter: true },
    buttons: [{ type: 'MultiProduct', text: t('View items') }],
  },
  Product: {
    ...{ ...NONE, categories: MARKETING, headers: ['Product'], hasFooter: true },
    buttons: [{ type: 'Product', text: t('View', {}, 'button of a template') }],
  },
  CallRequest: { ...NONE, categories: ANY },
  Password: { ...NONE, categories: ['Authentication'], buttons: [{ type: 'Otp', otpType: 'CopyCode' }] },
};

/** The kinds to choose from, each in a sentence. */
export const KIND_CHOICES: readonly { value: Kind; label: string }[] = [
  { value: 'Message', label: t('Message: a text, with a picture, a file or buttons') },
  { value: 'Form', label: t('Form: a button opens a flow, such as a booking') },
  { value: 'Offer', label: t('Limited-time offer: a code to copy, with a countdown') },
  { value: 'Carousel', label: t('Carousel: 2 to 10 cards to swipe, each with a picture and buttons') },
  { value: 'Catalog', label: t('Catalog: a button opens all your products') },
  { value: 'Products', label: t('Products: a button opens a list of products that you choose') },
  { value: 'Product', label: t('Product: shows one product of your catalog') },
  { value: 'CallRequest', label: t('Call request: asks the person whether you may call') },
  { value: 'Password', label: t('One-time password: a code to sign in') },
];

/** The kind of a stored template. A call request is listed like a message. */
export function kindOf({ category, cards, offer, headerFormat, buttons }: TemplateDto): Kind {
  const has = (type: TemplateDto['buttons'][number]['type']) => buttons.some((button) => button.type === type);
  if (category === 'Authentication') return 'Password';
  if (cards.length > 0) return 'Carousel';
  if (offer) return 'Offer';
  if (has('Flow')) return 'Form';
  if (has('Catalog')) return 'Catalog';
  if (has('MultiProduct')) return 'Products';
  return headerFormat === 'Product' ? 'Product' : 'Message';
}
