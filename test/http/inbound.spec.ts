import { actorIn } from '../support/audit';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { ParkedReportsCleanup } from '../../src/modules/platform-webhook/adapters/parked-reports-cleanup';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { WINDOW_MS } from '../../src/modules/chat-history/domain/conversation';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { changedWebhooks } from '../support/changed-webhooks';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, sign, startWebhook, type WebhookApp } from '../support/webhook-app';

const FIXTURES = join(__dirname, '../../src/modules/platform-webhook/fixtures');
const NUMBER = '109876543210001';
const WABA = '204876543210002';
const MIRA = '4915112345678';
const MIRA_ID = 'DE.48120937716640021155';

type Row = Record<string, unknown>;

/** The bodies of an example from the platform. */
function bodiesOf(example: number): string[] {
  const name = readdirSync(FIXTURES).find((file) => file.startsWith(`${example}-`))!;
  const text = readFileSync(join(FIXTURES, name), 'utf8');
  const parsed = JSON.parse(text) as unknown;
  return Array.isArray(parsed) ? parsed.map((body) => JSON.stringify(body)) : [text];
}

describeOnDatabase('Messages and notices from the platform', (open) => {
  let database: Database;
  let webhook: WebhookApp;
  let tables: SqlSendingTables;
  let next = 0;

  beforeAll(async () => {
    database = await open();
    const sender = () => ({
      id: tables.senderId,
      accountId: tables.accountId,
      phoneNumberId: NUMBER,
      businessAccountId: WABA,
      appSecret: SECRET,
    });
    webhook = await startWebhook(database, () => [sender()]);
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    webhook.limited.length = 0;
    await database.execute('DELETE FROM parked_updates');
  });

  afterAll(() => webhook.close());

  const rows = (sql: string, ...parameters: unknown[]) => database.rows<Row>(sql, [tables.accountId, ...parameters]);
  const messages = () => rows('SELECT * FROM messages WHERE account_id = $1 ORDER BY created_at, id');
  const conversations = () => rows('SELECT * FROM conversations WHERE account_id = $1 ORDER BY last_message_at, id');
  const contacts = () => rows('SELECT phone, user_id, name FROM contacts WHERE account_id = $1 ORDER BY phone');
  const events = () => rows('SELECT * FROM platform_events WHERE $1::uuid IS NOT NULL ORDER BY received_at, kind');
  const take = async (...bodies: string[]) => {
    for (const body of bodies) expect((await webhook.post(body)).status).toBe(200);
  };
  const bodyWith = (sent: object[], named: object[] = [], of = NUMBER) =>
    JSON.stringify({
      entry: [
        {
          id: WABA,
          changes: [
            { field: 'messages', value: { metadata: { phone_number_id: of }, contacts: named, messages: sent } },
          ],
        },
      ],
    });
  const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago);
  const text = (from: string, body: string, ago: number, id = `wamid.t${next++}`) => ({
    from,
    id,
    timestamp: seconds(ago),
    type: 'text',
    text: { body },
  });

  describe('in the recorded bodies of the platform', () => {
    it('is a text, in a conversation with a new contact (example 18)', async () => {
      await take(...bodiesOf(18));
      const at = new Date(1_795_190_300_000);
      const [message] = await messages();

      expect(message).toMatchObject({
        conversation_id: conversationId(tables.accountId, MIRA),
        direction: 'Inbound',
        type: 'Text',
        status: 'Received',
        contact_phone: MIRA,
        contact_user_id: MIRA_ID,
        content: { text: 'Wann kommt das Paket? ä' },
        platform_message_id: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABIYFDE2RTk5MEU2ODM1QjY5NkZBOEJBAA==',
        created_at: at,
      });
      expect(await conversations()).toMatchObject([
        {
          id: message!.conversation_id,
          contact_phone: MIRA,
          contact_user_id: MIRA_ID,
          profile_name: 'Mira S.',
          last_message_id: message!.id,
          last_message_at: at,
          last_direction: 'Inbound',
          unread_count: 1,
          window_expires_at: new Date(at.getTime() + WINDOW_MS),
        },
      ]);
      expect(await contacts()).toEqual([{ phone: MIRA, user_id: MIRA_ID, name: 'Mira S.' }]);
    });

    it('is in one conversation, however the person is identified, and unread except reactions and notices (18 to 23)', async () => {
      const all = [18, 19, 20, 21, 22, 23].flatMap(bodiesOf);
      await take(...all);

      expect((await messages()).map(({ type }) => type)).toEqual([
        ...['Text', 'Button', 'Image', 'Interactive', 'Reaction', 'Unsupported', 'System'],
      ]);
      expect(await conversations()).toMatchObject([
        {
          id: conversationId(tables.accountId, MIRA),
          unread_count: 5,
          last_message_at: new Date(1_795_190_540_000),
          // Notices from the platform about a person open no window.
          window_expires_at: new Date(1_795_190_530_000 + WINDOW_MS),
        },
      ]);
      expect(await contacts()).toHaveLength(1);
      // A button labelled Stop is no opt-out.
      expect(await webhook.parts.get(OptOutsService).isOptedOut(tables.accountId, MIRA)).toBe(false);
      expect(await rows('SELECT platform_media_id FROM inbound_media WHERE account_id = $1')).toEqual([
        { platform_media_id: '900000000000011' },
      ]);

      const before = [await messages(), await conversations()];
      await take(...all.reverse());
      expect([await messages(), await conversations()]).toEqual(before);
    });

    it('is in a separate conversation without a known number (example 22 alone)', async () => {
      await take(...bodiesOf(22));

      expect(await conversations()).toMatchObject([
        {
          id: conversationId(tables.accountId, MIRA_ID),
          contact_phone: null,
          contact_user_id: MIRA_ID,
          profile_name: 'Mira S.',
          unread_count: 1,
        },
      ]);
      expect(await contacts()).toEqual([{ phone: null, user_id: MIRA_ID, name: 'Mira S.' }]);
    });

    it('changes a template, its rating and its category (examples 24 and 25)', async () => {
      const template = () =>
        rows(
          "SELECT status, quality_rating, category FROM templates WHERE account_id = $1 AND name = 'parcel_on_the_way'",
        );
      await rows(
        `UPDATE templates SET name = 'parcel_on_the_way', language_code = 'de', platform_template_id = '771000000000001',
           business_account_id = '${WABA}', status_at = '2026-01-01' WHERE account_id = $1`,
      );
      await take(...bodiesOf(24), ...bodiesOf(25));

      expect(await template()).toEqual([{ status: 'Paused', quality_rating: 'Yellow', category: 'Utility' }]);
      expect(webhook.limited).toEqual([tables.senderId, tables.senderId]);
    });

    it('is stored once if it has no effect (example 25)', async () => {
      await take(...bodiesOf(25), ...bodiesOf(25));
      const kept = (await events()).filter((event) => event.business_account_id === WABA);

      expect(kept.map(({ kind }) => kind).sort()).toEqual([
        'account_alerts',
        'account_update',
        'template_category_update',
      ]);
      expect(kept.map(({ body }) => body)).toContainEqual(expect.stringContaining('SCHEDULE_FOR_DISABLE'));
    });

    it('opts a person out of marketing only (example 26)', async () => {
      await take(...bodiesOf(26), ...bodiesOf(26));
      const optOuts = webhook.parts.get(OptOutsService);

      expect(await optOuts.scopesByPerson(tables.accountId, [MIRA])).toEqual(new Map([[MIRA, 'Marketing']]));
    });
  });

  describe('in a message', () => {
    it('counts once, in any body and however often it arrives', async () => {
      const [one, two] = [text(MIRA, 'one', 60), text(MIRA, 'two', 50)];
      await Promise.all([take(bodyWith([one, one])), take(bodyWith([two, one])), take(bodyWith([one]))]);
      await take(bodyWith([two]));

      expect((await messages()).map(({ content }) => content)).toEqual([{ text: 'one' }, { text: 'two' }]);
      expect(await conversations()).toMatchObject([{ unread_count: 2 }]);
    });

    it('is one event, however often it arrives, and none for a notice about a person', async () => {
      await rows(
        `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
         VALUES ($2, $1, '', '{message.received,contact.opted_out}', 1, 'Enabled', '')`,
        uuidV7(),
      );
      const body = bodyWith([text(MIRA, 'Stop', 60)]);
      await take(body, body, ...bodiesOf(23));
      const events = await rows(
        'SELECT payload FROM webhook_outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id WHERE account_id = $1 ORDER BY o.id',
      );
      const message = (await messages()).find(({ type }) => type === 'Text');
      const person = { phone: MIRA, userId: null };
      const received = { messageId: message!.id, conversationId: message!.conversation_id, ...person };
      expect(events.map(({ payload }) => JSON.parse(payload as string) as object)).toMatchObject([
        { type: 'message.received', data: { ...received, type: 'Text', text: 'Stop' } },
        { type: 'contact.opted_out', data: { ...person, scope: 'All', source: 'Keyword' } },
      ]);
    });

    it('counts once even without a time, or with a future one', async () => {
      const timeless = { ...text(MIRA, 'when?', 0), timestamp: undefined };
      const early = { ...text(MIRA, 'soon', 0), timestamp: String(Math.floor(Date.now() / 1000) + 3600) };
      await take(bodyWith([timeless, early]), bodyWith([early, timeless]));

      const kept = await messages();
      expect(kept).toHaveLength(2);
      for (const { created_at: at } of kept) expect((at as Date).getTime()).toBeLessThanOrEqual(Date.now());
      const { messages: listed } = await new PostgresMessageArchive(database).newest(tables.accountId, {}, 10);
      expect(listed).toHaveLength(2);
    });

    it('that arrives late changes only the count', async () => {
      await take(bodyWith([text(MIRA, 'late', 10)]), bodyWith([text(MIRA, 'early', 7200)]));
      const [, late] = await messages();

      expect(await conversations()).toMatchObject([
        {
          last_message_id: late!.id,
          unread_count: 2,
          window_expires_at: new Date((late!.created_at as Date).getTime() + WINDOW_MS),
        },
      ]);
    });

    it('joins messages to another form of the number, and does not precede a later message of ours', async () => {
      const [dialled, reported] = ['5511987654321', '551187654321'];
      const sentAt = new Date();
      const sent = {
        type: 'Template' as const,
        id: uuidV7(),
        accountId: tables.accountId,
        senderId: null,
        contactPhone: dialled,
        contactUserId: null,
        templateName: 'promo',
        languageCode: 'en_US',
        revisionId: tables.revisionId,
        parameters: [],
        extras: null,
        reference: null,
        jobId: null,
        rowNumber: null,
        status: 'Sent' as const,
        problem: null,
        platformMessageId: null,
        createdAt: sentAt,
      };
      await new PostgresMessageStore(database).save([sent], sentAt);
      await take(bodyWith([text(reported, 'Oi', 30)], [{ wa_id: reported, profile: { name: 'Ana' } }]));

      expect(await conversations()).toMatchObject([
        {
          contact_phone: dialled,
          profile_name: 'Ana',
          last_message_id: sent.id,
          last_direction: 'Outbound',
          unread_count: 1,
        },
      ]);
      expect((await conversations())[0]!.window_expires_at).not.toBeNull();
    });

    it('opts its author out once: a repetition does not undo later changes of the account', async () => {
      const optOuts = webhook.parts.get(OptOutsService);
      const body = bodyWith([text(MIRA, ' stop ', 60)]);
      await take(body);
      expect(await optOuts.isOptedOut(tables.accountId, MIRA)).toBe(true);

      await optOuts.remove(actorIn(tables.accountId), MIRA);
      await take(body);
      expect(await optOuts.isOptedOut(tables.accountId, MIRA)).toBe(false);
    });

    it("is accepted only for the account's number, signed with its secret", async () => {
      const body = bodyWith([text(MIRA, 'forged', 5)]);
      await take(bodyWith([text(MIRA, 'to nobody', 5)], [], '4711'));

      expect((await webhook.post(body, sign(body, 'another secret'))).status).toBe(401);
      expect(await messages()).toEqual([]);
    });

    it('may be one of a thousand, from as many people, in one body', async () => {
      const people = Array.from({ length: 1000 }, (_, n) => `49160${String(1_000_000 + n)}`);
      await take(bodyWith(people.map((phone, n) => text(phone, `Number ${n}`, n % 60))));

      expect(await messages()).toHaveLength(1000);
      expect(await conversations()).toHaveLength(1000);
      expect(await contacts()).toHaveLength(1000);
    });

    it('of concurrent people and repetitions ends in the same state', async () => {
      const people = Array.from({ length: 30 }, (_, n) => `49161${String(1_000_000 + n)}`);
      const sent = people.flatMap((phone) => [text(phone, 'a', 9), text(phone, 'b', 8), text(phone, 'START', 7)]);
      const bodies = [sent, [...sent].reverse(), sent.slice(20, 60)].map((part) => bodyWith(part));
      await Promise.all(bodies.map((body) => take(body)));

      expect(await messages()).toHaveLength(90);
      expect((await conversations()).map((one) => one.unread_count)).toEqual(people.map(() => 3));
    });

    it('is recorded even if another message of the body cannot be', async () => {
      const good = text(MIRA, 'good', 5);
      const hostile = [
        { ...text(MIRA, 'a\u0000\ud800b', 5), context: { id: '\u0000' } },
        { ...text(MIRA, 'x', 5), id: 'w'.repeat(4000) },
        { ...text('nobody', 'x', 5) },
        { ...text(MIRA, 'x', 5), type: '__proto__' },
        { ...text(MIRA, 'x', 5), type: 'location', location: { latitude: 1e308, longitude: -1e308 } },
        { ...text(MIRA, 'x', 5), timestamp: '281474976710655' },
        { ...text(MIRA, 'x', 5), timestamp: '1e300' },
        { ...text(MIRA, 'x', 5), type: 'contacts', contacts: [{ name: { formatted_name: '\udfff' } }] },
        null,
        [],
      ];
      await take(bodyWith([...hostile, good] as object[], [{ wa_id: MIRA, profile: { name: '\u0000\ud83d' } }]));

      const kept = (await messages()).map(({ content }) => content);
      expect(kept).toContainEqual({ text: 'good' });
      expect(kept).toContainEqual({ text: 'a\uFFFD\uFFFDb', replyTo: '\uFFFD' });
      // The only named person has an invalid number.
      expect(kept).toHaveLength(8);
      expect(await database.rows('SELECT id FROM parked_updates')).toEqual([]);
    });
  });

  it('is never an error and never lost next to one: randomly mutated bodies, each with a valid message', async () => {
    const bodies = fc.sample(changedWebhooks, { numRuns: 60, seed: 20261122 });
    for (const [n, body] of bodies.entries()) {
      const good = JSON.parse(bodyWith([text(MIRA, `good ${n}`, 5)])) as { entry: object[] };
      const given = (body as { entry?: unknown } | null)?.entry;
      const entry = [...(Array.isArray(given) ? (given as unknown[]) : [given]), ...good.entry];
      await take(JSON.stringify({ ...(body as object), entry }));
    }
    const kept = new Set((await messages()).map(({ content }) => (content as { text?: string }).text));

    expect(bodies.map((_, n) => `good ${n}`).filter((one) => !kept.has(one))).toEqual([]);
    expect(await database.rows('SELECT reason FROM parked_updates')).toEqual([]);
  });

  it('is stored for 90 days without effect, up to a limit', async () => {
    await database.execute('DELETE FROM platform_events');
    const days = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    for (const [table, column] of [
      ['platform_events', 'kind'],
      ['parked_updates', 'reason'],
    ] as const) {
      const more = table === 'platform_events' ? [', business_account_id', ", '1'"] : ['', ''];
      await database.execute(
        `INSERT INTO ${table} (id, ${column}, body, received_at${more[0]})
         SELECT gen_random_uuid(), 'old', '{}', $1::timestamptz + n * interval '1 second'${more[1]}
         FROM generate_series(1, 1500) AS n`,
        [days(91)],
      );
      await database.execute(
        `INSERT INTO ${table} (id, ${column}, body, received_at${more[0]})
         SELECT gen_random_uuid(), 'young', '{}', $1::timestamptz + n * interval '1 second'${more[1]}
         FROM generate_series(1, 30) AS n`,
        [days(1)],
      );
    }
    const cleaning = new ParkedReportsCleanup(database, new SystemClock());

    expect(await cleaning.clean()).toEqual({ platformEvents: 1500, parkedUpdates: 1500 });
    expect(await cleaning.clean(20)).toEqual({ platformEvents: 10, parkedUpdates: 10 });
    expect(await cleaning.clean(20)).toEqual({ platformEvents: 0, parkedUpdates: 0 });
  });
});
