import type { TemplateDto } from '../../../client/generated/types.gen';
import type { BubbleButton, BubbleCard, BubbleContent, BubbleHeader } from './bubble-content';
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
  part: 'header' | 'body' | 'button' | 'cardBody' | 'cardButton';
  /** The name of the placeholder, or the label of the button. */
  name: string;
  label: string;
  /** Index of the card; absent: it belongs to the message. */
  card?: number;
}

/** Content other than values, the same for all recipients. */
export interface BubbleExtras {
  /** URL of the picture or video, for the preview. */
  src?: string | null;
  fileName?: string | null;
  location?: { name: string; address: string } | null;
  productId?: string;
  /** When the offer ends, ISO 8601. */
  offerExpiresAt?: string;
  /** For each card; of a carousel of products, as many as are sent. */
  cards?: readonly { src?: string | null; productId?: string }[];
}

const NOTHING: NonNullable<BubbleExtras['cards']>[number] = {};
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

/** The values of a template in API order (docs/api.md): header, distinct body placeholders, buttons, then card by card. */
export function slotsOf(template: TemplateContents): ValueSlot[] {
  const { parameterFormat, headerText, bodyText, buttons, cards = [] } = template;
  const text = (part: 'header' | 'body' | 'cardBody', source: string) =>
    placeholdersOf(source, parameterFormat).map((name): ValueSlot => ({
      part,
      name,
      label: labelOf(part, name, template),
    }));
  const slots = [...text('header', headerText ?? ''), ...text('body', bodyText)];
  const isPassword = slots.some(({ part }) => part === 'body');
  for (const { type, text: name, url } of buttons) {
    if (type === 'Otp' && isPassword) continue;
    if (type === 'CopyCode') slots.push({ part: 'button', name, label: t('Code of “{name}”', { name }) });
    else if (type === 'Otp' || (type === 'Url' && URL_VARIABLE.test(url ?? ''))) {
      slots.push({ part: 'button', name, label: t('Link suffix of “{name}”', { name }) });
    }
  }
  cards.forEach((card, index) => {
    const links = card.buttons.filter(({ type, url }) => type === 'Url' && URL_VARIABLE.test(url ?? ''));
    const own = [
      ...text('cardBody', card.bodyText ?? ''),
      ...links.map(({ text: name }): ValueSlot => {
        return { part: 'cardButton', name, label: t('Link suffix of “{name}”', { name }) };
      }),
    ];
    for (const slot of own) {
      const label = t('Card {number}: {value}', { number: index + 1, value: slot.label });
      slots.push({ ...slot, label, card: index });
    }
  });
  return slots;
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
  const { offer, cards = [] } = template;
  const slots = slotsOf(template);
  const fill = (part: 'header' | 'body' | 'cardBody', text: string, card?: number) =>
    text.replace(PLACEHOLDERS[template.parameterFormat], (whole, found: string, start: number) => {
      const name = nameOf(found, template.parameterFormat);
      const at = slots.findIndex((slot) => slot.part === part && slot.name === name && slot.card === card);
      if (values[at]) return values[at];
      if (open === 'names') return openVariable(`{{${name}}}`);
      const rest = text.slice(start + whole.length);
      return openVariable(sampleOf(name, text.slice(0, start), rest, template.languageCode));
    });
  const ofButtons = (part: 'button' | 'cardButton', card?: number) =>
    values.filter((_value, at) => slots[at]?.part === part && slots[at].card === card);
  const password = values[slots.findIndex(({ part }) => part === 'body')];
  return {
    header: headerOf(template, fill, extras),
    ...(offer && { offer: { text: offer.text, expiresAt: (offer.hasExpiration && extras.offerExpiresAt) || null } }),
    body: fill('body', template.bodyText),
    footer: template.footerText,
    buttons: buttonsOf(template.buttons, ofButtons('button'), password),
    ...(cards.length > 0 && {
      cards: (extras.cards ?? cards.map(() => NOTHING)).map(({ src, productId = null }, index): BubbleCard => {
        const { headerFormat, bodyText, buttons } = cards[index] ?? cards[0]!;
        return {
          header:
            headerFormat === 'Product'
              ? { kind: 'product', productId }
              : { kind: headerFormat === 'Video' ? 'video' : 'image', src },
          body: fill('cardBody', bodyText ?? '', index),
          buttons: buttonsOf(buttons, ofButtons('cardButton', index)),
        };
      }),
    }),
  };
}

/** The buttons with their values, in order. `password`: that of the message. */
function buttonsOf(
  buttons: TemplateDto['buttons'],
  values: readonly (string | undefined)[],
  password?: string,
): BubbleButton[] {
  let next = 0;
  return buttons.map(({ type, text, url, phoneNumber }): BubbleButton => {
    const button = { kind: BUTTON_KINDS[type], text: text || t('Copy code') };
    if (type === 'Otp') return { ...button, value: password ?? null };
    if (type === 'CopyCode') return { ...button, value: values[next++] ?? null };
    if (type !== 'Url') return { ...button, value: phoneNumber };
    if (!URL_VARIABLE.test(url ?? '')) return { ...button, value: url };
    const ending = values[next++];
    return { ...button, value: ending ? (url ?? '').replace(URL_VARIABLE, () => ending) : url };
  });
}

function headerOf(
  { headerFormat, headerText }: TemplateContents,
  fill: (part: 'header', text: string) => string,
  { src, fileName, location, productId }: BubbleExtras,
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
    case 'Location':
      return { kind: 'location', name: location?.name ?? null, address: location?.address ?? null };
    case 'Product':
      return { kind: 'product', productId: productId ?? null };
    default:
      return null;
  }
}

function labelOf(part: 'header' | 'body' | 'cardBody', name: string, { parameterFormat }: TemplateContents): string {
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
