import { SCOPES } from '../../src/kernel/caller';
import { Client } from '../support/process/client';
import { newStore, outcomeOf, spawnService, startService } from '../support/process/service';

const END_MS = 60_000;

describe('An operator who has lost every key', () => {
  it('creates one on the server, beyond the quota, and revokes the lost ones with it', async () => {
    const store = await newStore();
    try {
      const early = { dataDir: `${store.dataDir}-early`, drop: store.drop };
      const refused = await outcomeOf(spawnService(early, { program: 'new-key' }), END_MS);
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('Start the service once') });

      const before = await startService({ store });
      const lost = (await new Client(before).get('/api-keys')).body.items[0].id as string;
      await before.stop();
      const { code, output } = await outcomeOf(spawnService(store, { program: 'new-key' }), END_MS);
      const lines = output.trim().split('\n');
      const key = lines.at(-1)!;
      expect([code, key]).toEqual([0, expect.stringMatching(/^mta_[0-9a-f]{8}_[\w-]{43}$/)]);

      const service = await startService({ store });
      const client = new Client(service);
      const call = { key };
      expect((await client.get('/me', call)).body).toMatchObject({ scopes: expect.arrayContaining([...SCOPES]) });
      expect(await client.call('DELETE', `/api-keys/${lost}`, call)).toMatchObject({ status: 204 });
      expect(await client.get('/me')).toMatchObject({ status: 401 });
      const { items } = (await client.get('/audit-log', call)).body as { items: Record<string, unknown>[] };
      expect(items).toContainEqual(expect.objectContaining({ action: 'key.created', keyName: null }));
      await service.stop();
    } finally {
      await store.drop();
    }
  });
});
