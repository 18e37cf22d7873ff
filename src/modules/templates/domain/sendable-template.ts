import type { FieldError } from '../../../kernel/domain-error';
import type { TemplateCategory } from './template';
import type { HeaderFormat, TemplateComponents } from './template-components';
import { InvalidValuesError, MediaMismatchError, ParameterMismatchError } from './templates.errors';
import { errorOfValue } from './value-error';
import {
  bodyLengths,
  type BodyLengths,
  charactersOf,
  fillText,
  type TemplateValues,
  type ValueSlot,
  valuesOf,
} from './value-slots';

/** Media for the header: a media id of the platform or a public URL; exactly one of them. */
export interface HeaderMedia {
  id?: string;
  link?: string;
  /** Of a document: the name that the recipient sees; absent: the last part of `link`. */
  fileName?: string;
}

/** The fields of a request for header media; null is the same as absent. */
interface HeaderMediaFields {
  headerMediaId?: string | null;
  headerMediaUrl?: string | null;
  headerMediaFileName?: string | null;
}

/** The header media of a request, as it was given, even if it was given twice; null if there is none. */
export function headerMediaOf(fields: HeaderMediaFields): HeaderMedia | null {
  const { headerMediaId: id, headerMediaUrl: link, headerMediaFileName: fileName } = fields;
  const given = Object.entries({ id, link, fileName }).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** One value in its place; `name` only if the template has named placeholders. */
export type FilledParameter =
  | { kind: 'text'; text: string; name?: string }
  | { kind: 'couponCode'; code: string }
  | { kind: 'media'; mediaType: 'image' | 'video' | 'document'; media: HeaderMedia };

/** A part of the message with values; `index` counts all buttons of the template from 0. */
export type FilledComponent =
  | { part: 'header' | 'body'; parameters: FilledParameter[] }
  | { part: 'button'; index: number; action: 'url' | 'copyCode'; parameters: FilledParameter[] };

/** A template with all its values, independent of the wire format. */
export interface FilledTemplate {
  name: string;
  languageCode: string;
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
const LONGEST_FILE_NAME = 240;

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

  /** Whether the other revision needs the same values and media in the same places; other text may differ. */
  takesSameAs(other: SendableTemplate): boolean {
    const places = ({ headerFormat, values, components }: SendableTemplate) =>
      JSON.stringify([headerFormat, components.parameterFormat, values.slots, values.buttons, components.beyondValues]);
    return places(this) === places(other);
  }

  /** The error of the number of values, or null. */
  mismatchOf(values: readonly string[]): ParameterMismatchError | null {
    return values.length === this.valueCount ? null : new ParameterMismatchError(this.valueCount, values.length);
  }

  /** The errors of the individual values. */
  errorsOf(values: readonly string[]): FieldError[] {
    return values.flatMap((value, index) => {
      const error = errorOfValue(value);
      const field = `templateParameters[${index}].text`;
      return error ? [{ field, code: error.code, message: `${field} ${error.message}` }] : [];
    });
  }

  /** The error of a body that becomes too long with these values, at the longest of them; null if it is short enough. */
  errorOfLength(values: readonly string[]): (FieldError & { value: number }) | null {
    const lengths = this.lengths.uses.map((uses, index) => uses * charactersOf(values[index] ?? ''));
    const length = lengths.reduce((sum, one) => sum + one, this.lengths.fixed);
    if (length <= LONGEST_BODY) return null;
    const value = lengths.indexOf(Math.max(...lengths));
    const message = `The body becomes ${length} characters long with these values; the platform takes at most ${LONGEST_BODY}. Shorten a value.`;
    return { value, field: `templateParameters[${value}].text`, code: 'text_too_long', message };
  }

  /** Throws MediaMismatchError unless a media header gets exactly one media, a file name only for a document, and others none. */
  checkHeaderMedia(media: HeaderMedia | null): void {
    const given = [media?.id, media?.link].filter((reference) => reference !== undefined).length;
    const needed = MEDIA_TYPES[this.headerFormat] ? 1 : 0;
    const isNamed = media?.fileName !== undefined;
    if (given !== needed || (isNamed && this.headerFormat !== 'Document')) {
      throw new MediaMismatchError(this.headerFormat, given);
    }
  }

  /** Fills in checked values and media. */
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

  private headerParameters(values: readonly string[], media: HeaderMedia | null): FilledParameter[] {
    const mediaType = MEDIA_TYPES[this.headerFormat];
    if (mediaType && media) {
      return [{ kind: 'media', mediaType, media: mediaType === 'document' ? named(media) : media }];
    }
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

/** The platform shows a document without a name as "Untitled". */
function named(media: HeaderMedia): HeaderMedia {
  const fileName = media.fileName ?? lastPartOf(media.link);
  return fileName === undefined ? media : { ...media, fileName };
}

function lastPartOf(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const part = new URL(link).pathname.split('/').at(-1) ?? '';
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // Not encoded text: the part as it stands.
  }
  name = name.replaceAll(/[/\\\p{Cc}\p{Cs}]/gu, '').slice(0, LONGEST_FILE_NAME);
  return name === '' ? undefined : name;
}

function valueAt(values: readonly string[], index: number): string {
  const value = values[index];
  if (value === undefined) throw new ParameterMismatchError(index + 1, values.length);
  return value;
}
