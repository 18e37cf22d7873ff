import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Length of the prefix ::ffff:0:0 of IPv4-mapped IPv6 addresses. */
const MAPPED_BITS = 96;

/**
 * Returns a function that finds the client address of a request: the nearest hop, from the connection backwards through
 * X-Forwarded-For, that is not a trusted proxy.
 */
export function clientIpBehind(trustedProxies: readonly string[]): (request: IncomingMessage) => string | undefined {
  const isProxy = (hop: string | undefined): boolean => isWithinRanges(hop, trustedProxies);
  return ({ socket: { remoteAddress }, headers }) => {
    const given = headers['x-forwarded-for'];
    if (trustedProxies.length === 0 || given === undefined) return remoteAddress;
    const named = String(given).split(',').reverse();
    const hops = [remoteAddress, ...named.map((hop) => hop.trim())];
    return hops.find((hop) => !isProxy(hop)) ?? hops.at(-1);
  };
}

/** Whether the text is an address in one of the ranges. */
export function isWithinRanges(text: string | undefined, ranges: readonly string[]): boolean {
  const address = clientAddress({ ip: text });
  return address !== null && ranges.some((range) => isWithin(address, range));
}

/** The client's address, with IPv4-mapped IPv6 addresses normalised to IPv4; null if the connection is already closed. */
export function clientAddress(request: { ip?: string }): Address | null {
  return request.ip !== undefined && ipaddr.isValid(request.ip) ? ipaddr.process(request.ip) : null;
}

/** Identifies a client: by its IPv4 address, or by its IPv6 /64 network, since one host usually controls all of it. */
export function clientKey(address: Address | null): string {
  if (!address) return 'unknown';
  return address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}

/** Whether the address is in one of the ranges; an empty list allows every address. */
export function isAllowed(address: Address | null, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  return address !== null && ranges.some((range) => isWithin(address, range));
}

/** Whether each `inner` range is within one of the `outer` ranges; an empty list means all addresses. */
export function areRangesWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  return inner.length > 0 && inner.every((range) => outer.some((wide) => isRangeWithin(range, wide)));
}

/** Whether the text is an IPv4 or IPv6 address or CIDR range. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (
    rest.length > 0 ||
    !(ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.IPv6.isValid(address)))
  ) {
    return false;
  }
  if (address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(text));
}

function isWithin(address: Address, range: string): boolean {
  const [network, bits] = networkOf(range);
  return network.kind() === address.kind() && address.match(network, bits);
}

function isRangeWithin(inner: string, outer: string): boolean {
  const [network, bits] = networkOf(inner);
  const [wide, wideBits] = networkOf(outer);
  return network.kind() === wide.kind() && bits >= wideBits && network.match(wide, wideBits);
}

/** An address or range as a network; IPv4-mapped IPv6 is normalised to IPv4. */
function networkOf(range: string): [Address, number] {
  if (!range.includes('/')) return wholeAddress(range);
  const [network, bits] = ipaddr.parseCIDR(range);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped ? [network.toIPv4Address(), bits - MAPPED_BITS] : [network, bits];
}

function wholeAddress(text: string): [Address, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
