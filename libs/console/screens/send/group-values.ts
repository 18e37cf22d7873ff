import type { ContactDto, TemplateDto } from '../../../client/generated/types.gen';
import { FIRST_NAMES, NAMES, plainHeader } from '../../app/columns/name-headers';
import { endsWithGreeting } from '../../ui/bubble/sample-values';
import { slotsOf, type ValueSlot } from '../../ui/bubble/template-values';

/** Stands for the name of the contact among its attributes, none of which begins with a space. */
export const CONTACT_NAME = ' name';

/** Where the values of a message to groups come from. */
export interface GroupValues {
  /** `parameters`: the contacts' own values, by number. */
  from: 'parameters' | 'attributes';
  /** For each value; an empty attribute: the text for all, CONTACT_NAME: the name of the contact. */
  slots: readonly { attribute: string; text: string }[];
  /** The attribute with a link to the header media of each person; empty: none. */
  media: string;
}

/** What some contacts of a group have. */
export interface KnownValues {
  attributes: string[];
  hasNames: boolean;
  hasParameters: boolean;
}

/** The attributes of contacts, and whether any has a name or values by number. */
export function knownValuesOf(
  contacts: readonly Pick<ContactDto, 'name' | 'attributes' | 'parameters'>[],
): KnownValues {
  return {
    hasNames: contacts.some(({ name }) => name !== null),
    attributes: [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes)))],
    hasParameters: contacts.some(({ parameters }) => Object.keys(parameters).length > 0),
  };
}

/** Values by number where contacts have some, else attributes and names, as far as a placeholder stands for one. */
export function firstValues(template: TemplateDto, known: KnownValues): GroupValues {
  return {
    from: known.hasParameters ? 'parameters' : 'attributes',
    slots: slotsOf(template).map((slot) => ({ attribute: sourceOf(slot, template, known), text: '' })),
    media: '',
  };
}

/** The attribute with the name of the placeholder, else a name where the template greets with it; empty: none. */
function sourceOf(slot: ValueSlot, template: TemplateDto, { attributes, hasNames }: KnownValues): string {
  const own = plainHeader(slot.name);
  const headed = (isMeant: (header: string) => boolean) => attributes.find((one) => isMeant(plainHeader(one)));
  const named = headed((header) => header === own);
  if (named !== undefined || slot.part === 'button') return named ?? '';
  const isAny = NAMES.has(own) || isGreeted(slot, template);
  const first = isAny || FIRST_NAMES.has(own) ? headed((header) => FIRST_NAMES.has(header)) : undefined;
  if (!isAny) return first ?? '';
  const whole = headed((header) => NAMES.has(header)) ?? (hasNames ? CONTACT_NAME : '');
  return NAMES.has(own) ? whole : (first ?? whole);
}

/** The values known of a person for a template, in API order; empty: none. */
export function valuesOfPerson(
  template: TemplateDto,
  { attributes = {}, parameters = {} }: Partial<Pick<ContactDto, 'attributes' | 'parameters'>>,
  personName: string | null,
): string[] {
  return slotsOf(template).map((slot, index) => {
    const attribute = Object.entries(attributes).find(([key]) => plainHeader(key) === plainHeader(slot.name));
    return attribute?.[1] ?? parameters[String(index + 1)] ?? nameFor(slot, template, personName ?? '');
  });
}

/** The name of a person, if the placeholder stands for it: by its own name, or by a greeting before its number. */
function nameFor(slot: ValueSlot, template: TemplateDto, personName: string): string {
  if (slot.part === 'button' || !/\p{L}/u.test(personName)) return '';
  const own = plainHeader(slot.name);
  if (FIRST_NAMES.has(own)) return personName.split(/\s+/)[0]!;
  return NAMES.has(own) || isGreeted(slot, template) ? personName : '';
}

/** Whether the placeholder is a number right after a greeting. */
export function isGreeted(slot: ValueSlot, template: TemplateDto): boolean {
  const { before } = aroundSlot(slot, template) ?? {};
  return before !== undefined && /^\d+$/.test(slot.name) && endsWithGreeting(before);
}

/** The text of the template before and after the first place of a placeholder; undefined: it is not part of a text. */
export function aroundSlot(
  { part, card, name }: ValueSlot,
  { headerText, bodyText, cards }: TemplateDto,
): { before: string; after: string } | undefined {
  if (part === 'button') return undefined;
  const body = card === undefined ? bodyText : cards[card]?.bodyText;
  const text = (part === 'header' ? headerText : body) ?? '';
  const mark = `{{${name}}}`;
  const at = text.indexOf(mark);
  return at < 0 ? undefined : { before: text.slice(0, at), after: text.slice(at + mark.length) };
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
      ...(attribute === CONTACT_NAME ? { contactField: 'name' as const } : attribute && { attribute }),
      ...(text.trim() && { default: text }),
    })),
    ...fromAttributes,
  };
}
