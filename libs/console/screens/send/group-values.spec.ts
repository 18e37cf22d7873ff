import type { TemplateDto } from '../../../client/generated/types.gen';
import { firstValues, knownValuesOf, valueFields, valuesOfPerson } from './group-values';

const TEMPLATE = {
  parameterFormat: 'Named',
  headerFormat: 'None',
  headerText: null,
  bodyText: 'Hi {{first_name}}, {{order}} is here.',
  footerText: null,
  buttons: [],
} as unknown as TemplateDto;

describe('The values of a message to groups', () => {
  const attributesOf = (attributes: Record<string, string>, parameters = {}) => ({ attributes, parameters });

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
