import type { TemplateDto } from '../../../client/generated/types.gen';
import { CONTACT_NAME, firstValues, knownValuesOf, valueFields, valuesOfPerson } from './group-values';

const TEMPLATE = {
  parameterFormat: 'Named',
  headerFormat: 'None',
  headerText: null,
  bodyText: 'Hi {{first_name}}, {{order}} is here.',
  footerText: null,
  buttons: [],
} as unknown as TemplateDto;

describe('The values of a message to groups', () => {
  const attributesOf = (attributes: Record<string, string>, parameters = {}) => ({
    ...{ name: null, attributes, parameters },
  });

  it('are those of the contacts by number, where any has some', () => {
    const known = knownValuesOf([attributesOf({ City: 'Ulm' }), attributesOf({}, { 1: 'Mira' })]);
    const values = firstValues(TEMPLATE, known);
    expect(values.from).toBe('parameters');
    expect(valueFields(values)).toEqual({});
    const slots = [
      { attribute: '', text: 'there' },
      { attribute: '', text: ' ' },
    ];
    expect(valueFields({ ...values, slots })).toEqual({ parameterDefaults: { 1: 'there' } });
  });

  it('are attributes with the name of a placeholder otherwise, and texts for contacts without them', () => {
    const known = knownValuesOf([attributesOf({ 'First name': 'Mira' }), attributesOf({ City: 'Ulm' })]);
    expect(known.attributes).toEqual(['First name', 'City']);
    const values = firstValues(TEMPLATE, known);
    expect(values.slots.map(({ attribute }) => attribute)).toEqual(['First name', '']);
    expect(valueFields(values)).toBeNull();
    const slots = [
      { attribute: 'First name', text: 'there' },
      { attribute: '', text: 'Your order' },
    ];
    expect(valueFields({ from: 'attributes', slots, media: 'Invoice' })).toEqual({
      values: [{ attribute: 'First name', default: 'there' }, { default: 'Your order' }],
      fromAttributes: { headerMediaUrl: 'Invoice' },
    });
  });
});

describe('The first values of a message to groups', () => {
  const sourcesOf = (fields: Partial<TemplateDto>, headers: string[], name: string | null = 'Mira Aydın') => {
    const attributes = Object.fromEntries(headers.map((header) => [header, 'x']));
    const known = knownValuesOf([{ name, attributes, parameters: {} }]);
    return firstValues({ ...TEMPLATE, ...fields }, known).slots.map(({ attribute }) => attribute);
  };
  const greeting = { parameterFormat: 'Positional', bodyText: 'Hallo {{1}}, {{2}} ist da.' } as const;

  it('are the first name in a greeting, else the name of the contact', () => {
    expect(sourcesOf(greeting, ['Ort', 'Name', 'Vorname'])).toEqual(['Vorname', '']);
    expect(sourcesOf(greeting, ['Ort', 'Name'])).toEqual(['Name', '']);
    expect(sourcesOf(greeting, ['Ort'])).toEqual([CONTACT_NAME, '']);
    expect(sourcesOf(greeting, ['Ort'], null)).toEqual(['', '']);
    expect(valueFields({ from: 'attributes', slots: [{ attribute: CONTACT_NAME, text: 'you' }], media: '' })).toEqual({
      values: [{ contactField: 'name', default: 'you' }],
    });
  });

  it('are in a placeholder for names those of its kind', () => {
    const named = { bodyText: '{{vorname}}, {{customer_name}}, {{product_name}}' };
    expect(sourcesOf(named, ['First name'])).toEqual(['First name', CONTACT_NAME, '']);
    expect(sourcesOf(named, [])).toEqual(['', CONTACT_NAME, '']);
  });
});

describe('The values of a message to one person', () => {
  it('are attributes with the name of a placeholder, else values by number', () => {
    const contact = { attributes: { 'First name': 'Mira' }, parameters: { 1: 'Ms Aydın', 2: 'PK-1' } };
    expect(valuesOfPerson(TEMPLATE, contact, 'Ben Li')).toEqual(['Mira', 'PK-1']);
    expect(valuesOfPerson(TEMPLATE, { parameters: { 2: 'PK-1' } }, null)).toEqual(['', 'PK-1']);
  });
  it('are the name of the person in its placeholders and after a greeting, else nothing', () => {
    const valuesIn = (parameterFormat: string, bodyText: string, name: string) =>
      valuesOfPerson({ ...TEMPLATE, parameterFormat, bodyText } as TemplateDto, {}, name);
    const named = 'Hi {{First_Name}} ({{name}}, {{product_name}})';
    expect(valuesIn('Named', named, 'Mira Aydın')).toEqual(['Mira', 'Mira Aydın', '']);
    expect(valuesIn('Positional', 'Hallo {{1}}, {{2}} ist da.', 'Mira Aydın')).toEqual(['Mira Aydın', '']);
    expect(valuesIn('Positional', 'Hallo {{1}}, {{2}} ist da.', '+49 151')).toEqual(['', '']);
  });
});
