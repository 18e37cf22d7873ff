import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { newStore, outcomeOf, spawnService, startService, type Store } from '../../support/process/service';
import { freePort } from '../../support/free-port';

const START_MS = 30_000;
/** Unset, regardless of the suite's database. */
const NO_DATABASE = { DATABASE_URL: '', REDIS_URL: '', ENCRYPTION_KEY: '' };
const SOME_DATABASE = 'postgres://nobody@127.0.0.1:1/nowhere';
const SOME_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

describe('A start', () => {
  let store: Store;

  beforeAll(async () => {
    store = await newStore();
  });

  afterAll(() => store?.drop());

  const fails = async (env: Record<string, string>) => {
    const { code, output } = await outcomeOf(spawnService(store, { env }), START_MS);
    expect({ code, output }).toMatchObject({ code: 1 });
    expect(output).not.toMatch(/^\s+at /m);
    return output;
  };
  const named = (output: string) => [...output.matchAll(/^([A-Z_]+): \S.{10,}$/gm)].map(([, name]) => name);

  it('with invalid settings exits immediately and names them all, and those that a real platform needs', async () => {
    const wrong = {
      PORT: '70000',
      METRICS_PORT: '-1',
      ROLE: 'boss',
      DATABASE_URL: 'mysql://root@127.0.0.1/test',
      DATABASE_POOL_SIZE: '1',
      REDIS_URL: 'http://127.0.0.1',
      PLATFORM_API_URL: 'graph.example.com',
      PLATFORM_API_VERSION: '25',
      PLATFORM_PHONE_NUMBER_ID: '+49 30 1',
      MESSAGES_PER_SECOND: '100001',
      MESSAGING_TIER: '500',
      BOOTSTRAP_API_KEY: 'short',
      ENCRYPTION_KEY: 'not 32 bytes',
      ENCRYPTION_KEY_PREVIOUS: 'not 32 bytes',
      LOG_LEVEL: 'loud',
      MAX_FILE_MB: 'many',
      PLATFORM_TIMEOUT_SECONDS: '0',
      PLATFORM_CONNECTIONS: '7',
      UNKNOWN_GRACE_SECONDS: '-1',
      PLATFORM_MEDIA_HOSTS: 'https://example.com',
      TRUSTED_PROXIES: 'proxy',
      PUBLIC_URL: 'ftp://example.com',
    };
    const missing = [
      'PLATFORM_ACCESS_TOKEN',
      'PLATFORM_APP_SECRET',
      'PLATFORM_BUSINESS_ACCOUNT_ID',
      'PLATFORM_WEBHOOK_VERIFY_TOKEN',
    ];
    const output = await fails(wrong);

    expect(named(output).sort()).toEqual([...Object.keys(wrong), ...missing].sort());
    const logged = output.split('\n').filter((line) => line.startsWith('{'));
    expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
      { level: 60, time: expect.any(String), msg: expect.stringMatching(/^The settings are invalid: .*PORT: /s) },
    ]);
  });

  it.each([
    ['PLANS_FILE', 'cannot be read', { PLANS_FILE: '/no/such/plans.json' }],
    ['ENCRYPTION_KEY', 'DATABASE_URL is given', { DATABASE_URL: SOME_DATABASE }],
    ['DATABASE_URL', 'ROLE is worker', { ROLE: 'worker', REDIS_URL: 'redis://127.0.0.1:1' }],
    ['REDIS_URL', 'ROLE is api', { ROLE: 'api', DATABASE_URL: SOME_DATABASE, ENCRYPTION_KEY: SOME_ENCRYPTION_KEY }],
  ])('names %s if missing or invalid: %s', async (name, _, env) => {
    expect(named(await fails({ ...NO_DATABASE, ...env }))).toEqual([name]);
  });

  it('with a database but no Redis warns that each process counts plan limits separately', async () => {
    const env = { ...NO_DATABASE, DATABASE_URL: SOME_DATABASE, ENCRYPTION_KEY: SOME_ENCRYPTION_KEY };
    const starting = spawnService(store, { env });
    // Otherwise it would retry that database for a while.
    starting.stdout!.once('data', () => starting.kill('SIGKILL'));

    const { output } = await outcomeOf(starting, START_MS);
    expect(output).toMatch(/"level":40.*No REDIS_URL: the plan limits/);
  });

  it('with a platform but no address for its reports warns that nothing will be reported', async () => {
    const service = await startService({ platformUrl: 'http://127.0.0.1:9' });
    await service.stop();
    await service.store.drop();
    expect(service.log).toContainEqual(
      expect.stringMatching(/"level":40.*No PUBLIC_URL: the platform's webhook is not registered/),
    );
  });

  it('exits on a port in use, and names it', async () => {
    const server: Server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;

    for (const name of ['PORT', 'METRICS_PORT', 'SANDBOX_PORT']) {
      const output = await fails({ [name]: String(port) });
      expect(output).toMatch(new RegExp(`^${name}: .*127\\.0\\.0\\.1:${port} .*in use`, 'm'));
      expect(output).not.toContain('settings are invalid');
    }
    await new Promise((done) => server.close(done));
  });

  it.each(process.env.DATABASE_URL && process.env.REDIS_URL ? ['all', 'worker'] : ['all'])(
    'with a METRICS_PORT serves metrics there only, until it stops: %s',
    async (ROLE) => {
      const port = await freePort();
      const metrics = `http://127.0.0.1:${port}`;
      const service = await startService({ store, env: { ROLE, METRICS_PORT: String(port) } });
      try {
        const shown = await fetch(`${metrics}/metrics`);
        expect(shown.headers.get('content-type')).toMatch(/^text\/plain/);
        expect(await shown.text()).toContain('messaging_health_check_ok{check="database"} 1');
        for (const url of [`${metrics}/health/live`, `${service.url}/metrics`]) {
          expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 404 });
        }
        expect((await fetch(`${metrics}/metrics`, { method: 'POST' })).status).toBe(404);
      } finally {
        expect(await service.stop()).toBe(0);
      }
      await expect(fetch(`${metrics}/metrics`)).rejects.toThrow('fetch failed');
    },
  );

  it('exits if the data directory is a file, and names it', async () => {
    const DATA_DIR = join(__filename, 'data');

    const output = await fails({ ...NO_DATABASE, DATA_DIR });

    expect(named(output)).toEqual(['DATA_DIR']);
    expect(output).toContain(DATA_DIR);
  });
});
