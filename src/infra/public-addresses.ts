import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast of IPv6; everything else is local, translated, or embeds an address of IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Protocol assignments: Teredo, benchmarks and other tunnels. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Whether an address belongs to the public internet: not private, local, reserved, or translated to IPv4. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

/** Whether the host of a URL is an address outside of the public internet: no lookup ever sees such a host. */
export function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/** Names that never lead to a host of the internet: RFC 6761, RFC 6762, and what ICANN reserved for private use. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)$/;

/** Whether the host of a URL is outside of the public internet as far as its text tells; nothing is looked up. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return isPrivateLiteral(host);
  return !host.includes('.') || PRIVATE_NAME.test(host);
}

/** How long one name server may take for an answer, and how often it is asked. */
const PATIENCE = { timeout: 2_000, tries: 2 };

/**
 * Looks up names whose addresses are all public: one private address among them is refused too, as whoever answers with both tries
 * something. The connection uses what was checked here, so that a second answer cannot differ. It asks the DNS itself, without
 * /etc/hosts: getaddrinfo would hold one of the process's four threads for look-ups for as long as a name server of anybody is silent.
 */
export function publicLookup(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction {
  return (hostname, options, callback) => {
    const refuse = () => callback(new Error(`${hostname} resolves to an address outside the public internet`), []);
    if (isPrivateHost(hostname)) return refuse();
    // Of both kinds what is there: a name may have addresses of one kind only.
    const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    void Promise.allSettled(asked).then(([v4, v6]) => {
      const found = [...addressesIn(v4!, 4), ...addressesIn(v6!, 6)];
      const [first] = found;
      if (!first) callback(failureOf(v4!, v6!) ?? new Error(`${hostname} has no address`), []);
      else if (!found.every(({ address }) => isPublicAddress(address))) refuse();
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** See publicLookup: with the name servers of this machine. */
export const lookupPublic = publicLookup(new Resolver(PATIENCE));

/** Why there is no address. An alias of a name without addresses is no failure: it is answered with an empty list. */
function failureOf(...results: PromiseSettledResult<string[]>[]): Error | undefined {
  return results.find((one) => one.status === 'rejected')?.reason as Error | undefined;
}

function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): { address: string; family: number }[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
