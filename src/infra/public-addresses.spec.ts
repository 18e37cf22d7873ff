import { isPrivateLiteral, isPublicAddress, lookupPublic } from './public-addresses';

describe('A public address', () => {
  it.each(['93.184.216.34', '2606:2800:220:1::1', '2a00:1450:4001:81b::200e'])('may be %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:10.0.0.1',
    '::ffff:93.184.216.34',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::a00:1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fec0::1',
    '198.18.0.1',
    '192.0.0.9',
    '203.0.113.7',
    '255.255.255.255',
    'not an address',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('A host of a URL', () => {
  it.each(['[::1]', '[::ffff:127.0.0.1]', '[::7f00:1]', '127.0.0.1', '10.1.2.3'])(
    'is a private address: %s',
    (host) => {
      expect(isPrivateLiteral(host)).toBe(true);
      // URLs write such hosts in one form, whatever form they were given in.
      expect(isPrivateLiteral(new URL(`https://${host}/`).hostname)).toBe(true);
    },
  );

  it.each(['example.com', '93.184.216.34', '[2606:2800:220:1::1]'])('is none: %s', (host) => {
    expect(isPrivateLiteral(host)).toBe(false);
  });

  it.each(['0x7f.1', '2130706433', '017700000001', '127.1'])('is found in another notation: %s', (host) => {
    expect(isPrivateLiteral(new URL(`https://${host}/`).hostname)).toBe(true);
  });
});

describe('The lookup of public addresses', () => {
  it('refuses a name of this machine', async () => {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all: true }, resolve));
    expect(error).toMatchObject({ message: 'localhost has an address outside of the public internet' });
  });
});
