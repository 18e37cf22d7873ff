import type { NumberFormats } from '../number-formats';
import type { CellStyles } from './cell-styles';
import type { SharedStrings } from './shared-strings';
import { attribute, decodeCellEscapes } from './xml-text';

const MS_PER_DAY = 86_400_000;
const DAY_0_OF_1900 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);

/** The data for converting stored values to text. */
export interface CellContext {
  strings: SharedStrings;
  styles: CellStyles;
  formats: NumberFormats;
  maxCharacters: number;
}

/** The displayed text of a cell, and its number if there is one. */
export interface CellText {
  text: string;
  number?: number;
  /** Set if there is no usable value: the displayed error, or '' for a formula that was never calculated. */
  withoutValue?: string;
}

const EMPTY: CellText = { text: '' };
const NEVER_CALCULATED: CellText = { text: '', withoutValue: '' };

/** The text of a cell from its attributes and the stored value; `value` undefined: a formula without one. Throws FileRefused if it refers to a missing text. */
export function cellText(context: CellContext, attributes: string, value: string | undefined): CellText {
  if (value === undefined) return NEVER_CALCULATED;
  const type = attribute(attributes, 't');
  if (value === '' && type !== 'str' && type !== 'inlineStr') return NEVER_CALCULATED;
  switch (type) {
    case 's':
      return { text: context.strings.get(Number(value)) };
    case 'inlineStr':
    case 'str':
      return { text: decodeCellEscapes(value).slice(0, context.maxCharacters) };
    case 'b':
      return { text: /^\s*(1|true)\s*$/i.test(value) ? 'TRUE' : 'FALSE' };
    case 'e':
      return { text: value, withoutValue: value };
    case 'd':
      return dateText(context, attributes, value.trim());
    default:
      return numberText(context, attributes, value.trim());
  }
}

function numberText(context: CellContext, attributes: string, value: string): CellText {
  if (value === '') return EMPTY;
  const number = Number(value);
  // An invalid number is kept as text and left to row validation.
  if (!Number.isFinite(number)) return { text: value };
  const style = attribute(attributes, 's');
  return {
    text: context.formats.text(number, style === undefined ? undefined : context.styles[Number(style)]),
    number,
  };
}

/** Dates of the strict format variant, such as 2024-01-31T12:30:00. */
function dateText(context: CellContext, attributes: string, value: string): CellText {
  const style = attribute(attributes, 's');
  const format = style === undefined ? undefined : context.styles[Number(style)];
  const time = Date.parse(
    /[zZ]|[+-]\d\d:\d\d$/.test(value) ? value : value.includes('T') ? `${value}Z` : `${value}T00:00:00Z`,
  );
  if (format === undefined || Number.isNaN(time)) return { text: value.replace(/T00:00(:00)?(\.0+)?Z?$/, '') };
  const dayZero = context.formats.date1904 ? DAY_0_OF_1904 : DAY_0_OF_1900;
  return { text: context.formats.text((time - dayZero) / MS_PER_DAY, format) };
}
