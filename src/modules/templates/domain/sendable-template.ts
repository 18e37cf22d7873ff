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
} from './templates.errors';
import { errorOfValue, type ValueError } from './value-error';
import {
  bodyLengths,
  type BodyLengths,
  charactersOf,
  fillText,
  titlesOf,
  type TemplateValues,
  type ValueSlot,
  valuesOf,
} from './value-slots';

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
  | { part: 'button'; index: number; action: 'url' | 'copyCode' | 'quickReply'; parameters: FilledParameter[] };

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

/** The longest body that the platform takes once the values are filled in, in characters (its error 132005). */
const LONGEST_BODY = 1024;

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
  private readonly lengths: BodyLengths;

  constructor(contents: TemplateContents) {
    this.revisionId = contents.revisionId;
    this.name = contents.name;
    this.languageCode = contents.languageCode;
    this.category = contents.category;
    this.components = contents.components;
    this.headerFormat = contents.components.headerFormat;
    this.values = valuesOf(contents.components);
    this.valueCount = this.values.slots.length;
    this.lengths = bodyLengths(contents.components, this.values.slots);
  }

  /** Throws ParameterMismatchError when the count differs, InvalidValuesError when a value cannot be sent. */
  checkValues(values: readonly string[]): void {
    const mismatch = this.mismatchOf(values);
    if (mismatch) throw mismatch;
    const errors = this.errorsOf(values);
    if (errors.length > 0) throw new InvalidValuesError(errors);
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

  /** The errors of the individual values. */
  errorsOf(values: readonly string[]): FieldError<ValueError['code']>[] {
    return values.flatMap((value, index) => {
      const error = errorOfValue(value);
      const field = `templateParameters[${index}].text`;
      return error ? [{ field, code: error.code, message: `${field} ${error.message}` }] : [];
    });
  }

  /** The error of a body that becomes too long with these values, at the longest of them; null if it is short enough. */
  errorOfLength(values: readonly string[]): (FieldError<'text_too_long'> & { value: number }) | null {
    const lengths = this.lengths.uses.map((uses, index) => uses * charactersOf(values[index] ?? ''));
    const length = lengths.reduce((sum, one) => sum + one, this.lengths.fixed);
    if (length <= LONGEST_BODY) return null;
    const value = lengths.indexOf(Math.max(...lengths));
    const message = `The body becomes ${length} characters long with these values; the platform takes at most ${LONGEST_BODY}. Shorten a value.`;
    return { value, field: `templateParameters[${value}].text`, code: 'text_too_long', message };
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

function valueAt(values: readonly string[], index: number): string {
  const value = values[index];
  if (value === undefined) throw new ParameterMismatchError(index + 1, values.length);
  return value;
}
