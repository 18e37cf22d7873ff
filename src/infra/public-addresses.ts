import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast of IPv6; everything else is local, translated, or embeds an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Protocol assignments: Teredo, benchmarks and other tunnels. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Whether an address is on the public internet: not private, local, reserved, or translated to IPv4. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

/** Whether the host of a URL is a literal address outside the public internet, which no lookup checks. */
export function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/** Names that are never on the internet: RFC 6761, RFC 6762, and those ICANN reserved for private use. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)$/;

/** Whether the host of a URL is outside the public internet, judging by its text; does no lookup. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return isPrivateLiteral(host);
  return !host.includes('.') || PRIVATE_NAME.test(host);
}

/** The limits of one name server. */
const RESOLVER_LIMITS = { timeout: 2_000, tries: 2 };

/**
 * Looks up names whose addresses are all public; a mix of public and private ones is refused as an attack. The connection uses the
 * addresses checked here, so that a second lookup cannot differ. Queries DNS directly, without /etc/hosts: with getaddrinfo, any silent
 * name server would block one of the process's four lookup threads.
 */
export function publicLookup(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction {
  return (hostname, options, callback) => {
    const refuse = () => callback(new Error(`${hostname} resolves to an address outside the public internet`), []);
    if (isPrivateHost(hostname)) return refuse();
    // A name may have addresses of one family only.
    const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    void Promise.allSettled(lookups).then(([v4, v6]) => {
      const found = [...addressesIn(v4!, 4), ...addressesIn(v6!, 6)];
      const [first] = found;
      if (!first) callback(failureOf(v4!, v6!) ?? new Error(`${hostname} has no address`), []);
      else if (!found.every(({ address }) => isPublicAddress(address))) refuse();
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** `publicLookup` with the name servers of this machine. */
export const lookupPublic = publicLookup(new Resolver(RESOLVER_LIMITS));

/** Why there is no address; undefined for an alias of a name without addresses, which resolves to an empty list. */
function failureOf(...results: PromiseSettledResult<string[]>[]): Error | undefined {
  return results.find((one) => one.status === 'rejected')?.reason as Error | undefined;
}

function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): { address: string; family: number }[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
