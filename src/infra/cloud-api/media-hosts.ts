import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which hosts serve files of the platform. */
export class MediaHosts {
  private readonly own: string;

  /** `hosts`: names, or `*.name` for everything below a name. The host of the platform's API is always one. */
  constructor(
    platformUrl: string,
    private readonly hosts: readonly string[],
  ) {
    this.own = new URL(platformUrl).hostname;
  }

  /** Whether it is the host of the platform's API, whatever its address: the settings name it. */
  isOwn(host: string): boolean {
    return host === this.own;
  }

  /** Whether the token may be sent to the host. */
  includes(host: string): boolean {
    if (this.isOwn(host)) return true;
    return this.hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));
  }
}

/** Whether an address belongs to the public internet: not private, local, reserved or translated to IPv4. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Resolves names like Node.js does, but never to an address outside of the public internet. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first, ...others] = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    if (!first) callback(error ?? new Error(`${hostname} has no public address`), []);
    else if (options.all) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
