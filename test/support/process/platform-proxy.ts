import { createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP proxy to the platform whose connections can be cut while the platform keeps running. */
export class PlatformProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private port = 0;
  /** Bytes sent to the platform. */
  passed = 0;

  private constructor(private readonly target: URL) {}

  static async to(url: string): Promise<PlatformProxy> {
    const line = new PlatformProxy(new URL(url));
    await line.restore();
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends every connection and accepts none. */
  async cut(): Promise<void> {
    const closed = new Promise((done) => this.server?.close(done));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.server = null;
  }

  /** Listens again, on the same address. */
  async restore(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.target.port), this.target.hostname);
      near.on('data', (chunk: Buffer) => (this.passed += chunk.length));
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(socket);
        socket.setNoDelay(true);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.server = server;
    this.port = (server.address() as { port: number }).port;
  }
}
