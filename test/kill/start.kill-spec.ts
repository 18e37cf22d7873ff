import { TcpProxy } from '../support/tcp-proxy';
import { Platform } from '../support/process/platform';
import { newStore, type Service, startService, type Store } from '../support/process/service';

/** Moments of the start at which its database is lost, as shares of what the database answers until the service is ready. */
const MOMENTS = [0.02, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9];

describe('A start whose database is lost in the middle of it', () => {
  let platform: Platform;
  let store: Store;
  let proxy: TcpProxy;

  beforeAll(async () => {
    platform = await Platform.spawn();
    store = await newStore();
    proxy = new TcpProxy(new URL(store.databaseUrl!));
    store = { ...store, databaseUrl: await proxy.open() };
  });
  afterAll(async () => {
    proxy?.close();
    await store?.drop();
    await platform?.close();
  });

  /** Starts with these cuts, and stops: how many packets the start took, and what it wrote. */
  async function start(cuts: number[]): Promise<{ packets: number; log: string[] }> {
    const before = proxy.packets;
    proxy.cuts = cuts.map((packets) => before + packets);
    const service: Service = await startService({ store, platformUrl: platform.url, env: { REDIS_URL: '' } });
    const packets = proxy.packets - before;
    proxy.cuts = [];
    expect(await service.stop()).toBe(0);
    return { packets, log: service.log };
  }

  const repeats = ({ log }: { log: string[] }) =>
    log.filter((line) => line.includes('The database connection was lost during startup')).length;

  it('begins again and is ready in the end, whatever it was at', async () => {
    // The migrations of a new database are lost twice.
    const first = await start([20, 40]);
    expect(repeats(first)).toBeGreaterThan(0);
    const { packets } = await start([]);
    let seen = 0;
    for (const moment of MOMENTS) seen += repeats(await start([Math.max(2, Math.round(packets * moment))]));
    // Some moments meet a connection that is only being opened, or work that repeats itself.
    expect(seen).toBeGreaterThan(2);
  });
});
