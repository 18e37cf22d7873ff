import { PhoneNumbers } from '../../../../libs/phone-numbers/phone-numbers';
import { type ContactReading, readContact, contactMatcher, cleanPerson } from './contact';

const readPhone = (text: string) => (/^\d{8,15}$/.test(text) ? text : null);
const read = (given: unknown): ContactReading => readContact(given, readPhone);
const errorsOf = (given: unknown): [string, string][] => {
  const reading = read(given);
  return 'errors' in reading ? reading.errors.map(({ field, code }) => [field, code]) : [];
};
const phone = '4915123456789';

describe('readContact', () => {
  it('accepts only a phone', () => {
    expect(read({ phone })).toEqual({ draft: { phone, userId: null, name: null, parameters: null, attributes: null } });
  });

  it('accepts parameters, attributes and a name, which is trimmed', () => {
    const values = { parameters: { '1': 'Anna', '12': 'A 1' }, attributes: { 'First name': 'Anna' } };
    expect(read({ phone, name: ' Anna Schmidt ', ...values })).toEqual({
      draft: { phone, userId: null, name: 'Anna Schmidt', ...values },
    });
  });

  it('treats null as absent', () => {
    expect(read({ phone, name: null, parameters: null, attributes: null })).toEqual(read({ phone }));
    expect(errorsOf({ phone: null })).toEqual([['phone', 'phone_missing']]);
  });

  it.each([null, undefined, 4915123456789, phone, [phone], true])('rejects %p, which is not an object', (given) => {
    expect(errorsOf(given)).toEqual([['', 'contact_invalid']]);
  });

  it.each([
    [{}, 'phone_missing'],
    [{ phone: '' }, 'phone_missing'],
    [{ phone: '123' }, 'phone_invalid'],
    [{ phone: 4915123456789 }, 'phone_invalid'],
    [{ phone: {} }, 'phone_invalid'],
  ])('rejects the phone of %p', (given, code) => {
    expect(errorsOf(given)).toEqual([['phone', code]]);
  });

  it.each(['', '  ', 'x'.repeat(129), 'two\nlines', 'a\u0000', '\ud800', '\u2028', 7, {}])(
    'rejects the name %p',
    (name) => {
      expect(errorsOf({ phone, name })).toEqual([['name', 'name_invalid']]);
    },
  );

  it('counts code points, not UTF-16 units', () => {
    expect(errorsOf({ phone, name: '😀'.repeat(128) })).toEqual([]);
    expect(errorsOf({ phone, name: '😀'.repeat(129) })).toEqual([['name', 'name_invalid']]);
  });

  it.each([['a string'], [['list']], [7], [true]])('rejects %p as parameters', (parameters) => {
    expect(errorsOf({ phone, parameters })).toEqual([['parameters', 'parameters_invalid']]);
  });

  it.each(['0', '01', '-1', '1.5', 'name', '', ' 1', '1000', '__proto__'])('rejects the parameter key %p', (key) => {
    const parameters: unknown = JSON.parse(`{${JSON.stringify(key)}: "x"}`);
    expect(errorsOf({ phone, parameters })).toEqual([['parameters', 'parameter_key_invalid']]);
  });

  it.each(['', '   ', 'x'.repeat(1025), 'two\nlines', 'a\tb', 'five     spaces', '\u0000', '\udc00', null, 7, {}])(
    'rejects the parameter value %p, as the platform would',
    (value) => {
      expect(errorsOf({ phone, parameters: { '1': 'x', '2': value } })).toEqual([
        ['parameters.2', 'parameter_invalid'],
      ]);
    },
  );

  it('accepts values up to the limits of the platform', () => {
    expect(errorsOf({ phone, parameters: { '1': 'x'.repeat(1024), '999': 'four    spaces' } })).toEqual([]);
    expect(errorsOf({ phone, parameters: {} })).toEqual([]);
  });

  it.each([['a string'], [['list']], [7], [true]])('rejects %p as attributes', (attributes) => {
    expect(errorsOf({ phone, attributes })).toEqual([['attributes', 'attributes_invalid']]);
  });

  it.each(['', ' ', ' City', 'x'.repeat(61), 'two\nlines', '\ud800'])('rejects the attribute name %p', (name) => {
    expect(errorsOf({ phone, attributes: { [name]: 'x' } })).toEqual([['attributes', 'attribute_name_invalid']]);
  });

  it.each(['', ' ', 'x'.repeat(1025), 'two\nlines', 'five     spaces', null, 7, {}])(
    'rejects the attribute value %p',
    (value) => {
      expect(errorsOf({ phone, attributes: { City: value } })).toEqual([['attributes.City', 'attribute_invalid']]);
    },
  );

  it('accepts up to 50 attributes', () => {
    const attributes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'x'.repeat(58)}${index}`, 'x'.repeat(1024)]));
    expect(errorsOf({ phone, attributes: attributes(50) })).toEqual([]);
    expect(errorsOf({ phone, attributes: attributes(51) })).toEqual([['attributes', 'too_many_attributes']]);
  });

  it('reports all errors, known fields first, and names unknown fields', () => {
    expect(errorsOf({ group: 'x', parameters: 1, name: '', phone: 'x' })).toEqual([
      ['phone', 'phone_invalid'],
      ['name', 'name_invalid'],
      ['parameters', 'parameters_invalid'],
      ['group', 'unknown_field'],
    ]);
  });
});

describe('cleanPerson', () => {
  it.each([
    [' Anna  ', 'Anna'],
    ['two\nlines\u0000', 'two lines'],
    ['half \ud800 a pair', 'half   a pair'],
    ['😀'.repeat(200), '😀'.repeat(128)],
    [' \t ', null],
    [null, null],
  ])('cleans the name %j', (name, stored) => {
    const person = { phone, userId: null };
    expect(cleanPerson({ ...person, name, username: null })).toEqual({ ...person, name: stored, username: null });
    expect(cleanPerson({ ...person, name: null, username: name })).toEqual({
      ...person,
      name: null,
      username: stored,
    });
  });

  it.each(['', 'x'.repeat(151), 'a\u0000', '\udc00'])('drops the invalid user id %j', (userId) => {
    expect(cleanPerson({ phone, userId, name: null, username: null }).userId).toBeNull();
  });
});

describe('contactMatcher', () => {
  it.each([
    ['öz', { name: 'Anna Öz', phone: null }, true],
    ['anna  öz', { name: 'Anna Öz', phone: null }, true],
    ['+55 (11) 98', { name: null, phone: '5511987654321' }, true],
    ['551187654321', { name: null, phone: '5511987654321' }, true],
    ['11987', { name: null, phone: '5511987654321' }, false],
    ['65-43 21', { name: null, phone: '5511987654321' }, true],
    ['321', { name: null, phone: '5511987654321' }, false],
    ['12', { name: 'Room 12', phone: null }, true],
    ['@Mira', { name: 'Anna', phone: null, username: '@mira.s' }, true],
    ['mira', { name: null, phone: null, username: '@mira.s' }, true],
    ['a1', { name: null, phone: '15551234567' }, false],
    ['+', { name: null, phone: '15551234567' }, false],
  ])('%j matches %j: %s', (text, contact, matches) => {
    expect(contactMatcher({ text, number: new PhoneNumbers().search(text) })({ username: null, ...contact })).toBe(
      matches,
    );
  });
});
