import { type Dispatcher, Pool } from 'undici';

/**
 * undici searches a pool's connections one by one for a free one. With 2,880 busy ones in one pool a call cost 174 µs of processor time
 * (960 calls a second, mean of two runs); with these pools 140 µs, as with 48 calls in flight.
 */
const MAX_POOL_SIZE = 64;

interface CountedPool {
  pool: Pool;
  connections: number;
  inFlight: number;
}

/**
 * Connections to one origin in several pools. A request takes the first pool with a free connection, so that few connections stay
 * open; if none is free, it waits in the pool with the fewest requests.
 */
export class ConnectionPools {
  private readonly pools: CountedPool[];

  constructor(origin: string, connections: number, options: Omit<Pool.Options, 'connections'>) {
    this.pools = Array.from({ length: Math.ceil(connections / MAX_POOL_SIZE) }, (_, index) => {
      const own = Math.min(MAX_POOL_SIZE, connections - index * MAX_POOL_SIZE);
      return { pool: new Pool(origin, { ...options, connections: own }), connections: own, inFlight: 0 };
    });
  }

  /** Starts a request; `ended` resolves once it no longer needs a connection. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, ended: Promise<unknown>): void {
    const chosen = this.choose();
    chosen.inFlight++;
    void ended.then(() => chosen.inFlight--);
    chosen.pool.dispatch(request, handler);
  }

  /** Closes all connections immediately. */
  async destroy(): Promise<void> {
    await Promise.all(this.pools.map(({ pool }) => pool.destroy()));
  }

  private choose(): CountedPool {
    const free = this.pools.find(({ inFlight, connections }) => inFlight < connections);
    return free ?? this.pools.reduce((least, one) => (one.inFlight < least.inFlight ? one : least));
  }
}
