import type { ParameterFormat, TemplateComponents } from './template-components';

/** The place of one value in a template; `placeholder` is the text between the braces. */
export type ValueSlot =
  | { part: 'header' | 'body'; placeholder: string }
  | { part: 'button'; index: number; kind: 'url' | 'couponCode' }
  | { part: 'cardBody'; card: number; placeholder: string }
  | { part: 'cardButton'; card: number; index: number };

/** A button with value number `value` (from 0) of the list. */
export interface FilledButton {
  /** Index of the button's card; absent: it belongs to the message. */
  card?: number;
  index: number;
  kind: 'url' | 'couponCode';
  value: number;
}

/** The list of values of a template, and which of them its buttons use. */
export interface TemplateValues {
  slots: ValueSlot[];
  buttons: FilledButton[];
}

/** How placeholders of each format are written. */
export const PLACEHOLDERS: Record<ParameterFormat, RegExp> = {
  Positional: /\{\{\s*(\d+)\s*\}\}/g,
  Named: /\{\{\s*(\w+)\s*\}\}/g,
};
/** Imports of contacts read a column with this header as names, not as values. */
const NAME_COLUMN = 'name';
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
/** The variable of a link button. */
export const URL_VARIABLE = /\{\{[^{}]*\}\}/;

/**
 * The list of values: the header's, the body's distinct ones (by number, or by first appearance if they are named), those of the
 * buttons by index, then card by card those of its body and its buttons. The body and the button of a one-time password share one value.
 */
export function valuesOf(components: TemplateComponents): TemplateValues {
  const { parameterFormat, headerText, bodyText } = components;
  const slots: ValueSlot[] = [
    ...placeholdersOf(headerText ?? '', parameterFormat).map(
      (placeholder) => ({ part: 'header', placeholder }) as const,
    ),
    ...placeholdersOf(bodyText, parameterFormat).map((placeholder) => ({ part: 'body', placeholder }) as const),
  ];
  const password = slots.findIndex(({ part }) => part === 'body');
  const buttons: FilledButton[] = [];
  components.buttons.forEach(({ type, url }, index) => {
    if (type === 'Otp' && password >= 0) {
      buttons.push({ index, kind: 'url', value: password });
    } else if (type === 'Otp' || type === 'CopyCode' || (type === 'Url' && URL_VARIABLE.test(url ?? ''))) {
      const kind = type === 'CopyCode' ? 'couponCode' : 'url';
      buttons.push({ index, kind, value: slots.length });
      slots.push({ part: 'button', index, kind });
    }
  });
  components.cards.forEach(({ bodyText, buttons: cardButtons }, card) => {
    for (const placeholder of placeholdersOf(bodyText ?? '', parameterFormat)) {
      slots.push({ part: 'cardBody', card, placeholder });
    }
    cardButtons.forEach(({ type, url }, index) => {
      if (type !== 'Url' || !URL_VARIABLE.test(url ?? '')) return;
      buttons.push({ card, index, kind: 'url', value: slots.length });
      slots.push({ part: 'cardButton', card, index });
    });
  });
  return { slots, buttons };
}

/** Column titles of the values: the name of a named placeholder, otherwise number and part. */
export function titlesOf(components: TemplateComponents): string[] {
  return valuesOf(components).slots.map((slot, index) => {
    const number = `value ${index + 1}`;
    if (slot.part === 'button') return `${number} (${slot.kind === 'url' ? 'link ending' : 'coupon code'})`;
    if (slot.part === 'cardButton') return `${number} (card ${slot.card + 1}, link ending)`;
    if (slot.part === 'cardBody') return `${number} (card ${slot.card + 1}, {{${slot.placeholder}}})`;
    if (components.parameterFormat === 'Positional') return `${number} (${slot.part} {{${slot.placeholder}}})`;
    return slot.placeholder === NAME_COLUMN ? `${number} (${NAME_COLUMN})` : slot.placeholder;
  });
}

/** The name of each value's placeholder; null for numbered placeholders and buttons. */
export function namesOf(components: TemplateComponents): (string | null)[] {
  const isNamed = components.parameterFormat === 'Named';
  return valuesOf(components).slots.map((slot) => (isNamed && 'placeholder' in slot ? slot.placeholder : null));
}

/** The number of characters; a surrogate pair counts as one. */
export function charactersOf(text: string): number {
  return text.replace(SURROGATE_PAIR, '.').length;
}

/** Replaces each placeholder with the result of `valueOf`; undefined leaves the placeholder. */
export function fillText(text: string, format: ParameterFormat, valueOf: (placeholder: string) => string | undefined) {
  return text.replace(
    PLACEHOLDERS[format],
    (whole, placeholder: string) => valueOf(placeholderKey(placeholder, format)) ?? whole,
  );
}

function placeholdersOf(text: string, format: ParameterFormat): string[] {
  const found = [...text.matchAll(PLACEHOLDERS[format])].map(([, placeholder = '']) =>
    placeholderKey(placeholder, format),
  );
  const distinct = [...new Set(found)];
  return format === 'Positional' ? distinct.sort((a, b) => Number(a) - Number(b)) : distinct;
}

/** `{{01}}` and `{{1}}` are the same placeholder. */
export function placeholderKey(placeholder: string, format: ParameterFormat): string {
  return format === 'Positional' ? placeholder.replace(/^0+(?=\d)/, '') : placeholder;
}
