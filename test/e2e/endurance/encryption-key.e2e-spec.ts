import { randomBytes } from 'node:crypto';
import { Client } from '../../support/process/client';
import {
  newStore,
  outcomeOf,
  type Service,
  spawnService,
  startService,
  type Store,
} from '../../support/process/service';

const END_MS = 90_000;
const newKey = () => randomBytes(32).toString('base64');

/** The messages of a successful program, each of whose lines has the format of the service's log. */
function linesOf({ code, output }: { code: number | null; output: string }): unknown[] {
  expect({ code, output }).toMatchObject({ code: 0 });
  return output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: unknown }).msg);
}

/** It starts the service six times, and the program four times. */
describe('The encryption key', () => {
  let store: Store;
  let service: Service | undefined;

  beforeAll(async () => {
    store = await newStore();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
  });

  const start = async (env: Record<string, string>) => {
    service = await startService({ store, env });
    return new Client(service);
  };
  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  const rotated = (env: Record<string, string>, args: string[] = []) =>
    outcomeOf(spawnService(store, { program: 'rotate-encryption-key', args, env }), END_MS);

  it('is changed without loss, and a lost one costs only the secrets', async () => {
    const [old, current, lost] = [newKey(), newKey(), newKey()];
    const sender = { phoneNumberId: '700000000000001', businessAccountId: '800000000000001' };
    const before = await start({ ENCRYPTION_KEY: old });
    const { body: account } = await before.post('/accounts', {
      name: 'Own secrets',
      plan: 'Pro',
      sender: { ...sender, accessToken: 'EAAG-own', appSecret: 'own-secret' },
      skipCheck: true,
    });
    await stop();

    const misspelt = await rotated({ ENCRYPTION_KEY: current }, ['--discard-unreadabel']);
    expect(misspelt).toMatchObject({
      code: 2,
      output: expect.stringContaining('Did you mean --discard-unreadable?'),
    });
    const keys = { ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: old };
    expect(linesOf(await rotated(keys))).toContain('Secrets re-encrypted with the current ENCRYPTION_KEY: 2');
    const again = linesOf(await rotated(keys));
    expect(again).toContain('Nothing to re-encrypt: stored secrets already use the current ENCRYPTION_KEY (2)');
    await start({ ENCRYPTION_KEY: current });
    await stop();

    const { code, output } = await outcomeOf(spawnService(store, { env: { ENCRYPTION_KEY: lost } }), END_MS);
    expect([code, output]).toEqual([1, expect.stringContaining('ENCRYPTION_KEY')]);
    const discarded = await rotated({ ENCRYPTION_KEY: lost }, ['--discard-unreadable']);
    expect(discarded).toMatchObject({ code: 0, output: expect.stringContaining(account.id as string) });
    const after = await start({ ENCRYPTION_KEY: lost });
    const path = `/accounts/${account.id as string}`;
    expect((await after.get(path)).body).toMatchObject({ sendingPaused: true });
    const renewed = {
      sender: { accessToken: 'EAAG-new', appSecret: 'new-secret' },
      skipCheck: true,
      sendingPaused: false,
    };
    expect(await after.call('PATCH', path, { body: renewed })).toMatchObject({
      status: 200,
      body: { sendingPaused: false },
    });
  });

  it("prevents the start if it does not decrypt a webhook endpoint's secret", async () => {
    const own = await newStore();
    try {
      const first = await startService({ store: own, env: { ENCRYPTION_KEY: newKey() } });
      const endpoint = { url: 'https://example.com/hook', events: ['job.completed'] };
      const { body } = await new Client(first).post('/webhook-endpoints', endpoint).finally(() => first.stop());
      const { code, output } = await outcomeOf(spawnService(own, { env: { ENCRYPTION_KEY: newKey() } }), END_MS);
      expect([code, output]).toEqual([1, expect.stringContaining(`webhook endpoint ${body.id as string} secret`)]);
      expect(output).toContain('ENCRYPTION_KEY_PREVIOUS');
    } finally {
      await own.drop();
    }
  });
});
