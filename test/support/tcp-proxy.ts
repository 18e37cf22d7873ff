import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the server that can swallow everything, as a network does when a machine or a route is gone, or refuse everybody. */
export class TcpProxy {
  /** Connections that were tried since `refuse`. */
  refused = 0;
  private readonly sockets: Socket[] = [];
  private readonly server: Server;
  private isRefusing = false;
  /** Packets that came from the server. */
  packets = 0;
  /** Counts of `packets` at which every connection is broken. */
  cuts: number[] = [];

  constructor(private target: URL) {
    this.server = createServer((near) => {
      if (this.isRefusing) {
        this.refused++;
        near.destroy();
        return;
      }
      const far = connect(Number(this.target.port || 5432), this.target.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      // Before it is passed on: the client does not get this packet.
      far.prependListener('data', () => {
        if (this.cuts.includes(++this.packets)) this.cut();
      });
      near.pipe(far).pipe(near);
      this.sockets.push(near, far);
    });
  }

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const near = new URL(this.target);
    near.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return near.href;
  }

  /** Nothing comes through the connections that there are, and nobody says so; new ones work. */
  blackhole(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Breaks every connection; new ones work. */
  cut(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  /** Breaks every connection and lets nobody in, as a server that is down. */
  refuse(): void {
    this.isRefusing = true;
    this.cut();
  }

  /** Lets everybody in again. */
  admit(): void {
    this.isRefusing = false;
  }

  /** New connections go to another server. */
  redirect(target: URL): void {
    this.target = target;
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
