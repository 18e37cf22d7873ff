import { lookup } from 'node:dns';
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

/**
 * Resolves names like Node.js does, for names whose addresses are all public: one private address among them is refused too, as
 * whoever answers with both tries something. The connection uses what was checked here, so that a second answer cannot differ.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first] = error ? [] : found;
    if (!first || !found.every(({ address }) => isPublicAddress(address))) {
      callback(error ?? new Error(`${hostname} has an address outside of the public internet`), []);
    } else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
