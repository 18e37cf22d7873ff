import { fieldsText } from './contact-fields';

describe('The fields of a contact in a list', () => {
  it.each([
    [
      'by name, without those that repeat the name',
      { Vorname: 'Mira', PLZ: '89073', Ort: 'Ulm' },
      {},
      'Ort: Ulm, PLZ: 89073',
    ],
    ['or the values of templates', {}, { 1: 'Mira', 3: 'A-0' }, 'Value 1: Mira, Value 3: A-0'],
    ['or nothing', {}, {}, ''],
  ])('are shown %s', (_, attributes, parameters, text) => {
    expect(fieldsText({ name: 'Mira Falk', attributes: attributes, parameters })).toBe(text);
  });
});
