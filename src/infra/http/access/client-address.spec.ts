import { areRangesWithin, clientAddress, clientKey, isAddressOrRange, isAllowed } from './client-address';

const at = (ip?: string) => clientAddress({ ip });

describe('Client addresses', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::1', '::ffff:10.0.0.1'])(
    'can be allowed: %s',
    (text) => {
      expect(isAddressOrRange(text)).toBe(true);
    },
  );

  it.each([
    '',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '300.1.1.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '::1/129',
    'fe80::1%eth0',
    'example.com',
    ' 1.2.3.4',
  ])('cannot be allowed: %p', (text) => {
    expect(isAddressOrRange(text)).toBe(false);
  });

  it('are all allowed without ranges', () => {
    expect(isAllowed(at('198.51.100.1'), [])).toBe(true);
    expect(isAllowed(at(undefined), [])).toBe(true);
  });

  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '::ffff:10.1.2.3', true],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['::ffff:10.1.2.3', '::ffff:10.1.2.3/128', true],
    ['11.1.2.3', '::ffff:10.0.0.0/104', false],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.4', '10.1.2.3', false],
    ['2001:db8:1::5', '2001:db8::/32', true],
    ['2001:db9::5', '2001:db8::/32', false],
    ['10.1.2.3', '::/0', false],
    ['::1', '0.0.0.0/0', false],
  ])('include %s in %s: %s', (address, range, allowed) => {
    expect(isAllowed(at(address), [range])).toBe(allowed);
    expect(isAllowed(at(address), ['192.0.2.1', range])).toBe(allowed);
  });

  it.each([
    [['10.1.0.0/16', '192.0.2.1'], ['10.0.0.0/8', '192.0.2.0/24'], true],
    [['::ffff:10.1.0.0/112'], ['10.0.0.0/8'], true],
    [['10.0.0.0/8'], ['10.1.0.0/16'], false],
    [['10.1.2.3', '11.1.2.3'], ['10.0.0.0/8'], false],
    [['2001:db8:1::/48'], ['2001:db8::/32'], true],
    [['10.1.2.3'], ['::/0'], false],
    [[], ['0.0.0.0/0'], false],
    [['0.0.0.0/0'], [], true],
    [[], [], true],
  ])('of %j are within %j: %s', (inner, outer, within) => {
    expect(areRangesWithin(inner, outer)).toBe(within);
  });

  it('that are unknown are in no range', () => {
    expect(isAllowed(at(undefined), ['0.0.0.0/0', '::/0'])).toBe(false);
  });

  it('of one IPv6 network count as one client', () => {
    expect(clientKey(at('2001:db8:0:1::1'))).toBe(clientKey(at('2001:db8:0:1:ffff::2')));
    expect(clientKey(at('2001:db8:0:1::1'))).not.toBe(clientKey(at('2001:db8:0:2::1')));
    expect(clientKey(at('::ffff:10.0.0.1'))).toBe(clientKey(at('10.0.0.1')));
    expect(clientKey(at('10.0.0.1'))).not.toBe(clientKey(at('10.0.0.2')));
  });
});
