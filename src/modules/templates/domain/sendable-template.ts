import type { FieldError } from '../../../kernel/domain-error';
import type { TemplateCategory } from './template';
import type { HeaderFormat, TemplateComponents } from './template-components';
import { type HeaderLocation, type HeaderMedia, named, type TemplateExtras } from './template-extras';
import {
  InvalidValuesError,
  LocationMissingError,
  MediaMismatchError,
  ParameterMismatchError,
  PayloadMismatchError,
  ValueMismatchError,
} from './templates.errors';
import { errorOfValue, VALUE_CODES } from './value-error';
import { LIMIT_CODES, type LimitError, ValueLimits } from './value-limits';
import { fillText, titlesOf, type TemplateValues, type ValueSlot, valuesOf } from './value-slots';

/** One value in its place; `name` only if the template has named placeholders. */
export type FilledParameter =
  | { kind: 'text'; text: string; name?: string }
  | { kind: 'couponCode'; code: string }
  | { kind: 'payload'; payload: string }
  | { kind: 'location'; location: HeaderLocation }
  | { kind: 'media'; mediaType: 'image' | 'video' | 'document'; media: HeaderMedia };

/** A part of the message with values; `index` counts all buttons of the template from 0. */
export type FilledComponent =
  | { part: 'header' | 'body'; parameters: FilledParameter[] }
  | {
      part: 'button';
      index: number;
      action: 'url' | 'copyCode' | 'quickReply' | 'flow';
      parameters: FilledParameter[];
    };

/** A template with all its values, independent of the wire format. */
export interface FilledTemplate {
  name: string;
  languageCode: string;
  category: TemplateCategory;
  components: FilledComponent[];
}

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

const MEDIA_TYPES: Partial<Record<HeaderFormat, 'image' | 'video' | 'document'>> = {
  Image: 'image',
  Video: 'video',
  Document: 'document',
};

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
   * ValueMismatchError when one does not fit this template.
   */
  checkValues(values: readonly string[]): void {
    const mismatch = this.mismatchOf(values);
    if (mismatch) throw mismatch;
    const errors = this.errorsOf(values);
    const invalid = errors.filter(({ code }) => !isLimit(code));
    if (invalid.length > 0) throw new InvalidValuesError(invalid);
    if (errors.length > 0) throw new ValueMismatchError(this.valueCount, errors);
  }

  /**
   * Whether the other revision needs the same values and media in the same places, and has the same quick-reply buttons, which may
   * have payloads; other text may differ.
   */
  takesSameAs(other: SendableTemplate): boolean {
    const places = (template: SendableTemplate) => {
      const { headerFormat, values, components } = template;
      const { parameterFormat, beyondValues } = components;
      const buttons = [values.buttons, template.quickReplies()];
      return JSON.stringify([headerFormat, parameterFormat, values.slots, buttons, beyondValues]);
    };
    return places(this) === places(other);
  }

  /** The error of the number of values, or null. */
  mismatchOf(values: readonly string[]): ParameterMismatchError | null {
    return values.length === this.valueCount ? null : new ParameterMismatchError(this.valueCount, values.length);
  }

  /**
   * Every error of the values: those of the platform's rules for any value, then those that do not fit this template. Previews,
   * single sends and recipients of jobs are judged by this alone; a missing value has no error.
   */
  errorsOf(values: readonly string[]): TemplateValueError[] {
    if (this.areSendable(values)) return [];
    const fieldOf = (value: number) => `templateParameters[${value}].text`;
    const invalid = values.flatMap((text, value) => {
      const error = errorOfValue(text);
      return error ? [{ value, code: error.code, message: `${fieldOf(value)} ${error.message}` }] : [];
    });
    const unfit = this.limits.errorsOf(values).filter((limit) => !invalid.some(({ value }) => value === limit.value));
    return [...invalid, ...unfit].map(({ value, code, message }) => ({ field: fieldOf(value), code, message }));
  }

  /** The first error of a recipient's values, which a list names `parameter 1`, `parameter 2`, …; null if they can be sent. */
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
   * Throws MediaMismatchError unless a media header gets exactly one media, a file name only for a document, and others none;
   * LocationMissingError for a location header without its place; PayloadMismatchError for a payload of what is no quick-reply button.
   */
  checkExtras(extras: TemplateExtras | null): void {
    const { id, link, fileName, location, payloads = {} } = extras ?? {};
    if (this.headerFormat === 'Location' && location === undefined) throw new LocationMissingError(this.name);
    const given = [id, link].filter((reference) => reference !== undefined).length;
    const needed = MEDIA_TYPES[this.headerFormat] ? 1 : 0;
    const isNamed = fileName !== undefined && this.headerFormat !== 'Document';
    const isPlaced = location !== undefined && this.headerFormat !== 'Location';
    if (given !== needed || isNamed || isPlaced) throw new MediaMismatchError(this.headerFormat, given, isPlaced);
    const indices = this.quickReplies().map(([index]) => String(index));
    if (!Object.keys(payloads).every((key) => indices.includes(key))) {
      throw new PayloadMismatchError(indices, Object.keys(payloads).length);
    }
  }

  /** Fills in checked values and extras. */
  fill(values: readonly string[], extras: TemplateExtras | null): FilledTemplate {
    const components: FilledComponent[] = [];
    const header = this.headerParameters(values, extras);
    if (header.length > 0) components.push({ part: 'header', parameters: header });
    const body = this.textParameters('body', values);
    if (body.length > 0) components.push({ part: 'body', parameters: body });
    for (const { index, kind, value } of this.values.buttons) {
      const text = valueAt(values, value);
      components.push(
        kind === 'url'
          ? { part: 'button', index, action: 'url', parameters: [{ kind: 'text', text }] }
          : { part: 'button', index, action: 'copyCode', parameters: [{ kind: 'couponCode', code: text }] },
      );
    }
    this.components.buttons.forEach(({ type }, index) => {
      // The platform refuses a message that does not name the button, which needs nothing else.
      if (type === 'Flow') components.push({ part: 'button', index, action: 'flow', parameters: [] });
    });
    for (const [index, payload] of Object.entries(extras?.payloads ?? {})) {
      const parameters: FilledParameter[] = [{ kind: 'payload', payload }];
      components.push({ part: 'button', index: Number(index), action: 'quickReply', parameters });
    }
    return { name: this.name, languageCode: this.languageCode, category: this.category, components };
  }

  /** A title for each value, for the columns of files. */
  valueTitles(): string[] {
    return titlesOf(this.components);
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
    return this.limits.fit(values);
  }

  private headerParameters(values: readonly string[], extras: TemplateExtras | null): FilledParameter[] {
    const mediaType = MEDIA_TYPES[this.headerFormat];
    if (mediaType && extras) {
      return [{ kind: 'media', mediaType, media: mediaType === 'document' ? named(extras) : extras }];
    }
    if (this.headerFormat === 'Location' && extras?.location) return [{ kind: 'location', location: extras.location }];
    return this.textParameters('header', values);
  }

  private textParameters(part: 'header' | 'body', values: readonly string[]): FilledParameter[] {
    const named = this.components.parameterFormat === 'Named';
    return this.values.slots.flatMap((slot, index) => {
      if (slot.part !== part) return [];
      const text = valueAt(values, index);
      return [named ? { kind: 'text', text, name: slot.placeholder } : { kind: 'text', text }];
    });
  }

  /** The quick-reply buttons: index among all buttons, and label. */
  private quickReplies(): [index: number, text: string][] {
    return this.components.buttons.flatMap(({ type, text }, index) => (type === 'QuickReply' ? [[index, text]] : []));
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

function valueAt(values: readonly string[], index: number): string {
  const value = values[index];
  if (value === undefined) throw new ParameterMismatchError(index + 1, values.length);
  return value;
}
