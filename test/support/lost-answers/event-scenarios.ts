import { uuidV7 } from '../../../src/kernel/uuid';
import type { AccountEvent } from '../../../src/modules/events/domain/event';
import { EventOutbox } from '../../../src/modules/events/domain/event-outbox';
import { WebhookDeliveries } from '../../../src/modules/events/domain/webhook-deliveries';
import { WebhookEndpointStore } from '../../../src/modules/events/domain/webhook-endpoint-store.port';
import { until } from '../process/service';
import { WebhookReceiver } from '../webhook-receiver';
import { newTables, removeOthers, type Scenario } from './scenario';
import type { SteppedService } from './stepped-service';

const EVENTS = [1, 2, 3, 4];
/** The client's server rejects it once. */
const REFUSED_ONCE = 2;

/** An endpoint with its own receiver, and waiting events. */
async function waitingEvents(service: SteppedService) {
  await removeOthers(service);
  const { accountId } = await newTables(service);
  await service.database.execute('DELETE FROM webhook_endpoints');
  const receiver = await new WebhookReceiver().start();
  const endpointId = uuidV7();
  const fields = { url: receiver.url, events: ['message.received' as const], maxEvents: 1 };
  await service.get(WebhookEndpointStore).add({ id: endpointId, accountId, ...fields }, 'whsec_MQ==', 10);
  const event = (n: number) => {
    return { accountId, type: 'message.received', at: new Date(), data: { n } as object } as AccountEvent;
  };
  await service.get(EventOutbox).write(EVENTS.map(event));
  const numbers = () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n);
  let isRefused = false;
  receiver.answer = () => {
    const isRefusal = !isRefused && numbers().at(-1) === REFUSED_ONCE;
    isRefused ||= isRefusal;
    return isRefusal ? 503 : 204;
  };
  const { database } = service;
  return {
    endpointId,
    // A lease is released after its delivery, possibly with events left.
    laterRounds: 4,
    /** Makes everything leased or failed due again. */
    async expire() {
      await database.execute(
        `UPDATE webhook_endpoints SET lease_until = '-infinity', next_due_at = '-infinity', blocked_until = NULL`,
      );
      await database.execute('UPDATE webhook_outbox SET next_at = now()');
      await database.execute(`UPDATE webhook_replays SET stepped_at = '-infinity'`);
    },
    ended: () => until(() => Promise.resolve(service.get(WebhookDeliveries).endpoints === 0), 10_000, 'deliveries end'),
    async outcome() {
      await receiver.close();
      const [rows] = await database.rows(
        `SELECT (SELECT count(*)::int FROM webhook_outbox WHERE endpoint_id = $1) AS waiting,
           (SELECT count(*)::int FROM webhook_replays WHERE endpoint_id = $1) AS replays,
           (SELECT failures_in_row FROM webhook_endpoints WHERE id = $1) AS failures,
           (SELECT json_agg(json_build_object('status', d.status, 'attempt', d.attempt, 'body', b.body::json -> 'data' ->> 'n')
             ORDER BY b.body::json -> 'data' ->> 'n', d.attempt)
             FROM webhook_deliveries d JOIN webhook_bodies b ON b.id = d.id WHERE d.endpoint_id = $1) AS log`,
        [endpointId],
      );
      return { received: numbers().sort(), ...(rows as object) };
    },
  };
}

/** Event deliveries to client endpoints. */
export const EVENT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the deliveries to endpoints': {
    loops: ['webhook_deliveries', 'webhook_leases'],
    writers: ['webhook_results'],
    prepare: waitingEvents,
  },
  'the replay of events': {
    loops: ['webhook_deliveries'],
    async prepare(service) {
      const trial = await waitingEvents(service);
      const noWait = () => Promise.resolve();
      for (let pass = 0; pass < 2; pass++) {
        await service.round('webhook_deliveries', noWait);
        await trial.ended();
        await trial.expire();
      }
      const since = new Date(Date.now() - 60_000);
      await service.get(WebhookEndpointStore).startReplay(trial.endpointId, since, 100);
      // A replay takes several rounds.
      return { ...trial, laterRounds: 6 };
    },
  },
  'the removal of events of deleted endpoints': {
    loops: ['webhook_upkeep'],
    async prepare(service) {
      const trial = await waitingEvents(service);
      await service.database.execute('DELETE FROM webhook_endpoints WHERE id = $1', [trial.endpointId]);
      const expire = async () => {
        await service.database.execute(`UPDATE webhook_upkeep SET due_at = '-infinity'`);
      };
      await expire();
      return { expire, outcome: trial.outcome };
    },
  },
};
