import type { Template } from './template';
import { titlesOf, type ValueSlot, valuesOf } from './value-slots';

/** A value of a template: its title as in a sample file, and one that a send accepts. */
export interface SampleValue {
  title: string;
  example: string;
}

/** A recipient file for a template: a header row and one example recipient. */
export interface SampleFile {
  /** Without extension, safe in any file system. */
  name: string;
  header: string[];
  example: string[];
}

const PHONE_COLUMN = 'phone';
/** A mobile number in international format, valid for every default country. */
const EXAMPLE_PHONE = '4915112345678';
const MAX_NAME_LENGTH = 100;

/** The sample file of a template: the phone, then one column per value in the order of a send. */
export function sampleFileOf(template: Template): SampleFile {
  const { name, languageCode } = template;
  const values = sampleValuesOf(template);
  const base = `${name}-${languageCode}`.replace(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return {
    name: `${base}-sample`,
    header: [PHONE_COLUMN, ...values.map(({ title }) => title)],
    example: [EXAMPLE_PHONE, ...values.map(({ example }) => example)],
  };
}

/** The values of a template in the order of a send. */
export function sampleValuesOf({ category, components }: Pick<Template, 'category' | 'components'>): SampleValue[] {
  const { slots } = valuesOf(components);
  return titlesOf(components).map((title, index) => ({
    title,
    example: exampleOf(slots[index]!, index, category === 'Authentication'),
  }));
}

function exampleOf(slot: ValueSlot, index: number, isPassword: boolean): string {
  if (isPassword) return '123456';
  if (slot.part === 'button') return slot.kind === 'url' ? `example-${index + 1}` : 'EXAMPLE20';
  return `Example ${index + 1}`;
}
