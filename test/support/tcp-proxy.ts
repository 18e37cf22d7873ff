import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the server that can swallow everything, as a network does when a machine or a route is gone, or refuse everybody. */
export class TcpProxy {
  /** Connections that were tried since `refuse`. */
  refused = 0;
  private readonly sockets: Socket[] = [];
  private readonly server: Server;
  private isRefusing = false;

  constructor(private readonly target: URL) {
    this.server = createServer((near) => {
      if (this.isRefusing) {
        this.refused++;
        near.destroy();
        return;
      }
      const far = connect(Number(target.port || 5432), target.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
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

  /** Breaks every connection and lets nobody in, as a server that is down. */
  refuse(): void {
    this.isRefusing = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Lets everybody in again. */
  admit(): void {
    this.isRefusing = false;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
