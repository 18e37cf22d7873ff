import type { Template } from './template';
import { type ValueSlot, valuesOf } from './value-slots';

/** A file of recipients for a template: a header row, and one recipient as an example. */
export interface SampleFile {
  /** Without its ending, safe in any file system. */
  name: string;
  header: string[];
  example: string[];
}

const PHONE_COLUMN = 'phone';
/** Of a column with this title some readers of files take people's names, not values. */
const NAMES_COLUMN = 'name';
/** A mobile number in the form that files are read in whatever the country of the account. */
const EXAMPLE_PHONE = '4915112345678';
const LONGEST_NAME = 100;

/** The file that a template wants: the phone, then one column for each of its values in the order of a send. */
export function sampleFileOf(template: Template): SampleFile {
  const { name, languageCode, category, components } = template;
  const { slots } = valuesOf(components);
  const base = `${name}-${languageCode}`.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME);
  return {
    name: `${base}-sample`,
    header: [PHONE_COLUMN, ...slots.map((slot, index) => titleOf(slot, index, components.parameterFormat === 'Named'))],
    example: [EXAMPLE_PHONE, ...slots.map((slot, index) => exampleOf(slot, index, category === 'Authentication'))],
  };
}

function titleOf(slot: ValueSlot, index: number, named: boolean): string {
  const number = `value ${index + 1}`;
  if (slot.part === 'button') return `${number} (${slot.kind === 'url' ? 'link ending' : 'coupon code'})`;
  if (named && slot.placeholder === NAMES_COLUMN) return `${number} (${NAMES_COLUMN})`;
  return named ? slot.placeholder : `${number} (${slot.part} {{${slot.placeholder}}})`;
}

function exampleOf(slot: ValueSlot, index: number, isPassword: boolean): string {
  if (isPassword) return '123456';
  if (slot.part === 'button') return slot.kind === 'url' ? `example-${index + 1}` : 'EXAMPLE20';
  return `Example ${index + 1}`;
}
