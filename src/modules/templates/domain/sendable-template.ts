import type { FieldError } from '../../../kernel/domain-error';
import type { TemplateCategory } from './template';
import type { ButtonType, HeaderFormat, TemplateComponents } from './template-components';
import type { TemplateExtras } from './template-extras';
import { errorsOfExtras } from './extras-rules';
import { filledComponents, type FilledTemplate, MEDIA_TYPES, type TemplateFilling } from './filled-template';
import {
  ExtrasMismatchError,
  InvalidValuesError,
  LocationMissingError,
  MediaMismatchError,
  ParameterMismatchError,
  PayloadMismatchError,
  RecipientIdNotAllowedError,
  ValueMismatchError,
} from './templates.errors';
import { errorOfValue, VALUE_CODES } from './value-error';
import { LIMIT_CODES, type LimitError, ValueLimits } from './value-limits';
import { fillText, namesOf, titlesOf, type TemplateValues, type ValueSlot, valuesOf } from './value-slots';

/** The properties of a template that a send needs. */
export interface TemplateContents {
  revisionId: string;
  name: string;
  languageCode: string;
  category: TemplateCategory;
  components: TemplateComponents;
}

/** Codes of values that cannot be sent with a template. */
export const TEMPLATE_VALUE_CODES = [...VALUE_CODES, ...LIMIT_CODES] as const;
/** Why a value cannot be sent with a template. */
export type TemplateValueError = FieldError<(typeof TEMPLATE_VALUE_CODES)[number]>;
/** Why the values of a recipient cannot be sent with a template. */
export type RecipientValueError = FieldError<(typeof LIMIT_CODES)[number]>;

/** Why the extras of a send do not match the template. */
export type ExtrasRejection = LocationMissingError | MediaMismatchError | PayloadMismatchError | ExtrasMismatchError;

/** Types of buttons with input other than values and payloads. */
const INPUT_BUTTONS: readonly ButtonType[] = ['Flow', 'Catalog', 'MultiProduct'];

/** One revision of a template, which checks values and fills them in. */
export class SendableTemplate {
  readonly revisionId: string;
  readonly name: string;
  readonly languageCode: string;
  readonly category: TemplateCategory;
  readonly headerFormat: HeaderFormat;
  /** Number of values that a send needs. */
  readonly valueCount: number;
  private readonly components: TemplateComponents;
  private readonly values: TemplateValues;
  private readonly limits: ValueLimits;

  constructor(contents: TemplateContents) {
    this.revisionId = contents.revisionId;
    this.name = contents.name;
    this.languageCode = contents.languageCode;
    this.category = contents.category;
    this.components = contents.components;
    this.headerFormat = contents.components.headerFormat;
    this.values = valuesOf(contents.components);
    this.valueCount = this.values.slots.length;
    this.limits = new ValueLimits(contents, this.values);
  }

  /**
   * Throws ParameterMismatchError when the count differs, InvalidValuesError when a value cannot be sent with any template,
   * ValueMismatchError when one exceeds a limit of this template.
   */
  checkValues(values: readonly string[]): void {
    const mismatch = this.mismatchOf(values);
    if (mismatch) throw mismatch;
    const errors = this.errorsOf(values);
    const invalid = errors.filter(({ code }) => !isLimit(code));
    if (invalid.length > 0) throw new InvalidValuesError(invalid);
    if (errors.length > 0) throw new ValueMismatchError(this.valueCount, errors);
  }

  /** Whether the platform accepts recipients by user id: not of one-time passwords. */
  get allowsUserIds(): boolean {
    return this.category !== 'Authentication';
  }

  /**
   * Whether the other revision takes the same values and media in the same places and has the same quick-reply buttons, which may
   * have payloads; other text may differ.
   */
  acceptsSameValuesAs(other: SendableTemplate): boolean {
    const places = ({ values, components }: SendableTemplate) => {
      const { headerFormat, parameterFormat, buttons, offer, cards, unsupported } = components;
      const inputs = [buttons, ...cards.map((card) => card.buttons)].map((list) =>
        list.flatMap(({ type, text }, index) =>
          type === 'QuickReply' ? [[index, type, text]] : INPUT_BUTTONS.includes(type) ? [[index, type]] : [],
        ),
      );
      const formats = [headerFormat, parameterFormat, offer !== null, ...cards.map((card) => card.headerFormat)];
      return JSON.stringify([formats, values.slots, values.buttons, inputs, unsupported]);
    };
    return places(this) === places(other);
  }

  /** The error of the number of values, or null. */
  mismatchOf(values: readonly string[]): ParameterMismatchError | null {
    return values.length === this.valueCount ? null : new ParameterMismatchError(this.valueCount, values.length);
  }

  /**
   * All errors of the values: first those invalid in every template, then those that exceed limits of this template. Previews, single
   * sends and job recipients are all validated by this; a missing value has no error.
   */
  errorsOf(values: readonly string[]): TemplateValueError[] {
    if (this.areSendable(values)) return [];
    const fieldOf = (value: number) => `templateParameters[${value}].text`;
    const invalid = values.flatMap((text, value) => {
      const error = errorOfValue(text);
      return error ? [{ value, code: error.code, message: `${fieldOf(value)} ${error.message}` }] : [];
    });
    const exceeding = this.limits
      .errorsOf(values)
      .filter((limit) => !invalid.some(({ value }) => value === limit.value));
    return [...invalid, ...exceeding].map(({ value, code, message }) => ({ field: fieldOf(value), code, message }));
  }

  /** The first error of a recipient's values, with fields `parameter 1`, `parameter 2`, …; null if they can be sent. */
  errorOfRecipient(values: readonly string[]): RecipientValueError | null {
    if (this.areSendable(values)) return null;
    const invalid = values.findIndex((value) => errorOfValue(value) !== null);
    if (invalid >= 0) {
      const field = `parameter ${invalid + 1}`;
      return { field, code: 'parameter_invalid', message: `${field} ${errorOfValue(values[invalid]!)!.message}` };
    }
    const [{ value, code, message }] = this.limits.errorsOf(values) as [LimitError];
    return { field: `parameter ${value + 1}`, code, message };
  }

  /**
   * Throws MediaMismatchError unless a media header has exactly one media, a file name only for a document, and other headers none;
   * LocationMissingError for a location header without a place; PayloadMismatchError for a payload without a quick-reply button;
   * ExtrasMismatchError for the other extras (extras-rules.ts). An offer must end after `now`.
   */
  checkExtras(extras: TemplateExtras | null, now: Date): void {
    const [error] = this.extrasErrors(extras, now);
    if (error) throw error;
  }

  /** Every error of the extras, in the order of `checkExtras`. */
  extrasErrors(extras: TemplateExtras | null, now: Date): ExtrasRejection[] {
    const others = errorsOfExtras(this.components, extras, now);
    return [
      this.headerError(extras),
      this.payloadError(Object.keys(extras?.payloads ?? {})),
      others.length > 0 ? new ExtrasMismatchError(others) : null,
    ].filter((error) => error !== null);
  }

  private headerError(extras: TemplateExtras | null): LocationMissingError | MediaMismatchError | null {
    const { id, link, fileName, location } = extras ?? {};
    if (this.headerFormat === 'Location' && location === undefined) return new LocationMissingError(this.name);
    const given = [id, link].filter((reference) => reference !== undefined).length;
    const needed = MEDIA_TYPES[this.headerFormat] ? 1 : 0;
    const isNamed = fileName !== undefined && this.headerFormat !== 'Document';
    const isPlaced = location !== undefined && this.headerFormat !== 'Location';
    const isFit = given === needed && !isNamed && !isPlaced;
    return isFit ? null : new MediaMismatchError(this.headerFormat, given, isPlaced);
  }

  /** Throws PayloadMismatchError unless the button at each of these indices is a quick-reply button. */
  checkQuickReplies(keys: readonly string[]): void {
    const error = this.payloadError(keys);
    if (error) throw error;
  }

  private payloadError(keys: readonly string[]): PayloadMismatchError | null {
    const indices = this.quickReplies().map(({ index }) => String(index));
    return keys.every((key) => indices.includes(key)) ? null : new PayloadMismatchError(indices, keys.length);
  }

  /**
   * Checks a message to one recipient and fills it in. Throws the errors of `checkExtras` and `checkValues`, and
   * RecipientIdNotAllowedError for a recipient by user id if the platform does not accept these.
   */
  prepare(filling: TemplateFilling, isByUserId: boolean, now: Date): FilledTemplate {
    this.checkExtras(filling.extras, now);
    this.checkValues(filling.values);
    if (isByUserId && !this.allowsUserIds) throw new RecipientIdNotAllowedError();
    return this.fill(filling);
  }

  /** Fills in checked values and extras. */
  fill(filling: TemplateFilling): FilledTemplate {
    const { name, languageCode, category } = this;
    return { name, languageCode, category, components: filledComponents(this.components, this.values, filling) };
  }

  /** Column titles of the values, for files. */
  valueTitles(): string[] {
    return titlesOf(this.components);
  }

  /** The name of each value's placeholder; null for numbered placeholders and buttons. */
  valueNames(): (string | null)[] {
    return namesOf(this.components);
  }

  /** The quick-reply buttons of the message, each with its index among all buttons. */
  quickReplies(): { index: number; label: string }[] {
    return this.components.buttons.flatMap(({ type, text: label }, index) =>
      type === 'QuickReply' ? [{ index, label }] : [],
    );
  }

  /** Whether it has a Flow button. */
  get hasFlow(): boolean {
    return this.components.buttons.some(({ type }) => type === 'Flow');
  }

  /** Whether the header shows an image, a video or a document. */
  get hasMediaHeader(): boolean {
    return MEDIA_TYPES[this.headerFormat] !== undefined;
  }

  /** The text of the message: header, body and footer, separated by blank lines. */
  render(values: readonly string[]): string {
    const { headerText, bodyText, footerText } = this.components;
    const parts = [
      this.fillPart('header', headerText ?? '', values),
      this.fillPart('body', bodyText, values),
      footerText,
    ];
    return parts.filter(Boolean).join('\n\n');
  }

  private areSendable(values: readonly string[]): boolean {
    for (const value of values) if (errorOfValue(value) !== null) return false;
    return this.limits.areWithin(values);
  }

  private fillPart(part: 'header' | 'body', text: string, values: readonly string[]): string {
    const isSlot = (slot: ValueSlot, placeholder: string) => slot.part === part && slot.placeholder === placeholder;
    return fillText(text, this.components.parameterFormat, (placeholder) => {
      return values[this.values.slots.findIndex((slot) => isSlot(slot, placeholder))];
    });
  }
}

function isLimit(code: TemplateValueError['code']): boolean {
  return (LIMIT_CODES as readonly string[]).includes(code);
}
