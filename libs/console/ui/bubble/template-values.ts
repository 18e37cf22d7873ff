import type { TemplateDto } from '../../../client/generated/types.gen';
import type { BubbleButton, BubbleContent, BubbleHeader, BubbleOffer } from './bubble-content';
import { dayAndTime } from '../format';
import { sampleOf } from './sample-values';
import { openVariable } from './whatsapp-text';
import { t } from '../../language/translate';

/** The contents of a template, stored or being edited. */
export type TemplateContents = Pick<
  TemplateDto,
  'parameterFormat' | 'headerFormat' | 'headerText' | 'bodyText' | 'footerText' | 'buttons'
> &
  Partial<Pick<TemplateDto, 'languageCode' | 'offer' | 'cards'>>;

/** One value of a template: the part it belongs to, and its label in a form. */
export interface ValueSlot {
  part: 'header' | 'body' | 'button';
  /** The index of its card; absent: it belongs to the message. */
  card?: number;
  /** The name of the placeholder, or the label of the button. */
  name: string;
  label: string;
}

/** Content other than values, the same for all recipients. */
export interface BubbleExtras {
  /** URL of the picture or video, for the preview. */
  src?: string | null;
  /** Those of the cards, in order. */
  cards?: readonly (string | null)[];
  fileName?: string | null;
  location?: { name: string; address: string } | null;
  /** That of the header, or one for each card, whose number they determine. */
  productIds?: readonly string[];
  /** When the offer ends, ISO 8601. */
  offerExpiresAt?: string;
}

const PLACEHOLDERS = { Positional: /\{\{\s*(\d+)\s*\}\}/g, Named: /\{\{\s*(\w+)\s*\}\}/g };
const URL_VARIABLE = /\{\{[^{}]*\}\}/;

const BUTTON_KINDS: Record<TemplateDto['buttons'][number]['type'], BubbleButton['kind']> = {
  QuickReply: 'reply',
  Url: 'link',
  PhoneNumber: 'call',
  VoiceCall: 'call',
  CopyCode: 'copy',
  Otp: 'copy',
  Flow: 'form',
  Catalog: 'other',
  MultiProduct: 'other',
  Product: 'other',
  RequestContactInfo: 'other',
  Other: 'other',
};

/** Labels that WhatsApp gives. */
const DEFAULT_LABELS: Partial<Record<TemplateDto['buttons'][number]['type'], string>> = {
  RequestContactInfo: t('Share contact info'),
};

/** The values of a template in API order (docs/api.md): header, distinct body placeholders, buttons, then those of each card. */
export function slotsOf(template: TemplateContents): ValueSlot[] {
  const { parameterFormat, headerText, bodyText, buttons, cards = [] } = template;
  const text = (part: 'header' | 'body', source: string) =>
    placeholdersOf(source, parameterFormat).map((name): ValueSlot => ({
      part,
      name,
      label: labelOf(part, name, template),
    }));
  const texts = [...text('header', headerText ?? ''), ...text('body', bodyText)];
  const hasPassword = texts.some(({ part }) => part === 'body');
  const ofMessage = buttons.filter(({ type }) => type !== 'Otp' || !hasPassword);
  const ofCards = cards.flatMap((card, index) =>
    [...text('body', card.bodyText ?? ''), ...buttonSlots(card.buttons)].map((slot) => ({
      ...slot,
      card: index,
      label: t('{value} of card {number, number}', { value: slot.label, number: index + 1 }),
    })),
  );
  return [...texts, ...buttonSlots(ofMessage), ...ofCards];
}

function buttonSlots(buttons: TemplateContents['buttons']): ValueSlot[] {
  return buttons.flatMap(({ type, text: name, url }): ValueSlot[] => {
    if (type === 'CopyCode')
      return [{ part: 'button', name, label: t('Code of “{name}”', { name: name || t('Copy code') }) }];
    if (type !== 'Otp' && (type !== 'Url' || !URL_VARIABLE.test(url ?? ''))) return [];
    return [{ part: 'button', name, label: t('Link suffix of “{name}”', { name }) }];
  });
}

/**
 * The bubble of a template with values filled in. Missing and empty values are marked as variables: by default as samples, and with
 * `open` as `names` as the placeholders of a message that lacks them.
 */
export function bubbleOfTemplate(
  template: TemplateContents,
  values: readonly (string | undefined)[] = [],
  extras: BubbleExtras = {},
  open: 'samples' | 'names' = 'samples',
): BubbleContent {
  const slots = slotsOf(template);
  const fill = (part: 'header' | 'body', text: string, card?: number) =>
    text.replace(PLACEHOLDERS[template.parameterFormat], (whole, found: string, start: number) => {
      const name = nameOf(found, template.parameterFormat);
      const at = slots.findIndex((slot) => slot.part === part && slot.card === card && slot.name === name);
      if (values[at]) return values[at];
      if (open === 'names') return openVariable(`{{${name}}}`);
      const rest = text.slice(start + whole.length);
      return openVariable(sampleOf(name, text.slice(0, start), rest, template.languageCode));
    });
  const password = values[slots.findIndex(({ part }) => part === 'body')];
  const shownButtons = (buttons: TemplateContents['buttons'], card?: number) => {
    const given = slots.flatMap((slot, at) => (slot.part === 'button' && slot.card === card ? [values[at]] : []));
    return buttons.map((button) => buttonOf(button, password, () => given.shift()));
  };
  return {
    header: headerOf(template, fill, extras),
    offer: template.offer && offerOf(template.offer, extras.offerExpiresAt),
    body: fill('body', template.bodyText),
    footer: template.footerText,
    buttons: shownButtons(template.buttons),
    cards: shownCards(template, extras).map(({ headerFormat, bodyText, buttons }, card) => ({
      header:
        headerFormat === 'Product'
          ? { kind: 'product', productId: extras.productIds?.[card] }
          : { kind: headerFormat === 'Video' ? 'video' : 'image', src: extras.cards?.[card] },
      body: fill('body', bodyText ?? '', card),
      buttons: shownButtons(buttons, card),
    })),
  };
}

/** The cards of a message: of products, as many as it has. */
function shownCards({ cards = [] }: TemplateContents, { productIds }: BubbleExtras): TemplateDto['cards'] {
  const [first] = cards;
  if (first?.headerFormat !== 'Product' || !productIds) return cards;
  return productIds.map((_id, index) => cards[index] ?? first);
}

/** `next`: the next value of a button. */
function buttonOf(
  { type, text, url, phoneNumber }: TemplateContents['buttons'][number],
  password: string | undefined,
  next: () => string | undefined,
): BubbleButton {
  const button = { kind: BUTTON_KINDS[type], text: text || DEFAULT_LABELS[type] || t('Copy code') };
  if (type === 'Otp') return { ...button, value: password ?? null };
  if (type === 'CopyCode') return { ...button, value: next() ?? null };
  if (type !== 'Url') return { ...button, value: phoneNumber };
  if (!URL_VARIABLE.test(url ?? '')) return { ...button, value: url };
  const ending = next();
  return { ...button, value: ending ? (url ?? '').replace(URL_VARIABLE, () => ending) : url };
}

function offerOf({ text, hasExpiration }: NonNullable<TemplateContents['offer']>, expiresAt?: string): BubbleOffer {
  if (!hasExpiration) return { text, note: null };
  const note = expiresAt
    ? t('Ends {time}', { time: dayAndTime(new Date(expiresAt)) })
    : t('Ends at the time given when sending');
  return { text, note };
}

function headerOf(
  { headerFormat, headerText }: TemplateContents,
  fill: (part: 'header', text: string) => string,
  { src, fileName, location, productIds }: BubbleExtras,
): BubbleHeader | null {
  switch (headerFormat) {
    case 'Text':
      return headerText ? { kind: 'text', text: fill('header', headerText) } : null;
    case 'Image':
      return { kind: 'image', src };
    case 'Video':
      return { kind: 'video', src };
    case 'Document':
      return { kind: 'document', fileName: fileName ?? null };
    case 'Product':
      return { kind: 'product', productId: productIds?.[0] };
    case 'Location':
      return { kind: 'location', name: location?.name ?? null, address: location?.address ?? null };
    default:
      return null;
  }
}

function labelOf(part: 'header' | 'body', name: string, { parameterFormat }: TemplateContents): string {
  if (parameterFormat === 'Named') return name.replaceAll('_', ' ');
  const placeholder = `{{${name}}}`;
  return part === 'header' ? t('{placeholder} in the header', { placeholder }) : placeholder;
}

function placeholdersOf(text: string, format: TemplateDto['parameterFormat']): string[] {
  const found = [...text.matchAll(PLACEHOLDERS[format])].map(([, name = '']) => nameOf(name, format));
  const distinct = [...new Set(found)];
  return format === 'Positional' ? distinct.sort((a, b) => Number(a) - Number(b)) : distinct;
}

/** `{{01}}` and `{{1}}` are the same placeholder. */
function nameOf(placeholder: string, format: TemplateDto['parameterFormat']): string {
  return format === 'Positional' ? placeholder.replace(/^0+(?=\d)/, '') : placeholder;
}
