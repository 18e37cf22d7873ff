import { phones } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import {
  newStore,
  outcomeOf,
  type Service,
  spawnService,
  startService,
  type Store,
  until,
} from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

describe('A service that is killed and restarted', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    store = await newStore();
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  const options = () => ({ store, platformUrl: platform.url });

  async function start(): Promise<void> {
    service = await startService(options());
    client = new Client(service);
  }

  it('repeats the response of a single send, and never the send', async () => {
    const [answered, inFlight] = phones(2);
    const send = (to: string, key: string) =>
      client.post('/send-template', { to, templateName: 'hello_world' }, { headers: { 'idempotency-key': key } });
    const first = await send(answered!, 'answered');
    expect(first.status).toBe(201);
    await platform.configure({ latencyMs: 1500 });
    const lost = send(inFlight!, 'in flight').catch(() => null);
    await until(async () => (await platform.accepted()).includes(inFlight!), 5000, 'the message has arrived');
    await service.kill();
    await lost;
    await platform.configure({ latencyMs: 0 });
    await start();
    const replayed = await send(answered!, 'answered');
    expect([replayed.status, replayed.body, replayed.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    let settledAnswer = await send(inFlight!, 'in flight');
    await until(
      async () => {
        settledAnswer = await send(inFlight!, 'in flight');
        return settledAnswer.status !== 409;
      },
      30_000,
      'the claim of the key has ended',
    );
    expect([settledAnswer.status, settledAnswer.body.to]).toEqual([202, inFlight]);
    const accepted = await platform.accepted();
    expect(accepted.filter((to) => to === answered)).toHaveLength(1);
    expect(accepted.filter((to) => to === inFlight)).toHaveLength(1);
  });

  if (!process.env.DATABASE_URL) {
    it('locks its data directory: a second process exits, and names the owner', async () => {
      const begun = performance.now();
      const { code, output } = await outcomeOf(spawnService(store, options()), 15_000);
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(code).toBeGreaterThan(0);
      expect(output).toMatch(/already in use/);
      expect(output).toContain(String(service.pid));
      expect((await client.get('/me')).status).toBe(200);
    });
  }
});
