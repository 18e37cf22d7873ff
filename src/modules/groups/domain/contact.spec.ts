import { searchPhone } from '../../../../libs/phone-numbers/phone-numbers';
import { type ContactReading, readContact, searchFor, storablePerson } from './contact';

const readPhone = (text: string) => (/^\d{8,15}$/.test(text) ? text : null);
const read = (given: unknown): ContactReading => readContact(given, readPhone);
const errorsOf = (given: unknown): [string, string][] => {
  const reading = read(given);
  return 'errors' in reading ? reading.errors.map(({ field, code }) => [field, code]) : [];
};
const phone = '4915123456789';

describe('readContact', () => {
  it('takes a phone alone', () => {
    expect(read({ phone })).toEqual({ draft: { phone, userId: null, name: null, parameters: null } });
  });

  it('takes a name, without the blanks around it, and parameters', () => {
    expect(read({ phone, name: ' Anna Schmidt ', parameters: { '1': 'Anna', '12': 'A 1' } })).toEqual({
      draft: { phone, userId: null, name: 'Anna Schmidt', parameters: { '1': 'Anna', '12': 'A 1' } },
    });
  });

  it('counts null as not given', () => {
    expect(read({ phone, name: null, parameters: null })).toEqual(read({ phone }));
    expect(errorsOf({ phone: null })).toEqual([['phone', 'phone_missing']]);
  });

  it.each([null, undefined, 4915123456789, phone, [phone], true])('refuses %p, which is no object', (given) => {
    expect(errorsOf(given)).toEqual([['', 'contact_invalid']]);
  });

  it.each([
    [{}, 'phone_missing'],
    [{ phone: '' }, 'phone_missing'],
    [{ phone: '123' }, 'phone_invalid'],
    [{ phone: 4915123456789 }, 'phone_invalid'],
    [{ phone: {} }, 'phone_invalid'],
  ])('refuses the phone of %p', (given, code) => {
    expect(errorsOf(given)).toEqual([['phone', code]]);
  });

  it.each(['', '  ', 'x'.repeat(129), 'two\nlines', 'a\u0000', '\ud800', '\u2028', 7, {}])(
    'refuses the name %p',
    (name) => {
      expect(errorsOf({ phone, name })).toEqual([['name', 'name_invalid']]);
    },
  );

  it('counts characters, not their halves', () => {
    expect(errorsOf({ phone, name: '😀'.repeat(128) })).toEqual([]);
    expect(errorsOf({ phone, name: '😀'.repeat(129) })).toEqual([['name', 'name_invalid']]);
  });

  it.each([['a string'], [['list']], [7], [true]])('refuses %p as parameters', (parameters) => {
    expect(errorsOf({ phone, parameters })).toEqual([['parameters', 'parameters_invalid']]);
  });

  it.each(['0', '01', '-1', '1.5', 'name', '', ' 1', '1000', '__proto__'])('refuses the parameter key %p', (key) => {
    const parameters: unknown = JSON.parse(`{${JSON.stringify(key)}: "x"}`);
    expect(errorsOf({ phone, parameters })).toEqual([['parameters', 'parameter_key_invalid']]);
  });

  it.each(['', '   ', 'x'.repeat(1025), 'two\nlines', 'a\tb', 'five     spaces', '\u0000', '\udc00', null, 7, {}])(
    'refuses the parameter value %p, which the platform would refuse',
    (value) => {
      expect(errorsOf({ phone, parameters: { '1': 'x', '2': value } })).toEqual([
        ['parameters.2', 'parameter_invalid'],
      ]);
    },
  );

  it('takes values up to the limits of the platform', () => {
    expect(errorsOf({ phone, parameters: { '1': 'x'.repeat(1024), '999': 'four    spaces' } })).toEqual([]);
    expect(errorsOf({ phone, parameters: {} })).toEqual([]);
  });

  it('tells every error, known fields first, and names a field that it does not know', () => {
    expect(errorsOf({ group: 'x', parameters: 1, name: '', phone: 'x' })).toEqual([
      ['phone', 'phone_invalid'],
      ['name', 'name_invalid'],
      ['parameters', 'parameters_invalid'],
      ['group', 'unknown_field'],
    ]);
  });
});

describe('storablePerson', () => {
  it.each([
    [' Anna  ', 'Anna'],
    ['two\nlines\u0000', 'two lines'],
    ['half \ud800 a pair', 'half   a pair'],
    ['😀'.repeat(200), '😀'.repeat(128)],
    [' \t ', null],
    [null, null],
  ])('makes the name %j one that can be stored', (name, stored) => {
    const person = { phone, userId: null };
    expect(storablePerson({ ...person, name, username: null })).toEqual({ ...person, name: stored, username: null });
    expect(storablePerson({ ...person, name: null, username: name })).toEqual({
      ...person,
      name: null,
      username: stored,
    });
  });

  it.each(['', 'x'.repeat(151), 'a\u0000', '\udc00'])('takes no user id from %j', (userId) => {
    expect(storablePerson({ phone, userId, name: null, username: null }).userId).toBeNull();
  });
});

describe('searchFor', () => {
  it.each([
    ['öz', { name: 'Anna Öz', phone: null }, true],
    ['anna  öz', { name: 'Anna Öz', phone: null }, false],
    ['+55 (11) 98', { name: null, phone: '5511987654321' }, true],
    ['551187654321', { name: null, phone: '5511987654321' }, true],
    ['11987', { name: null, phone: '5511987654321' }, false],
    ['12', { name: 'Room 12', phone: null }, true],
    ['@Mira', { name: 'Anna', phone: null, username: '@mira.s' }, true],
    ['mira', { name: null, phone: null, username: '@mira.s' }, true],
    ['a1', { name: null, phone: '15551234567' }, false],
    ['+', { name: null, phone: '15551234567' }, false],
  ])('%j looks for %j: %s', (text, contact, isFound) => {
    expect(searchFor({ text, number: searchPhone(text) })({ username: null, ...contact })).toBe(isFound);
  });
});
