import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, startWebhook, type WebhookApp } from '../support/webhook-app';

const NUMBER = '109876543210001';
const WABA = '204876543210002';
const MIRA = '4915112345678';
const RECORDED = JSON.parse(
  readFileSync(join(__dirname, '../../src/modules/platform-webhook/fixtures/34-webhook-inbound-replies.json'), 'utf8'),
) as object[];

interface Received {
  type: string;
  text: string | null;
  buttonPayload: string | null;
  replyTo: { messageId: string; reference: string | null } | null;
  flowResponse: object | null;
}

describeOnDatabase('The event of a reply', (open) => {
  let database: Database;
  let webhook: WebhookApp;
  let tables: SqlSendingTables;
  let others: Partial<Sender>[] = [];

  beforeAll(async () => {
    database = await open();
    const sender = () => ({
      ...{ id: tables.senderId, accountId: tables.accountId, phoneNumberId: NUMBER },
      ...{ businessAccountId: WABA, appSecret: SECRET },
    });
    webhook = await startWebhook(database, () => [sender(), ...others]);
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    others = [];
    await tables.addSender();
    await database.execute(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
       VALUES ($1, $2, '', '{message.received}', 1, 'Enabled', '')`,
      [uuidV7(), tables.accountId],
    );
  });

  afterAll(() => webhook.close());

  /** Receives the bodies; returns the data of their events. */
  async function receive(...bodies: object[]): Promise<Received[]> {
    for (const body of bodies) expect((await webhook.post(JSON.stringify(body))).status).toBe(200);
    const rows = await database.rows<{ payload: string }>(
      'SELECT payload FROM webhook_outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id WHERE account_id = $1 ORDER BY o.id',
      [tables.accountId],
    );
    return rows.map(({ payload }) => (JSON.parse(payload) as { data: Received }).data);
  }

  const bodyWith = (message: object) => {
    const sent = { from: MIRA, id: `wamid.${uuidV7()}`, timestamp: String(Math.floor(Date.now() / 1000)), ...message };
    const value = { metadata: { phone_number_id: NUMBER }, contacts: [], messages: [sent] };
    return { entry: [{ id: WABA, changes: [{ field: 'messages', value }] }] };
  };
  const answerOf = (response: string, context?: object) =>
    bodyWith({
      ...{ type: 'interactive', ...(context && { context }) },
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: response } },
    });

  /** A message of the account with this platform id, sent `days` ago. */
  async function sent(platformMessageId: string, reference: string | null, days = 0, accountId = tables.accountId) {
    const createdAt = new Date(Date.now() - days * 86_400_000);
    const id = uuidV7(createdAt.getTime());
    const problem = null;
    await new PostgresMessageStore(database).save(
      [
        {
          ...{
            type: 'Template',
            id,
            accountId,
            senderId: null,
            contactPhone: MIRA,
            contactUserId: null,
            templateName: 'promo',
            languageCode: 'en_US',
          },
          ...{ revisionId: tables.revisionId, parameters: [], extras: null, reference, jobId: null, rowNumber: null },
          ...{ status: 'Sent', problem, platformMessageId, createdAt },
        },
      ],
      createdAt,
    );
    return id;
  }

  it('has its sender if the account has several', async () => {
    expect((await receive(bodyWith({ type: 'text', text: { body: 'One' } })))[0]).not.toHaveProperty('senderId');
    others = [{ id: uuidV7(), accountId: tables.accountId }];
    const [, event] = await receive(bodyWith({ type: 'text', text: { body: 'Two' } }));
    expect(event).toMatchObject({ senderId: tables.senderId, text: 'Two' });
  });

  it('has payload, answers and our message, from recorded platform bodies', async () => {
    const ids = [];
    for (const n of ['04', '48', '51', '17', '16']) ids.push(await sent(`wamid.sent-${n}`, `order-${n}`));
    const [button, quickReply, row, form, formWithoutToken] = ids;
    const events = await receive(...RECORDED);

    const none = { buttonPayload: null, replyTo: null, flowResponse: null };
    expect(events).toMatchObject([
      {
        ...{ ...none, type: 'Interactive', text: 'Cancelar envios', buttonPayload: 'btn_1' },
        replyTo: { messageId: button, reference: 'order-04' },
      },
      {
        ...{ ...none, type: 'Button', text: 'title', buttonPayload: 'callback_data' },
        replyTo: { messageId: quickReply, reference: 'order-48' },
      },
      // Reported without context.
      { ...none, type: 'Button', text: 'title', buttonPayload: 'callback_data' },
      { ...none, buttonPayload: 'callback_data', replyTo: { messageId: row, reference: 'order-51' } },
      {
        ...{ ...none, type: 'Interactive', replyTo: { messageId: form, reference: 'order-17' } },
        flowResponse: {
          ...{ flow_token: 'AQBBBBBCS5FpgQ_cAAAAAD0QI3s.', firstName: 'M', pincode: '523456' },
          ...{ dateOfBirth: '1703257240046', source: 'SOCIAL_MEDIA' },
        },
      },
      {
        ...{ ...none, replyTo: { messageId: formWithoutToken, reference: 'order-16' } },
        flowResponse: { screen_0_Rating_0: 'Excelente', screen_0_Comments_1: 'Muy bueno' },
      },
    ]);
  });

  it('has our message for a quoted text, however old, and for the token of a form without context', async () => {
    const old = await sent('wamid.old', 'spring', 80);
    const token = await sent('wamid.form', null);
    const quoted = bodyWith({ type: 'text', text: { body: 'Yes' }, context: { id: 'wamid.old' } });
    const events = await receive(quoted, answerOf(JSON.stringify({ flow_token: token.toUpperCase() })));

    expect(events.map(({ replyTo }) => replyTo)).toEqual([
      { messageId: old, reference: 'spring' },
      { messageId: token, reference: null },
    ]);
  });

  it('names no message of another account and no received one', async () => {
    const other = new SqlSendingTables(database);
    await other.addSender();
    const foreign = await sent('wamid.foreign', 'secret', 0, other.accountId);
    const own = bodyWith({ type: 'text', text: { body: 'One' }, id: 'wamid.own' });
    const [, ...events] = await receive(
      own,
      bodyWith({ type: 'text', text: { body: 'Two' }, context: { id: 'wamid.own' } }),
      bodyWith({ type: 'text', text: { body: 'Three' }, context: { id: 'wamid.foreign' } }),
      answerOf(JSON.stringify({ flow_token: foreign })),
    );

    expect(events.map(({ replyTo }) => replyTo)).toEqual([null, null, null]);
  });

  it.each([
    ['no JSON', '{"a":'],
    ['a list', '[1]'],
    ['a text', '"x"'],
    ['nested 30,000 levels deep', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('has no answers if they are %s', async (_, response) => {
    expect(await receive(answerOf(response))).toMatchObject([{ flowResponse: null, buttonPayload: null }]);
  });
});
