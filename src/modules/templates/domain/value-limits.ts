import type { TemplateCategory } from './template';
import type { HeaderFormat, TemplateComponents } from './template-components';
import {
  charactersOf,
  type FilledButton,
  PLACEHOLDERS,
  placeholderKey,
  type TemplateValues,
  URL_VARIABLE,
  type ValueSlot,
} from './value-slots';

/** Codes of values that exceed limits of a template. */
export const LIMIT_CODES = ['text_too_long', 'parameter_invalid'] as const;

/** Why a value exceeds a limit of a template; `value` is its index in the list of values. */
export interface LimitError {
  value: number;
  code: (typeof LIMIT_CODES)[number];
  message: string;
}

/** The contents that the limits are derived from. */
interface LimitedContents {
  category: TemplateCategory;
  components: TemplateComponents;
}

/** A text with values and a limited length. */
interface LimitedText {
  /** Characters around the values. */
  fixed: number;
  /** The index of each value in the text, and how often it occurs. */
  uses: readonly (readonly [value: number, times: number])[];
  max: number;
  code: LimitError['code'];
  message: (length: number) => string;
}

/** The platform's limits once the values are filled in, in characters (its errors 132005 and 131009). */
const MAX_HEADER = 60;
const MAX_BODY = 1024;
const MAX_OFFER_BODY = 600;
const MAX_PRODUCT_BODY = 160;
const MAX_CARD_BODY = 160;
/** For a template with only a body. */
const MAX_BODY_WITHOUT_OTHER_PARTS = 32_768;
const MAX_URL = 2000;
const MAX_PASSWORD = 15;
const COUPON_CODE = /^[A-Za-z0-9]{1,20}$/;
const COUPON_CODE_MESSAGE = 'A coupon code must be 1 to 20 letters A to Z and digits.';

/** Maximum length of a body with other parts, in characters. */
export function maxBodyLength(headerFormat: HeaderFormat, hasOffer: boolean): number {
  if (headerFormat === 'Product') return MAX_PRODUCT_BODY;
  return hasOffer ? MAX_OFFER_BODY : MAX_BODY;
}

/** The limits of one template. Fixed text is measured once, so checking values costs little more than a sum. */
export class ValueLimits {
  private readonly texts: readonly LimitedText[];
  private readonly coupons: readonly number[];

  constructor(contents: LimitedContents, values: TemplateValues) {
    this.texts = limitedTexts(contents, values).filter(({ uses }) => uses.length > 0);
    this.coupons = values.buttons.flatMap(({ kind, value }) => (kind === 'couponCode' ? [value] : []));
  }

  /** Whether the values are within the limits; a missing one counts as empty. */
  areWithin(values: readonly string[]): boolean {
    // A text has at most as many characters as UTF-16 units, so most texts need no counting.
    for (const text of this.texts) {
      if (lengthOf(text, values, unitsOf) > text.max && lengthOf(text, values, charactersOf) > text.max) return false;
    }
    for (const coupon of this.coupons) {
      const code = values[coupon];
      if (code !== undefined && !COUPON_CODE.test(code)) return false;
    }
    return true;
  }

  /** The errors of the values; for a text that is too long, that of the value with the largest share. */
  errorsOf(values: readonly string[]): LimitError[] {
    const tooLong = this.texts.flatMap((text): LimitError[] => {
      const { uses, max, code, message } = text;
      const length = lengthOf(text, values, charactersOf);
      if (length <= max) return [];
      const lengths = uses.map(([value, times]) => times * charactersOf(values[value] ?? ''));
      const [value] = uses[lengths.indexOf(Math.max(...lengths))]!;
      return [{ value, code, message: message(length) }];
    });
    const coupons = this.coupons.filter((value) => values[value] !== undefined && !COUPON_CODE.test(values[value]));
    return [
      ...tooLong,
      ...coupons.map((value) => ({ value, code: 'parameter_invalid' as const, message: COUPON_CODE_MESSAGE })),
    ];
  }
}

function limitedTexts({ category, components }: LimitedContents, { slots, buttons }: TemplateValues): LimitedText[] {
  const { headerText, bodyText, parameterFormat } = components;
  const measured = (text: string, isIn: (slot: ValueSlot) => boolean): Pick<LimitedText, 'fixed' | 'uses'> => {
    const times = new Map<number, number>();
    const rest = text.replace(PLACEHOLDERS[parameterFormat], (whole, placeholder: string) => {
      const key = placeholderKey(placeholder, parameterFormat);
      const value = slots.findIndex((slot) => isIn(slot) && 'placeholder' in slot && slot.placeholder === key);
      if (value < 0) return whole;
      times.set(value, (times.get(value) ?? 0) + 1);
      return '';
    });
    return { fixed: charactersOf(rest), uses: [...times] };
  };
  const body = measured(bodyText, ({ part }) => part === 'body');
  const buttonOf = ({ card, index }: FilledButton) =>
    (card === undefined ? components : components.cards[card]!).buttons[index]!;
  const urls = buttons.filter((button) => buttonOf(button).type === 'Url');
  return [
    { ...measured(headerText ?? '', ({ part }) => part === 'header'), ...limitOf('header', MAX_HEADER) },
    { ...body, ...limitOf('body', maxBody(components, body.fixed)) },
    ...passwordsOf(category, components, body.uses, buttons).map((value) => ({
      ...{ fixed: 0, uses: [[value, 1] as const], max: MAX_PASSWORD, code: 'parameter_invalid' as const },
      message: (length: number) =>
        `A one-time password has at most ${MAX_PASSWORD} characters; this one has ${length}.`,
    })),
    ...components.cards.map(({ bodyText: text }, card) => ({
      ...measured(text ?? '', (slot) => slot.part === 'cardBody' && slot.card === card),
      ...limitOf(`body of card ${card + 1}`, MAX_CARD_BODY),
    })),
    ...urls.map((button) => {
      const { card, index, value } = button;
      const fixed = charactersOf((buttonOf(button).url ?? '').replace(URL_VARIABLE, ''));
      const name = `URL of button ${index + 1}${card === undefined ? '' : ` of card ${card + 1}`}`;
      return { fixed, uses: [[value, 1] as const], ...limitOf(name, MAX_URL) };
    }),
  ];
}

/** The platform accepts longer texts in templates with only a body: an approved one may exceed the limit even without values. */
function maxBody({ headerFormat, offer }: TemplateComponents, fixed: number): number {
  if (fixed > MAX_BODY) return MAX_BODY_WITHOUT_OTHER_PARTS;
  return maxBodyLength(headerFormat, offer !== null);
}

function passwordsOf(
  category: TemplateCategory,
  components: TemplateComponents,
  bodyUses: LimitedText['uses'],
  buttons: TemplateValues['buttons'],
): number[] {
  if (category === 'Authentication') return bodyUses.map(([value]) => value);
  return buttons.flatMap(({ card, index, value }) =>
    card === undefined && components.buttons[index]!.type === 'Otp' ? [value] : [],
  );
}

function limitOf(text: string, max: number): Pick<LimitedText, 'max' | 'code' | 'message'> {
  const message = (length: number) =>
    `With these values the ${text} is ${length} characters long; the platform accepts at most ${max}. Shorten a value.`;
  return { max, code: 'text_too_long', message };
}

function lengthOf(text: LimitedText, values: readonly string[], measure: (value: string) => number): number {
  let length = text.fixed;
  for (const [value, times] of text.uses) length += times * measure(values[value] ?? '');
  return length;
}

function unitsOf(text: string): number {
  return text.length;
}
