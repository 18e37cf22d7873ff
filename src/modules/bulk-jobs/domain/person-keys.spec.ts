import { keysOf, personKey } from './person-keys';

describe('The keys of a recipient', () => {
  it('never change, as they are stored', () => {
    expect(personKey('')).toBe(0x811c9dc5 | 0);
    expect(personKey('a')).toBe(0xe40c292c | 0);
    expect(personKey('foobar')).toBe(0xbf9cf968 | 0);
  });

  it('are those of its number and its user id', () => {
    const of = { phone: '491511', userId: 'DE.1', isInvalid: false };
    expect(keysOf(of)).toEqual([personKey('491511'), personKey('DE.1')]);
    expect(keysOf({ ...of, userId: undefined })).toEqual([personKey('491511')]);
    expect(keysOf({ ...of, phone: '', userId: null })).toEqual([]);
  });

  it('include that of the digits of an invalid row', () => {
    const of = { phone: '0049 (1511)', userId: null, isInvalid: true };
    expect(keysOf(of)).toEqual([personKey('0049 (1511)'), personKey('491511')]);
    expect(keysOf({ ...of, phone: 'none' })).toEqual([personKey('none')]);
  });
});
