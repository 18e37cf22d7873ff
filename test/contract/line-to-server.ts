import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the server that can swallow everything, as a network does when a machine or a route is gone. */
export class LineToServer {
  private readonly sockets: Socket[] = [];
  private readonly server: Server;

  constructor(private readonly target: URL) {
    this.server = createServer((near) => {
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
  swallow(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
