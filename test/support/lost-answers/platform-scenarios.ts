import { SANDBOX_CREDENTIALS } from '../../../libs/platform-sandbox/credentials';
import { uuidV7 } from '../../../src/kernel/uuid';
import { Clock } from '../../../src/kernel/clock';
import { LiveUpdates } from '../../../src/modules/live/adapters/live-updates';
import { InboundMediaWorker } from '../../../src/modules/media/adapters/inbound-media-worker';
import { InboundMediaStore } from '../../../src/modules/media/domain/inbound-media-store.port';
import { MediaStore } from '../../../src/modules/media/domain/media-store.port';
import { AppSubscriptions } from '../../../src/modules/platform-webhook/adapters/app-subscriptions';
import { until } from '../process/service';
import { newPlatformAccount, newTables, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

let closeStream: () => void;

/** Stores an image on the platform; returns its id. */
async function platformPicture({ platform }: SteppedService): Promise<string> {
  const form = new FormData();
  form.append('messaging_product', 'whatsapp');
  form.append('file', new Blob([Buffer.alloc(1000, 7)], { type: 'image/jpeg' }), 'picture.jpg');
  const { phoneNumberId, accessToken } = SANDBOX_CREDENTIALS;
  const response = await fetch(`${platform.url}/v25.0/${phoneNumberId}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: form,
  });
  return ((await response.json()) as { id: string }).id;
}

/** Platform reads and registrations. */
export const PLATFORM_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the reading of templates': {
    loops: ['template_sync', 'template_sync_lease'],
    async prepare(service) {
      const { database } = service;
      const { accountId } = await newPlatformAccount(service);
      return {
        async expire() {
          await database.execute('UPDATE template_syncs SET lease_until = now()');
        },
        async outcome() {
          const templates = await database.rows(
            `SELECT t.name, t.status, count(r.id)::int AS revisions FROM templates t JOIN template_revisions r ON r.template_id = t.id
             WHERE account_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
            [accountId],
          );
          const state = await database.rows(
            `SELECT templates_synced_at IS NOT NULL AS synced, (SELECT count(*)::int FROM template_syncs) AS leases
             FROM senders WHERE account_id = $1`,
            [accountId],
          );
          return { templates, state };
        },
      };
    },
  },
  'the reading of limits': {
    loops: ['sender_limits'],
    async prepare(service) {
      const { accountId } = await newPlatformAccount(service);
      return {
        async expire() {
          await service.database.execute(`UPDATE senders SET limits_lease_until = '-infinity'`);
        },
        outcome: () =>
          service.database.rows(
            `SELECT limits_read_at IS NOT NULL AS read, display_phone_number IS NOT NULL AS shown, messages_per_second, messaging_tier FROM senders WHERE account_id = $1`,
            [accountId],
          ),
      };
    },
  },
  'the subscription of business accounts': {
    loops: ['webhook_subscriptions'],
    async prepare(service) {
      const { accountId } = await newPlatformAccount(service);
      return {
        async expire() {
          await service.database.execute(`UPDATE webhook_subscription_checks SET lease_until = '-infinity'`);
        },
        outcome: () =>
          service.database.rows(
            `SELECT callback_url FROM webhook_subscriptions JOIN senders USING (business_account_id) WHERE account_id = $1`,
            [accountId],
          ),
      };
    },
  },
  'the return of the subscription of a deleted sender': {
    loops: ['webhook_subscription_returns'],
    async prepare(service) {
      const { database } = service;
      const { accountId } = await newPlatformAccount(service);
      await database.execute(
        `INSERT INTO webhook_subscriptions (business_account_id, callback_url, recorded_at)
         SELECT business_account_id, 'http://127.0.0.1', now() FROM senders WHERE account_id = $1
         ON CONFLICT (business_account_id) DO NOTHING`,
        [accountId],
      );
      await database.execute(
        `UPDATE senders SET deleted_at = now(), is_default = false, return_due_at = now(), return_until = now() + interval '1 day' WHERE account_id = $1`,
        [accountId],
      );
      return {
        async expire() {
          await database.execute(`UPDATE senders SET return_due_at = now() WHERE return_due_at < 'infinity'`);
          await database.execute(`UPDATE webhook_subscription_checks SET lease_until = '-infinity'`);
        },
        outcome: () =>
          database.rows(`SELECT return_due_at = 'infinity' AS ended FROM senders WHERE account_id = $1`, [accountId]),
      };
    },
  },
  'the subscription of the app': {
    loops: ['app_subscription'],
    async prepare(service) {
      const ofApp = `business_account_id LIKE 'app %'`;
      await service.database.execute(`DELETE FROM webhook_subscriptions WHERE ${ofApp}`);
      Object.assign(service.get(AppSubscriptions), { dueAt: 0 });
      return {
        outcome: () => service.database.rows(`SELECT callback_url FROM webhook_subscriptions WHERE ${ofApp}`),
      };
    },
  },
  'the fetching and deleting of files': {
    loops: ['inbound_media'],
    async prepare(service) {
      const { database } = service;
      const [account] = await database.rows<{ id: string }>('SELECT id FROM accounts ORDER BY created_at LIMIT 1');
      const file = {
        accountId: account!.id,
        senderId: null,
        mimeType: 'image/jpeg',
        receivedAt: new Date(),
        problem: null,
      };
      const [fetched, removed] = [uuidV7(), uuidV7()];
      const store = service.get(InboundMediaStore);
      for (const messageId of [fetched, removed]) {
        await store.add([{ ...file, messageId, platformMediaId: await platformPicture(service) }]);
      }
      await store.remove([removed]);
      const worker = service.get(InboundMediaWorker) as unknown as { inFlight: ReadonlyMap<unknown, unknown> };
      const isKept = async (id: string) => (await service.get(MediaStore).open(id)) !== null;
      return {
        ended: () => until(() => Promise.resolve(worker.inFlight.size === 0), 10_000, 'files are kept'),
        async expire() {
          await database.execute('UPDATE inbound_media SET next_try_at = now() WHERE next_try_at IS NOT NULL');
        },
        async outcome() {
          const rows = await database.rows(
            'SELECT state, size, problem, claim FROM inbound_media WHERE message_id IN ($1, $2)',
            [fetched, removed],
          );
          return { rows, kept: [await isKept(fetched), await isKept(removed)] };
        },
      };
    },
  },
  'the clock of the database': {
    loops: ['database_clock'],
    prepare(service) {
      const differs = () => Math.abs(service.get(Clock).now().getTime() - Date.now()) > 1000;
      return Promise.resolve({ outcome: () => Promise.resolve(differs()) });
    },
  },
  'the changes that streams show': {
    loops: ['live_updates'],
    async prepare(service) {
      const tables = await newTables(service);
      const jobId = await tables.addJob(1, { status: 'Paused' });
      const sent: string[] = [];
      const stream = { isReady: true, send: (text: string) => sent.push(text), end: () => undefined };
      service.get(LiveUpdates).watchJob(jobId, { ...stream, onClose: (close) => (closeStream = close) }, null);
      return {
        outcome() {
          closeStream();
          return Promise.resolve(sent.length);
        },
      };
    },
  },
};
