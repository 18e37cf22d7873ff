import { Webhook } from 'standardwebhooks';
import { detailOf, ended, newPhones, sendTo } from '../support/process/bulk';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { repetitions } from '../support/repetitions';
import { WebhookReceiver } from '../support/webhook-receiver';
import { pause, newRandom } from './processes';
import { Deployment } from './support/deployment';

interface ReceivedEvent {
  type: string;
  data: { messageId: string; jobId: string | null };
}

const RECIPIENTS = 700;
const KILLS = repetitions(5, 12);
const SILENT_WITHIN_MS = 2000;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3', WEBHOOK_ALLOW_PRIVATE: 'true' };

describe('A webhook endpoint, while the API and the workers are killed', () => {
  const random = newRandom('events');
  const fresh = newPhones();
  let platform: Platform;
  let deployment: Deployment | undefined;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 50, latencyJitterMs: 100 });
    deployment = await Deployment.start({ platform, workers: 2, env: ENV, reports: true });
    await deployment.reported((await deployment.keys(0))[0]!);
  });
  beforeEach(async () => {
    receiver = await new WebhookReceiver().start();
  });
  afterEach(() => receiver.close());
  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  async function subscribe(events: string[], maxEvents: number): Promise<{ id: string; secret: string }> {
    const { body } = await deployment!.client().post('/webhook-endpoints', { url: receiver.url, events, maxEvents });
    return body as { id: string; secret: string };
  }
  const receivedEvents = (): ReceivedEvent[] =>
    receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: ReceivedEvent[] }).events);
  const acceptedOf = async (jobId: string) =>
    (await platform.ledger())
      .filter(({ callbackData }) => callbackData.includes(jobId))
      .map(({ callbackData }) => callbackData.split('.')[0]!);

  it('receives an event for every accepted message and for the end of the job', async () => {
    const { secret } = await subscribe(['message.sent', 'message.delivered', 'job.completed'], 5);
    // Occasionally rejects a body, which is then redelivered.
    const refused = new Set<string>();
    receiver.answer = () => {
      const id = receiver.received.at(-1)!.headers['webhook-id'];
      if (refused.has(id) || random.next() > 0.05) return 204;
      refused.add(id);
      return 503;
    };
    const jobId = await sendTo(deployment!.client(), fresh(RECIPIENTS));
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(200 + random.next() * 1200);
      const victim = deployment!.all[Math.floor(random.next() * deployment!.all.length)]!;
      await victim.kill();
      await pause(random.next() * 500);
      await victim.start();
    }
    await ended(deployment!.client(), jobId, 120_000);
    const accepted = await acceptedOf(jobId);
    expect(accepted.length).toBeGreaterThan(RECIPIENTS / 2);
    const missing = () => {
      const sent = new Set(
        receivedEvents().flatMap(({ type, data }) => (type === 'message.sent' ? [data.messageId] : [])),
      );
      return accepted.filter((messageId) => !sent.has(messageId));
    };
    const isEnded = () => receivedEvents().some(({ type, data }) => type === 'job.completed' && data.jobId === jobId);
    await until(() => Promise.resolve(missing().length === 0 && isEnded()), 90_000, 'every event has arrived').catch(
      () => expect({ missing: missing(), isEnded: isEnded() }).toEqual({ missing: [], isEnded: true }),
    );
    // There are no events of unknown messages, and every attempt to deliver a body is the same.
    const known = new Set(accepted);
    expect(
      receivedEvents().filter(({ data }) => data.jobId === jobId && data.messageId && !known.has(data.messageId)),
    ).toEqual([]);
    const bodies = new Map<string, string>();
    for (const { headers, body } of receiver.received) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      expect(bodies.get(headers['webhook-id']) ?? body).toBe(body);
      bodies.set(headers['webhook-id'], body);
    }
  });

  it('receives nothing later than 2 s after its deletion, with messages in flight and a process killed', async () => {
    const { id } = await subscribe(['message.sent', 'message.delivered'], 1);
    const jobId = await sendTo(deployment!.client(), fresh(600));
    await until(() => Promise.resolve(receiver.received.length > 50), 30_000, 'events arrive');
    const killed = deployment!.workers[0]!;
    await killed.kill();
    const { status } = await deployment!.client().call('DELETE', `/webhook-endpoints/${id}`);
    const deletedAt = performance.now();
    expect(status).toBe(204);
    const sent = async () => (await detailOf(deployment!.client(), jobId)).successfullySent;
    const sentBefore = await sent();
    await killed.start();
    await until(async () => (await sent()) > sentBefore + 100, 60_000, 'the job continues');
    await pause(2 * SILENT_WITHIN_MS);
    const late = receiver.received.map(({ at }) => at - deletedAt).filter((ms) => ms > 0);
    process.stdout.write(
      `after the deletion: ${late.length} bodies, the last after ${Math.round(late.at(-1) ?? 0)} ms\n`,
    );
    expect(Math.max(0, ...late)).toBeLessThan(SILENT_WITHIN_MS);
    await ended(deployment!.client(), jobId, 60_000);
  });
});
