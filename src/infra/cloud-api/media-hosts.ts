/** The hosts that serve files of the platform. */
export class MediaHosts {
  private readonly own: string;

  /** `hosts`: names, or `*.name` for its subdomains. Always includes the host of the platform's API. */
  constructor(
    platformUrl: string,
    private readonly hosts: readonly string[],
  ) {
    this.own = new URL(platformUrl).hostname;
  }

  /** Whether it is the host of the platform's API, which may have a private address since the settings name it. */
  isOwn(host: string): boolean {
    return host === this.own;
  }

  /** Whether the token may be sent to the host. */
  includes(host: string): boolean {
    if (this.isOwn(host)) return true;
    return this.hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));
  }
}
