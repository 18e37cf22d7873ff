import type { ContactDto, TemplateDto } from '../../../client/generated/types.gen';
import { slotsOf } from '../../ui/bubble/template-values';

/** Where the values of a message to groups come from. */
export interface GroupValues {
  /** `parameters`: the contacts' own values, by number. */
  from: 'parameters' | 'attributes';
  /** For each value; an empty attribute: the text for all. */
  slots: readonly { attribute: string; text: string }[];
  /** The attribute with a link to the header media of each person; empty: none. */
  media: string;
}

/** What some contacts of a group have. */
export interface KnownValues {
  attributes: string[];
  hasParameters: boolean;
}

/** The attributes of contacts, and whether any has values by number. */
export function knownValuesOf(contacts: readonly Pick<ContactDto, 'attributes' | 'parameters'>[]): KnownValues {
  return {
    attributes: [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes)))],
    hasParameters: contacts.some(({ parameters }) => Object.keys(parameters).length > 0),
  };
}

/** Values by number where contacts have some, else attributes, those with the name of a placeholder chosen. */
export function firstValues(template: TemplateDto, { attributes, hasParameters }: KnownValues): GroupValues {
  return {
    from: hasParameters || attributes.length === 0 ? 'parameters' : 'attributes',
    slots: slotsOf(template).map(({ name }) => ({
      attribute: attributes.find((attribute) => plain(attribute) === plain(name)) ?? '',
      text: '',
    })),
    media: '',
  };
}

/** The values that a contact has for a template, in API order; empty: none. */
export function valuesOfContact(
  template: TemplateDto,
  { attributes, parameters }: Pick<ContactDto, 'attributes' | 'parameters'>,
): string[] {
  return slotsOf(template).map(({ name }, index) => {
    const attribute = Object.entries(attributes).find(([key]) => plain(key) === plain(name));
    return attribute?.[1] ?? parameters[String(index + 1)] ?? '';
  });
}

/** The request fields of the values; null: some have neither attribute nor text. */
export function valueFields({ from, slots, media }: GroupValues) {
  const fromAttributes = media && { fromAttributes: { headerMediaUrl: media } };
  if (from === 'parameters') {
    const defaults = slots.flatMap(({ text }, index) => (text.trim() === '' ? [] : [[index + 1, text] as const]));
    const parameterDefaults = Object.fromEntries(defaults) as Record<string, string>;
    return { ...(defaults.length > 0 && { parameterDefaults }), ...fromAttributes };
  }
  if (slots.some(({ attribute, text }) => attribute === '' && text.trim() === '')) return null;
  return {
    values: slots.map(({ attribute, text }) => ({
      ...(attribute && { attribute }),
      ...(text.trim() && { default: text }),
    })),
    ...fromAttributes,
  };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
