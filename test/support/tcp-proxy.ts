import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** PostgreSQL's protocol: the header of a message (type and length), and the type of the message that ends a response. */
const HEADER_BYTES = 5;
const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** One connection: the client's socket and the one to the server. */
interface Pair {
  near: Socket;
  far: Socket;
  /** All traffic is dropped, including its end. */
  isMute: boolean;
}

/**
 * A TCP proxy to the server that can delay or drop all traffic, like a network with a lost host or route, cut connections, or refuse them.
 */
export class TcpProxy {
  /** Connection attempts since `refuse`. */
  refused = 0;
  private readonly pairs = new Set<Pair>();
  private readonly server: Server;
  private isRefusing = false;
  private isHolding = false;
  /** PostgreSQL's responses since the last cut; counted while `cuts` is not empty. */
  responses = 0;
  /**
   * Every connection is cut before PostgreSQL's nth response: the first number counts from the start, each further one from
   * the previous cut. Completed cuts are removed from the list.
   */
  cuts: number[] = [];

  constructor(private target: URL) {
    this.server = createServer((near) => {
      if (this.isRefusing) {
        this.refused++;
        near.destroy();
        return;
      }
      const far = connect(Number(this.target.port || 5432), this.target.hostname);
      const pair = { near, far, isMute: this.isHolding };
      this.pairs.add(pair);
      for (const socket of [near, far]) {
        socket.on('error', () => undefined);
        socket.on('close', (isBroken: boolean) => {
          if (isBroken && !pair.isMute) breakOff(pair);
          if (near.destroyed && far.destroyed) this.pairs.delete(pair);
        });
      }
      if (this.cuts.length > 0) this.countResponses(far);
      if (!this.isHolding) join(pair);
    });
  }

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const near = new URL(this.target);
    near.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return near.href;
  }

  /** Silently drops all traffic of existing connections; new ones work. */
  blackhole(): void {
    for (const pair of this.pairs) {
      pair.isMute = true;
      for (const socket of [pair.near, pair.far]) socket.unpipe().pause();
    }
  }

  /** Delays all traffic until `release`, also of new connections. */
  hold(): void {
    this.isHolding = true;
    this.blackhole();
  }

  /** Forwards the delayed traffic. */
  release(): void {
    this.isHolding = false;
    this.pairs.forEach(join);
  }

  /** Cuts every connection, also muted ones; new ones work. */
  cut(): void {
    this.pairs.forEach(breakOff);
  }

  /** Cuts every connection and refuses new ones, like a server that is down. */
  refuse(): void {
    this.isRefusing = true;
    this.cut();
  }

  /** Accepts connections again. */
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

  private countResponses(far: Socket): void {
    let rest: Buffer = Buffer.alloc(0);
    // Before forwarding, so that the client does not receive this packet.
    far.prependListener('data', (packet: Buffer) => {
      rest = Buffer.concat([rest, packet]);
      while (rest.length >= HEADER_BYTES && rest.length > rest.readUInt32BE(1)) {
        if (rest[0] === READY_FOR_QUERY && ++this.responses === this.cuts[0]) {
          this.cuts.shift();
          this.responses = 0;
          return this.cut();
        }
        rest = rest.subarray(1 + rest.readUInt32BE(1));
      }
    });
  }
}

function join(pair: Pair): void {
  pair.isMute = false;
  if (pair.near.destroyed || pair.far.destroyed) breakOff(pair);
  else pair.near.pipe(pair.far).pipe(pair.near);
}

function breakOff({ near, far }: Pair): void {
  near.destroy();
  far.destroy();
}
