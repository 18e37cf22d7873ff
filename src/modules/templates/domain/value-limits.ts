import type { TemplateCategory } from './template';
import type { TemplateComponents } from './template-components';
import { charactersOf, PLACEHOLDERS, placeholderKey, type TemplateValues, URL_VARIABLE } from './value-slots';

/** Codes of values that do not fit a template. */
export const LIMIT_CODES = ['text_too_long', 'parameter_invalid'] as const;

/** Why a value does not fit a template; `value` is its index in the list of values. */
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

/** A text with values in it, whose length is limited. */
interface LimitedText {
  /** Characters around the values. */
  fixed: number;
  /** The index of each value in it, and how often it has the value. */
  uses: readonly (readonly [value: number, times: number])[];
  most: number;
  code: LimitError['code'];
  message: (length: number) => string;
}

/** The platform's limits once the values are filled in, in characters (its errors 132005 and 131009). */
const LONGEST_HEADER = 60;
const LONGEST_BODY = 1024;
const LONGEST_OFFER_BODY = 600;
/** Of a template that is a body alone. */
const LONGEST_BODY_ALONE = 32_768;
const LONGEST_URL = 2000;
const LONGEST_PASSWORD = 15;
const COUPON_CODE = /^[A-Za-z0-9]{1,20}$/;
const COUPON_CODE_MESSAGE = 'A coupon code must be 1 to 20 letters A to Z and digits.';
/** As `beyondValues` names a limited-time offer. */
const OFFER = 'limited time offer';

/** The limits of one template: what is fixed is measured once, so a list of values costs little more than a sum. */
export class ValueLimits {
  private readonly texts: readonly LimitedText[];
  private readonly coupons: readonly number[];

  constructor(contents: LimitedContents, values: TemplateValues) {
    this.texts = limitedTexts(contents, values).filter(({ uses }) => uses.length > 0);
    this.coupons = values.buttons.flatMap(({ kind, value }) => (kind === 'couponCode' ? [value] : []));
  }

  /** Whether the values fit; a missing one counts as empty. */
  fit(values: readonly string[]): boolean {
    // Never more characters than UTF-16 units: counting characters can wait.
    for (const text of this.texts) {
      if (lengthOf(text, values, unitsOf) > text.most && lengthOf(text, values, charactersOf) > text.most) return false;
    }
    for (const coupon of this.coupons) {
      const code = values[coupon];
      if (code !== undefined && !COUPON_CODE.test(code)) return false;
    }
    return true;
  }

  /** The errors of the values; of a text that is too long, the error of the value that takes most of it. */
  errorsOf(values: readonly string[]): LimitError[] {
    const tooLong = this.texts.flatMap((text): LimitError[] => {
      const { uses, most, code, message } = text;
      const length = lengthOf(text, values, charactersOf);
      if (length <= most) return [];
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
  const measured = (part: 'header' | 'body', text: string): Pick<LimitedText, 'fixed' | 'uses'> => {
    const times = new Map<number, number>();
    const rest = text.replace(PLACEHOLDERS[parameterFormat], (whole, placeholder: string) => {
      const key = placeholderKey(placeholder, parameterFormat);
      const value = slots.findIndex((slot) => slot.part === part && slot.placeholder === key);
      if (value < 0) return whole;
      times.set(value, (times.get(value) ?? 0) + 1);
      return '';
    });
    return { fixed: charactersOf(rest), uses: [...times] };
  };
  const body = measured('body', bodyText);
  const urls = buttons.filter(({ index }) => components.buttons[index]!.type === 'Url');
  return [
    { ...measured('header', headerText ?? ''), ...becomes('header', LONGEST_HEADER) },
    { ...body, ...becomes('body', longestBody(components, body.fixed)) },
    ...passwordsOf(category, components, body.uses, buttons).map((value) => ({
      ...{ fixed: 0, uses: [[value, 1] as const], most: LONGEST_PASSWORD, code: 'parameter_invalid' as const },
      message: (length: number) =>
        `A one-time password has at most ${LONGEST_PASSWORD} characters; this one has ${length}.`,
    })),
    ...urls.map(({ index, value }) => {
      const fixed = charactersOf((components.buttons[index]!.url ?? '').replace(URL_VARIABLE, ''));
      return { fixed, uses: [[value, 1] as const], ...becomes(`URL of button ${index + 1}`, LONGEST_URL) };
    }),
  ];
}

/** The platform takes longer texts in templates of a body alone, as an approved one shows that is longer without its values. */
function longestBody({ beyondValues }: TemplateComponents, fixed: number): number {
  if (fixed > LONGEST_BODY) return LONGEST_BODY_ALONE;
  return beyondValues.includes(OFFER) ? LONGEST_OFFER_BODY : LONGEST_BODY;
}

function passwordsOf(
  category: TemplateCategory,
  components: TemplateComponents,
  bodyUses: LimitedText['uses'],
  buttons: TemplateValues['buttons'],
): number[] {
  if (category === 'Authentication') return bodyUses.map(([value]) => value);
  return buttons.flatMap(({ index, value }) => (components.buttons[index]!.type === 'Otp' ? [value] : []));
}

function becomes(text: string, most: number): Pick<LimitedText, 'most' | 'code' | 'message'> {
  const message = (length: number) =>
    `With these values the ${text} is ${length} characters long; the platform accepts at most ${most}. Shorten a value.`;
  return { most, code: 'text_too_long', message };
}

function lengthOf(text: LimitedText, values: readonly string[], measure: (value: string) => number): number {
  let length = text.fixed;
  for (const [value, times] of text.uses) length += times * measure(values[value] ?? '');
  return length;
}

function unitsOf(text: string): number {
  return text.length;
}
