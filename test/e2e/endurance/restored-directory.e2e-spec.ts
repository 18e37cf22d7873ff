import { cp, rm } from 'node:fs/promises';
import { detailOf, ended, phones, sendTo, settled } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { embeddedStore } from '../../kill/processes';
import { Platform } from '../../support/process/platform';
import { outcomeOf, type Service, spawnService, startService, type Store } from '../../support/process/service';

const RECIPIENTS = 200;
const NOBODY_MS = 4000;
/** It starts the service three times, and the program once. */
const START_MS = 240_000;

describe('A data directory restored from a copy made during a job', () => {
  let platform: Platform;
  let store: Store;
  let service: Service | null = null;

  beforeAll(async () => {
    platform = await Platform.start();
    store = await embeddedStore();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  async function start(): Promise<Client> {
    service = await startService({ store, platformUrl: platform.url, env: { MESSAGES_PER_SECOND: '40' } });
    return new Client(service);
  }

  it(
    'sends nothing again after `npm run after-restore`, until a person resumes the job',
    async () => {
      const copy = `${store.dataDir}-copy`;
      let client = await start();
      const jobId = await sendTo(client, phones(RECIPIENTS));
      await settled(client, jobId, 40);
      await service!.stop();
      await cp(store.dataDir, copy, { recursive: true });
      client = await start();
      await ended(client, jobId);
      await service!.stop();
      expect(await platform.ledger()).toHaveLength(RECIPIENTS);
      await rm(store.dataDir, { recursive: true });
      await cp(copy, store.dataDir, { recursive: true });

      const program = spawnService(store, { platformUrl: platform.url, program: 'after-restore' });
      const { code, output } = await outcomeOf(program, 60_000);
      expect([code, output]).toEqual([0, expect.stringContaining('"msg":"Paused unfinished jobs: 1.')]);
      client = await start();
      await new Promise((done) => setTimeout(done, NOBODY_MS));
      expect(await platform.ledger()).toHaveLength(RECIPIENTS);
      expect(await detailOf(client, jobId)).toMatchObject({ status: 'Paused', allowedActions: ['resume', 'cancel'] });
    },
    START_MS,
  );
});
