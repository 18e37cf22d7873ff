import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPrivateLiteral, isPublicAddress, lookupPublic, publicLookup } from './public-addresses';

describe('A public address', () => {
  it.each(['93.184.216.34', '2606:2800:220:1::1', '2a00:1450:4001:81b::200e'])('can be %s', (address) => {
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
  ])('cannot be %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('isPrivateLiteral', () => {
  it.each(['[::1]', '[::ffff:127.0.0.1]', '[::7f00:1]', '127.0.0.1', '10.1.2.3'])('is true for %s', (host) => {
    expect(isPrivateLiteral(host)).toBe(true);
    // URLs normalise such hosts.
    expect(isPrivateLiteral(new URL(`https://${host}/`).hostname)).toBe(true);
  });

  it.each(['example.com', '93.184.216.34', '[2606:2800:220:1::1]'])('is false for %s', (host) => {
    expect(isPrivateLiteral(host)).toBe(false);
  });

  it.each(['0x7f.1', '2130706433', '017700000001', '127.1'])('recognises other notations: %s', (host) => {
    expect(isPrivateLiteral(new URL(`https://${host}/`).hostname)).toBe(true);
  });
});

describe('The lookup of public addresses', () => {
  const V4 = { address: '93.184.216.34', family: 4 };
  const V6 = { address: '2606:2800:220:1::1', family: 6 };
  const missing = () => Promise.reject(new Error('no such name'));
  const found = (lookup: LookupFunction, name = 'example.com', all = true) =>
    new Promise((resolve, reject) => {
      lookup(name, { all }, (error, address, family) => {
        if (error) reject(error);
        else resolve(all ? address : { address, family });
      });
    });
  const answering = (v4: string[] | null, v6: string[] | null) =>
    publicLookup({
      resolve4: () => (v4 ? Promise.resolve(v4) : missing()),
      resolve6: () => (v6 ? Promise.resolve(v6) : missing()),
    } as unknown as Resolver);

  it('refuses the name of this machine', async () => {
    await expect(found(lookupPublic, 'localhost')).rejects.toThrow(
      'localhost resolves to an address outside the public internet',
    );
  });

  it('returns the addresses of both families, or of the one that has any', async () => {
    expect(await found(answering([V4.address], [V6.address]))).toEqual([V4, V6]);
    expect(await found(answering([V4.address], null))).toEqual([V4]);
    expect(await found(answering(null, [V6.address]), 'example.com', false)).toEqual(V6);
    await expect(found(answering(null, null))).rejects.toThrow('no such name');
  });

  it.each([
    ['of either family', [], 'alias.example.com has no address'],
    ['of IPv4', null, 'no such name'],
  ])('refuses an alias without addresses %s', async (_family, v6, message) => {
    await expect(found(answering([], v6), 'alias.example.com')).rejects.toThrow(message);
  });

  it.each([
    ['IPv4', [V4.address, '10.0.0.1'], null],
    ['IPv6', [V4.address], ['fd00::1']],
  ])('refuses a name with one private %s address', async (_family, v4, v6) => {
    await expect(found(answering(v4, v6))).rejects.toThrow(
      'example.com resolves to an address outside the public ' + 'internet',
    );
  });

  it('does not delay other lookups while a name server is silent', async () => {
    const silent = createSocket('udp4');
    const queried = new Promise<void>((resolve) => silent.once('message', () => resolve()));
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    const lookup = publicLookup(resolver);
    const outcomes: unknown[] = [];
    const waiting = Array.from({ length: 20 }, (_, index) =>
      found(lookup, `${index}.example.com`).catch((error: Error) => outcomes.push(error.message)),
    );
    await queried;
    // Through getaddrinfo, as for every other connection of the process.
    expect(await promises.lookup('localhost')).toMatchObject({ address: expect.any(String) });
    expect(outcomes).toEqual([]);
    resolver.cancel();
    await Promise.all(waiting);
    expect(outcomes).toHaveLength(20);
    silent.close();
  });
});
