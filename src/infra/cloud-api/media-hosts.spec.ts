import { isPublicAddress, MediaHosts } from './media-hosts';

describe('The hosts of media', () => {
  const hosts = new MediaHosts('https://graph.example.com/v1', ['lookaside.example.org', '*.cdn.example.org']);

  it.each([
    ['graph.example.com', true],
    ['lookaside.example.org', true],
    ['a.cdn.example.org', true],
    ['a.b.cdn.example.org', true],
    ['cdn.example.org', false],
    ['evilcdn.example.org', false],
    ['a.lookaside.example.org', false],
    ['example.com', false],
    ['127.0.0.1', false],
  ])('%s is one of them: %s', (host, included) => {
    expect(hosts.includes(host)).toBe(included);
  });
});

describe('A public address', () => {
  it.each(['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])('may be %s', (address) => {
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
    '64:ff9b::a00:1',
    'not an address',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
