import type { ContactDto } from '../../../client/generated/types.gen';
import { locale, t } from '../../language/translate';

/** The fields of a contact by name, of which the service keeps no order. */
export function sortedFields({ attributes }: Pick<ContactDto, 'attributes'>): [name: string, value: string][] {
  return Object.entries(attributes).sort(([one], [other]) => one.localeCompare(other, locale()));
}

/** The values in placeholder order; missing numbers become empty strings. */
export function valuesOf(parameters: Record<string, unknown> = {}): string[] {
  const last = Math.max(0, ...Object.keys(parameters).map(Number));
  return Array.from({ length: last }, (_, index) => {
    const value = parameters[String(index + 1)];
    return typeof value === 'string' ? value : '';
  });
}

/** The fields of a contact in a row, without those that repeat its name; of a contact without fields, the values of templates. */
export function fieldsText(contact: Pick<ContactDto, 'name' | 'attributes' | 'parameters'>): string {
  const fields = sortedFields(contact).filter(([, value]) => !isPartOfName(value, contact.name));
  if (fields.length > 0) return fields.map(([name, value]) => `${name}: ${value}`).join(', ');
  return valuesOf(contact.parameters)
    .map((value, index) => [t('Value {number}', { number: index + 1 }), value] as const)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}`)
    .join(', ');
}

/** Whether the value is the name, or its first or last words. */
function isPartOfName(value: string, name: string | null): boolean {
  return name !== null && (name === value || name.startsWith(`${value} `) || name.endsWith(` ${value}`));
}
