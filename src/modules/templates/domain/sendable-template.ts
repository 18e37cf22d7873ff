import type { FieldFault } from '../../../kernel/domain-error';
import type { TemplateCategory } from './template';
import type { HeaderFormat, TemplateComponents } from './template-components';
import { InvalidValuesError, MediaMismatchError, ParameterMismatchError } from './templates.errors';
import { faultOfValue } from './value-fault';
import { fillText, type TemplateValues, type ValueSlot, valuesOf } from './value-slots';

/** Media for the header: an id that the platform gave, or a public link; exactly one of them. */
export interface HeaderMedia {
  id?: string;
  link?: string;
}

/** One value where the platform expects it; `name` only where the template names its placeholders. */
export type FilledParameter =
  | { kind: 'text'; text: string; name?: string }
  | { kind: 'couponCode'; code: string }
  | { kind: 'media'; mediaType: 'image' | 'video' | 'document'; media: HeaderMedia };

/** A part of the message that has something to fill in; `index` counts all buttons of the template from 0. */
export type FilledComponent =
  | { part: 'header' | 'body'; parameters: FilledParameter[] }
  | { part: 'button'; index: number; action: 'url' | 'copyCode'; parameters: FilledParameter[] };

/** A template with all its values, as plain facts that any wire can carry. */
export interface FilledTemplate {
  name: string;
  languageCode: string;
  components: FilledComponent[];
}

/** What of a template a send needs. */
export interface TemplateContents {
  revisionId: string;
  name: string;
  languageCode: string;
  category: TemplateCategory;
  components: TemplateComponents;
}

const MEDIA_TYPES: Partial<Record<HeaderFormat, 'image' | 'video' | 'document'>> = {
  Image: 'image',
  Video: 'video',
  Document: 'document',
};

/** One revision of a template, ready to be checked against values, filled in and shown. */
export class SendableTemplate {
  readonly revisionId: string;
  readonly name: string;
  readonly languageCode: string;
  readonly category: TemplateCategory;
  readonly headerFormat: HeaderFormat;
  /** Length of the one list of values. */
  readonly valueCount: number;
  private readonly components: TemplateComponents;
  private readonly values: TemplateValues;

  constructor(contents: TemplateContents) {
    this.revisionId = contents.revisionId;
    this.name = contents.name;
    this.languageCode = contents.languageCode;
    this.category = contents.category;
    this.components = contents.components;
    this.headerFormat = contents.components.headerFormat;
    this.values = valuesOf(contents.components);
    this.valueCount = this.values.slots.length;
  }

  /** Throws ParameterMismatchError when the count differs, InvalidValuesError when a value cannot be sent. */
  checkValues(values: readonly string[]): void {
    const mismatch = this.mismatchOf(values);
    if (mismatch) throw mismatch;
    const faults = this.faultsOf(values);
    if (faults.length > 0) throw new InvalidValuesError(faults);
  }

  /** Whether the same values and media go to the same places of the other one, whatever stands around them. */
  takesSameAs(other: SendableTemplate): boolean {
    const places = ({ headerFormat, values, components }: SendableTemplate) =>
      JSON.stringify([headerFormat, components.parameterFormat, values.slots, values.buttons, components.beyondValues]);
    return places(this) === places(other);
  }

  /** What is wrong with the number of values, or null. */
  mismatchOf(values: readonly string[]): ParameterMismatchError | null {
    return values.length === this.valueCount ? null : new ParameterMismatchError(this.valueCount, values.length);
  }

  /** What is wrong with each of the values by itself. */
  faultsOf(values: readonly string[]): FieldFault[] {
    return values.flatMap((value, index) => {
      const fault = faultOfValue(value);
      const field = `templateParameters[${index}].text`;
      return fault ? [{ field, code: fault.code, message: `${field} ${fault.message}` }] : [];
    });
  }

  /** Throws MediaMismatchError unless there is exactly one medium for a media header, and none for any other. */
  checkHeaderMedia(media: HeaderMedia | null): void {
    const given = [media?.id, media?.link].filter((reference) => reference !== undefined).length;
    const needed = MEDIA_TYPES[this.headerFormat] ? 1 : 0;
    if (given !== needed) throw new MediaMismatchError(this.headerFormat, given);
  }

  /** The values and the medium in their places; both have passed their checks. */
  fill(values: readonly string[], media: HeaderMedia | null): FilledTemplate {
    const components: FilledComponent[] = [];
    const header = this.headerParameters(values, media);
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
    return { name: this.name, languageCode: this.languageCode, components };
  }

  /** The message as a person reads it: header, body and footer, a blank line between them. */
  render(values: readonly string[]): string {
    const { headerText, bodyText, footerText } = this.components;
    const parts = [
      this.fillPart('header', headerText ?? '', values),
      this.fillPart('body', bodyText, values),
      footerText,
    ];
    return parts.filter(Boolean).join('\n\n');
  }

  private headerParameters(values: readonly string[], media: HeaderMedia | null): FilledParameter[] {
    const mediaType = MEDIA_TYPES[this.headerFormat];
    if (mediaType && media) return [{ kind: 'media', mediaType, media }];
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
