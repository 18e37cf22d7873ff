import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { Recorder, type RecipientAnswer } from '../../src/modules/delivery/domain/recorder';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { EventType } from '../../src/modules/events/domain/event';
import type { ReportedStatus, StatusUpdate } from '../../src/modules/messages/domain/status-update';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import { SingleSends } from '../../src/modules/sending/domain/single-sends';
import { describeOnDatabase } from '../support/databases';
import { ago, SqlSendingTables } from '../support/sending-tables';
import { statusParts } from '../support/status-parts';

interface ToldEvent {
  type: string;
  timestamp: string;
  data: { messageId: string; status: string };
}

const ALL: EventType[] = [
  ...(['message.sent', 'message.delivered', 'message.read'] as const),
  ...(['message.undelivered', 'message.failed'] as const),
];
const REFUSED = {
  ...({ kind: 'refused', scope: 'recipient', problem: 'recipient_unreachable' } as const),
  ...{ message: 'No\nway.', platformCode: 131026 },
};

describeOnDatabase('Events of messages', (open) => {
  let database: Database;
  let endpoints: PostgresWebhookEndpointStore;
  let recorder: Recorder;
  let singles: SingleSends;
  let statuses: StatusReports;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    endpoints = new PostgresWebhookEndpointStore(
      database,
      new WebhookSecrets(database, new SecretBox(randomBytes(32))),
    );
    const parts = await statusParts(database).compile();
    recorder = parts.get(Recorder);
    singles = parts.get(SingleSends);
    statuses = parts.get(StatusReports);
  });
  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  async function subscribe(events: readonly EventType[] = ALL, maxEvents = 1): Promise<string> {
    const id = uuidV7();
    const fields = { url: 'https://example.com', events, maxEvents };
    await endpoints.add({ id, accountId: tables.accountId, ...fields }, 'whsec_MQ==', 10);
    return id;
  }

  /** The bodies of each row written for an endpoint. */
  async function rowsOf(endpointId: string): Promise<string[][]> {
    const rows = await database.rows<{ payload: string; bodies: number }>(
      'SELECT payload, bodies FROM webhook_outbox WHERE endpoint_id = $1 ORDER BY id',
      [endpointId],
    );
    return rows.map(({ payload, bodies }) => {
      const lines = payload.split('\n');
      expect(lines).toHaveLength(bodies);
      return lines;
    });
  }

  const eventsFor = async (endpointId: string) =>
    (await rowsOf(endpointId)).flat().map((body) => JSON.parse(body) as ToldEvent);
  const typesTold = async (endpointId: string) => (await eventsFor(endpointId)).map(({ type }) => type);
  const job = (count: number) => tables.addJob(count, { status: 'Processing', cursor: count + 1 });
  const accepted = (jobId: string, position: number): RecipientAnswer => {
    const platformMessageId = `wamid.${jobId}.${position}`;
    return { jobId, position, attempt: 1, answer: { kind: 'accepted', platformMessageId } };
  };
  const report = (status: ReportedStatus, platformMessageId: string, seconds = 1): StatusUpdate => ({
    ...{ accountId: tables.accountId, senderId: tables.senderId, platformMessageId, status, at: ago(seconds) },
    ...{ callbackData: null, recipient: null, scope: status === 'failed' ? 'recipient' : null },
    problem: status === 'failed' ? { code: 'recipient_unreachable', message: 'No.', platformCode: 131026 } : null,
  });

  it("report the outcomes of a job's recipients, in one row per commit", async () => {
    const endpoint = await subscribe();
    const jobId = await job(3);
    await recorder.recordNow([
      ...[accepted(jobId, 1), accepted(jobId, 2)],
      { jobId, position: 3, attempt: 1, answer: REFUSED },
    ]);
    const [row, ...others] = await rowsOf(endpoint);
    expect(others).toEqual([]);
    const events = row!.map((body) => JSON.parse(body) as ToldEvent);
    const recipients = await tables.recipients(jobId);
    const sent = ({ messageId, phone, position, rowNumber }: (typeof recipients)[number]) => ({
      type: 'message.sent',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        ...{ messageId, phone, status: 'Sent', errorCode: null, errorMessage: null, platformCode: null },
        ...{ platformMessageId: `wamid.${jobId}.${position}`, reference: 'spring', jobId, rowNumber },
      },
    });
    const { messageId, phone, rowNumber } = recipients[2]!;
    const failed = {
      ...{ messageId, phone, status: 'Failed', errorCode: 'recipient_unreachable', errorMessage: 'No\nway.' },
      ...{ platformCode: 131026, platformMessageId: null, reference: 'spring', jobId, rowNumber },
    };
    expect(events).toEqual([
      sent(recipients[0]!),
      sent(recipients[1]!),
      { type: 'message.failed', timestamp: expect.any(String), data: failed },
    ]);
    expect(Math.abs(new Date(events[0]!.timestamp).getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('reach each endpoint by its subscription, in bodies of its size, and no endpoint of other accounts', async () => {
    const [failures, all] = [await subscribe(['message.failed']), await subscribe(ALL, 2)];
    const other = new SqlSendingTables(database);
    await other.addSender();
    const ids = [tables.accountId, other.accountId];
    tables.accountId = ids[1]!;
    const foreign = await subscribe();
    tables.accountId = ids[0]!;
    const jobId = await job(3);
    await recorder.recordNow([1, 2, 3].map((position) => accepted(jobId, position)));
    expect(await rowsOf(failures)).toEqual([]);
    expect(await rowsOf(foreign)).toEqual([]);
    const [bodies] = await rowsOf(all);
    expect(bodies!.map((body) => (JSON.parse(body) as { events: ToldEvent[] }).events.length)).toEqual([2, 1]);
  });

  it('report nothing of rolled-back answers, and a change recorded twice once', async () => {
    const endpoint = await subscribe();
    const jobId = await job(1);
    const undone = database.transaction(async () => {
      await recorder.recordNow([accepted(jobId, 1)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await eventsFor(endpoint)).toEqual([]);
    await recorder.recordNow([accepted(jobId, 1)]);
    await recorder.recordNow([accepted(jobId, 1)]);
    expect(await typesTold(endpoint)).toEqual(['message.sent']);
  });

  it('report nothing of an unknown outcome until it is proved or its grace time is over', async () => {
    const endpoint = await subscribe();
    const jobId = await job(2);
    const answer = { kind: 'unknown', reason: 'the connection was cut' } as const;
    await recorder.recordNow([1, 2].map((position) => ({ jobId, position, attempt: 1, answer })));
    expect(await eventsFor(endpoint)).toEqual([]);
    await recorder.recordNow([accepted(jobId, 1)]);
    await database.execute(`UPDATE job_recipients SET unknown_since = now() - interval '1 day' WHERE position = 2`);
    await recorder.endGrace(jobId);
    expect((await eventsFor(endpoint)).map(({ type, data }) => [type, data.status])).toEqual([
      ['message.sent', 'Sent'],
      ['message.failed', 'Failed'],
    ]);
  });

  it('report each later status once, with its time', async () => {
    const endpoint = await subscribe();
    const jobId = await job(4);
    await recorder.recordNow([1, 2, 3, 4].map((position) => accepted(jobId, position)));
    const before = (await eventsFor(endpoint)).length;
    const id = (position: number) => `wamid.${jobId}.${position}`;
    await database.execute(`UPDATE messages SET sent_at = now() - interval '1 hour' WHERE job_id = $1`, [jobId]);
    await statuses.apply([report('delivered', id(1), 20)]);
    await statuses.apply([report('delivered', id(1), 10), report('sent', id(1))]);
    // Two concurrent statuses are two events, each with its own status; so is one that arrives late.
    await statuses.apply([report('delivered', id(2), 9), report('read', id(2), 8), report('failed', id(3), 7)]);
    await statuses.apply([report('read', id(1), 5)]);
    await statuses.apply([report('read', id(4), 5)]);
    await statuses.apply([report('delivered', id(4), 6)]);
    const events = (await eventsFor(endpoint)).slice(before);
    expect(events.map(({ type, data }) => [type, data.status]).sort()).toEqual([
      ['message.delivered', 'Delivered'],
      ['message.delivered', 'Delivered'],
      ['message.delivered', 'Delivered'],
      ['message.read', 'Read'],
      ['message.read', 'Read'],
      ['message.read', 'Read'],
      ['message.undelivered', 'Undelivered'],
    ]);
    const [delivered] = events;
    expect(Date.now() - new Date(delivered!.timestamp).getTime()).toBeGreaterThan(15_000);
    expect(events.find(({ type }) => type === 'message.undelivered')!.data).toMatchObject({
      ...{ errorCode: 'recipient_unreachable', platformCode: 131026, jobId, reference: 'spring' },
    });
  });

  it("report the outcome of a single send, also from the platform's report only", async () => {
    const endpoint = await subscribe();
    const [one, two] = [uuidV7(), uuidV7()];
    for (const messageId of [one, two]) {
      await tables.addSingle({ messageId, attempt: 1, retryAt: null });
      await database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, reference, status, created_at)
         VALUES ($1, $2, $2, 'Outbound', 'Template', '491511234567', 'order', 'Queued', now())`,
        [messageId, tables.accountId],
      );
    }
    await singles.recordNow([{ messageId: one, attempt: 1, answer: REFUSED }]);
    await statuses.apply([{ ...report('delivered', 'wamid.two'), callbackData: `${two}.1` }]);
    expect((await eventsFor(endpoint)).map(({ type, data }) => [type, data])).toMatchObject([
      ['message.failed', { messageId: one, errorCode: 'recipient_unreachable', jobId: null, reference: 'order' }],
      ['message.sent', { messageId: two, platformMessageId: 'wamid.two', errorCode: null, rowNumber: null }],
      ['message.delivered', { messageId: two, status: 'Delivered' }],
    ]);
  });

  it('do not name erased people', async () => {
    const endpoint = await subscribe();
    const jobId = await job(1);
    const [recipient] = await tables.recipients(jobId);
    await database.execute(
      `INSERT INTO messages (id, account_id, direction, type, status, job_id, row_number, created_at)
       VALUES ($1, $2, 'Outbound', 'Template', 'Queued', $3, 2, now())`,
      [recipient!.messageId, tables.accountId, jobId],
    );
    await database.execute(`UPDATE job_recipients SET phone = '' WHERE job_id = $1`, [jobId]);
    await recorder.recordNow([accepted(jobId, 1)]);
    const [event] = await eventsFor(endpoint);
    expect(event!.data).toMatchObject({ messageId: recipient!.messageId, phone: null, platformMessageId: null });
  });
});
