import type { TemplateCategory } from './template';
import type { TemplateComponents } from './template-components';
import {
  type ButtonProducts,
  type FlowInput,
  type HeaderLocation,
  type HeaderMedia,
  withFileName,
  type Product,
  type TapTarget,
  type TemplateExtras,
} from './template-extras';
import { ParameterMismatchError } from './templates.errors';
import type { TemplateValues, ValueSlot } from './value-slots';

/** Types of media in a header. */
export type MediaType = 'image' | 'video' | 'document';

/** One value in its place; `name` only if the template has named placeholders. */
export type FilledParameter =
  | { kind: 'text'; text: string; name?: string }
  | { kind: 'couponCode'; code: string }
  | { kind: 'payload'; payload: string }
  | { kind: 'location'; location: HeaderLocation }
  | { kind: 'product'; product: Product }
  | { kind: 'media'; mediaType: MediaType; media: HeaderMedia }
  | { kind: 'flow'; flow: FlowInput }
  | { kind: 'products'; products: ButtonProducts };

/** What a button of a message does. */
export type ButtonAction = 'url' | 'copyCode' | 'quickReply' | 'flow' | 'catalog' | 'multiProduct';

/** A part of the message with values; `index` counts the buttons of the message, or of the card, from 0. */
export type FilledComponent =
  | { part: 'header' | 'body'; parameters: FilledParameter[] }
  | { part: 'button'; index: number; action: ButtonAction; parameters: FilledParameter[] }
  | { part: 'offer'; expiresAt: Date }
  | { part: 'tapTarget'; target: TapTarget }
  | { part: 'carousel'; cards: FilledComponent[][] };

/** A template with all its values, independent of the wire format. */
export interface FilledTemplate {
  name: string;
  languageCode: string;
  category: TemplateCategory;
  components: FilledComponent[];
}

/** The values and extras of one message. */
export interface TemplateFilling {
  values: readonly string[];
  extras: TemplateExtras | null;
  /** Id of the message, which is the flow token unless `extras` contains one. */
  messageId: string;
}

/** A recorded message: a revision of a template, and what to fill in. */
export interface UnfilledTemplate {
  messageId: string;
  revisionId: string;
  parameters: readonly string[];
  extras: TemplateExtras | null;
}

/** Media types by header format of a message or card. */
export const MEDIA_TYPES: Partial<Record<TemplateComponents['headerFormat'], MediaType>> = {
  Image: 'image',
  Video: 'video',
  Document: 'document',
};

/** The message parts to send to the platform; throws ParameterMismatchError for a missing value. */
export function filledComponents(
  components: TemplateComponents,
  { slots, buttons }: TemplateValues,
  { values, extras, messageId }: TemplateFilling,
): FilledComponent[] {
  const texts = (matches: (slot: ValueSlot) => boolean): FilledParameter[] =>
    slots.flatMap((slot, index) => {
      if (!matches(slot) || !('placeholder' in slot)) return [];
      const text = valueAt(values, index);
      return [
        components.parameterFormat === 'Named'
          ? { kind: 'text', text, name: slot.placeholder }
          : { kind: 'text', text },
      ];
    });
  const valueButtons = (card?: number): FilledComponent[] =>
    buttons
      .filter((button) => button.card === card)
      .map(({ index, kind, value }) => {
        const text = valueAt(values, value);
        return kind === 'url'
          ? { part: 'button', index, action: 'url', parameters: [{ kind: 'text', text }] }
          : { part: 'button', index, action: 'copyCode', parameters: [{ kind: 'couponCode', code: text }] };
      });
  const header = headerOf(components.headerFormat, extras) ?? texts(({ part }) => part === 'header');
  const body = texts(({ part }) => part === 'body');
  const filled: FilledComponent[] = [
    ...partOf('header', header),
    ...partOf('body', body),
    ...(extras?.offerExpiresAt ? [{ part: 'offer', expiresAt: new Date(extras.offerExpiresAt) } as const] : []),
    ...valueButtons(),
    ...inputButtons(components, extras, messageId),
    ...quickReplies(extras?.payloads),
    ...(extras?.tapTarget ? [{ part: 'tapTarget', target: extras.tapTarget } as const] : []),
  ];
  const cards = (extras?.cards ?? []).map((card, index): FilledComponent[] => [
    // A product carousel may be sent with more cards than its template has.
    ...partOf('header', headerOf((components.cards[index] ?? components.cards[0])!.headerFormat, card) ?? []),
    ...partOf(
      'body',
      texts((slot) => slot.part === 'cardBody' && slot.card === index),
    ),
    ...valueButtons(index),
    ...quickReplies(card.payloads),
  ]);
  return cards.length > 0 ? [...filled, { part: 'carousel', cards }] : filled;
}

function partOf(part: 'header' | 'body', parameters: FilledParameter[]): FilledComponent[] {
  return parameters.length > 0 ? [{ part, parameters }] : [];
}

/** The header's media, place or product; undefined: none. */
function headerOf(
  format: TemplateComponents['headerFormat'],
  extras: Pick<TemplateExtras, 'id' | 'link' | 'fileName' | 'location' | 'product'> | null,
): FilledParameter[] | undefined {
  const { id, link, fileName, location, product } = extras ?? {};
  const mediaType = MEDIA_TYPES[format];
  if (mediaType && (id ?? link) !== undefined) {
    const media = { ...(id !== undefined && { id }), ...(link !== undefined && { link }) };
    return [
      {
        kind: 'media',
        mediaType,
        media:
          mediaType === 'document' ? withFileName({ ...media, ...(fileName !== undefined && { fileName }) }) : media,
      },
    ];
  }
  if (format === 'Location' && location) return [{ kind: 'location', location }];
  if (format === 'Product' && product) return [{ kind: 'product', product }];
  return undefined;
}

/** Buttons with other input than values. The platform refuses a message without its flow button. */
function inputButtons(
  { buttons }: TemplateComponents,
  extras: TemplateExtras | null,
  messageId: string,
): FilledComponent[] {
  return buttons.flatMap(({ type }, index): FilledComponent[] => {
    if (type === 'Flow') {
      const flow = { token: messageId, ...extras?.flow };
      return [{ part: 'button', index, action: 'flow', parameters: [{ kind: 'flow', flow }] }];
    }
    const products = extras?.products;
    if (!products || (type !== 'Catalog' && type !== 'MultiProduct')) return [];
    const action = type === 'Catalog' ? 'catalog' : 'multiProduct';
    return [{ part: 'button', index, action, parameters: [{ kind: 'products', products }] }];
  });
}

function quickReplies(payloads: Record<string, string> = {}): FilledComponent[] {
  return Object.entries(payloads).map(([index, payload]) => ({
    part: 'button',
    index: Number(index),
    action: 'quickReply',
    parameters: [{ kind: 'payload', payload }],
  }));
}

function valueAt(values: readonly string[], index: number): string {
  const value = values[index];
  if (value === undefined) throw new ParameterMismatchError(index + 1, values.length);
  return value;
}
