import { createHash } from 'node:crypto';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import type { LedgerEntry } from '../../libs/platform-sandbox/traffic/ledger';
import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { SystemClock } from '../../src/infra/system-clock';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import { MessageStatuses } from '../../src/modules/messages/domain/message-statuses';
import type { StatusUpdate } from '../../src/modules/messages/domain/status-update';
import { ReplyContext } from '../../src/modules/chat-history/domain/reply-context';
import { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import { PostgresMessageArchive } from '../../src/modules/messages/adapters/postgres-message-archive';
import { ConversationMessages } from '../../src/modules/messages/domain/conversation-messages';
import { MessageArchive } from '../../src/modules/messages/domain/message-archive.port';
import { MessageTexts } from '../../src/modules/messages/domain/message-texts';
import { CloudApiMessageSender } from '../../src/modules/sending/adapters/cloud-api-message-sender';
import { RepliesController } from '../../src/modules/sending/adapters/replies.controller';
import { DirectSends } from '../../src/modules/sending/domain/direct-sends';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import { RateLimiter } from '../../src/modules/sending/domain/rate-limiter.port';
import { Replies } from '../../src/modules/sending/domain/replies';
import { SingleSends } from '../../src/modules/sending/domain/single-sends';
import { describeOnDatabase } from '../support/databases';
import { optOutsOn } from '../support/opt-outs-on';
import { statusParts } from '../support/status-parts';

const API = '/api/v1/messaging';
const HOUR_MS = 3_600_000;
const interactive = (content: object) => ({ type: 'Interactive', text: 'Well?', interactive: content });

/** A pace with or without room. */
class SwitchedPace extends RateLimiter {
  full = false;

  reserve(): Promise<{ waitMs: number; intervalMs: number } | null> {
    return Promise.resolve(this.full ? null : { waitMs: 0, intervalMs: 1 });
  }

  cut(): Promise<void> {
    return Promise.resolve();
  }

  current(_senderId: string, perSecond: number): Promise<number> {
    return Promise.resolve(perSecond);
  }

  laneAcquired(): void {}

  laneReleased(): void {}
}

interface Row {
  direction: string;
  type: string;
  status: string;
  problem: string | null;
  contact_phone: string | null;
  contact_user_id: string | null;
  content: object;
  conversation_id: string;
  platform_message_id: string | null;
  reference: string | null;
}

describeOnDatabase('A reply over HTTP', (open) => {
  let database: Database;
  let app: NestExpressApplication;
  let sandbox: RunningSandbox;
  let platform: CloudApiClient;
  let sender: Sender;
  const pace = new SwitchedPace();
  let nextPhone = 4915112340000;

  beforeAll(async () => {
    database = await open();
    sandbox = await startSandbox({ config: { statuses: false } });
    platform = new CloudApiClient({ baseUrl: sandbox.url, version: 'v25.0', timeoutMs: 3000 });
    const parts = await statusParts(database, {
      imports: [DiscoveryModule],
      controllers: [RepliesController],
      providers: [
        DirectSends,
        IdempotencyKeys,
        SendGateway,
        TrafficMarks,
        Replies,
        ReplyContext,
        ConversationMessages,
        MessageTexts,
        { provide: ConversationStore, useClass: PostgresConversationStore },
        { provide: MessageArchive, useClass: PostgresMessageArchive },
        { provide: MessageSender, useValue: new CloudApiMessageSender(platform, new SystemClock()) },
        { provide: RateLimiter, useValue: pace },
        {
          provide: SendersService,
          useValue: {
            recorded: () => Promise.resolve(sender),
            recordedId: (_: string, senderId: string) => Promise.resolve(senderId),
            ...{ recordAccess: () => undefined, recordRefusal: () => undefined },
          },
        },
      ],
    }).compile();
    app = parts.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = { accountId: sender.accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
      next();
    });
    await app.listen(0, '127.0.0.1');
  });

  beforeEach(async () => {
    pace.full = false;
    const id = uuidV7();
    const { phoneNumberId, businessAccountId, accessToken } = SANDBOX_CREDENTIALS;
    sender = {
      ...{ id, accountId: id, phoneNumberId, businessAccountId, accessToken, portfolioId: id },
      ...{ messagesPerSecond: 80, messagingTier: '250', sendingPaused: false },
    } as Sender;
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [id]);
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $1, $2, '2')`,
      [id, id],
    );
  });

  afterAll(async () => {
    await app.close();
    await platform.close();
    await sandbox.close();
  });

  const tell = (path: string, body: object) =>
    fetch(`${sandbox.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });

  const ledger = async (to: string) =>
    ((await (await fetch(`${sandbox.url}/sandbox/ledger`)).json()) as { items: LedgerEntry[] }).items.filter(
      (entry) => entry.to === to,
    );

  /** A person who wrote this many hours ago here and, if less than a day, on the platform. */
  async function person(hoursAgo: number | null = 1, hidesPhone = false): Promise<{ id: string; name: string }> {
    const phone = String((nextPhone += 10));
    const userId = `DE.${BigInt(`0x${createHash('sha256').update(phone).digest('hex').slice(0, 16)}`)}`;
    const name = hidesPhone ? userId : phone;
    const id = conversationId(sender.accountId, name);
    const window = hoursAgo === null ? null : new Date(Date.now() + (24 - hoursAgo) * HOUR_MS);
    await database.execute(
      `INSERT INTO conversations (id, account_id, contact_phone, contact_user_id, last_message_id, last_message_at,
         last_direction, window_expires_at) VALUES ($1, $2, $3, $4, $1, now() - interval '1 hour', 'Inbound', $5)`,
      [id, sender.accountId, hidesPhone ? null : phone, userId, window],
    );
    if (hoursAgo !== null && hoursAgo < 24) await tell('inbound', { from: phone, text: 'Hi', omitPhone: hidesPhone });
    return { id, name };
  }

  const reply = (conversation: string, body: object, key?: string) => {
    const post = request(app.getHttpServer()).post(`${API}/conversations/${conversation}/messages`);
    return (key === undefined ? post : post.set('Idempotency-Key', key)).send(body);
  };

  async function message(id: unknown): Promise<Row> {
    const [row] = await database.rows<Row>('SELECT * FROM messages WHERE id = $1', [id]);
    return row!;
  }

  async function messagesOf(conversation: string): Promise<number> {
    const rows = await database.rows('SELECT 1 FROM messages WHERE conversation_id = $1', [conversation]);
    return rows.length;
  }

  it('returns 201 and is stored unchanged, independent of the messaging tier', async () => {
    const { id, name } = await person();
    const { body } = await reply(id.toUpperCase(), { text: 'On its way 🚚', reference: 'ticket-1' }).expect(201);

    const [accepted] = await ledger(name);
    expect(accepted).toMatchObject({ type: 'text', callbackData: `${body.messageId}.1` });
    expect(body).toEqual({
      messageId: expect.any(String),
      status: 'Sent',
      conversationId: id,
      platformMessageId: accepted!.messageId,
      createdAt: expect.any(String),
    });
    expect(await message(body.messageId)).toMatchObject({
      ...{ direction: 'Outbound', type: 'Text', status: 'Sent', conversation_id: id, contact_phone: name },
      ...{ content: { text: 'On its way 🚚' }, reference: 'ticket-1', platform_message_id: accepted!.messageId },
    });
    const tier = await database.rows('SELECT 1 FROM tier_conversations WHERE portfolio_id = $1', [sender.portfolioId]);
    expect(tier).toEqual([]);
  });

  it.each([
    ['image', { type: 'Image', mediaUrl: 'https://files.example.com/a.png', text: 'Look' }],
    ['document', { type: 'Document', mediaId: '900000000000012', fileName: 'a.pdf' }],
    ['audio', { type: 'Audio', mediaUrl: 'https://files.example.com/a.ogg' }],
    ['location', { type: 'Location', location: { latitude: 52.5, longitude: 13.4, name: 'Shop' } }],
    ['interactive', interactive({ buttons: [{ id: 'a', title: 'Yes' }], footer: 'Acme' })],
    [
      'interactive',
      interactive({ list: { buttonText: 'Choose', sections: [{ rows: [{ id: 'a', title: '8:00' }] }] } }),
    ],
    ['interactive', interactive({ link: { title: 'Track', url: 'https://a.example.com' } })],
  ])('may be more than text: %s', async (type, body) => {
    const { id, name } = await person();
    await reply(id, body).expect(201);
    expect(await ledger(name)).toMatchObject([{ type }]);
  });

  it('goes by user id to a person who hides the phone number', async () => {
    const { id, name } = await person(1, true);
    const { body } = await reply(id, { text: 'Hello' }).expect(201);
    expect(await ledger(name)).toHaveLength(1);
    expect(await message(body.messageId)).toMatchObject({
      ...{ contact_phone: null, contact_user_id: name, conversation_id: id },
    });
  });

  it('quotes and reacts to messages of its own conversation by their platform ids', async () => {
    const { id } = await person();
    const first = (await reply(id, { text: 'One' }).expect(201)).body;
    const answer = (await reply(id, { text: 'Two', replyTo: String(first.messageId).toUpperCase() }).expect(201)).body;
    const reaction = { type: 'Reaction', reaction: { messageId: first.messageId, emoji: '👍' } };
    const reacted = (await reply(id, reaction).expect(201)).body;
    const gone = { type: 'Reaction', reaction: { messageId: first.messageId, emoji: '' } };
    const undone = (await reply(id, gone).expect(201)).body;

    const { platformMessageId } = first;
    expect((await message(answer.messageId)).content).toEqual({ text: 'Two', replyTo: platformMessageId });
    expect((await message(reacted.messageId)).content).toEqual({ reaction: { platformMessageId, emoji: '👍' } });
    expect((await message(undone.messageId)).content).toEqual({ reaction: { platformMessageId, emoji: null } });
  });

  it('quotes no message of another conversation, no unknown and no unsent one', async () => {
    const [{ id }, other] = [await person(), await person()];
    const elsewhere = (await reply(other.id, { text: 'One' }).expect(201)).body;
    pace.full = true;
    const waiting = (await reply(id, { text: 'Later' }).expect(202)).body;
    pace.full = false;

    for (const replyTo of [elsewhere.messageId, uuidV7()]) {
      const { body } = await reply(id, { text: 'Two', replyTo }).expect(404);
      expect(body).toMatchObject({ code: 'message_not_found', message: expect.stringContaining('replyTo') });
    }
    const reaction = { messageId: waiting.messageId, emoji: '👍' };
    const { body } = await reply(id, { type: 'Reaction', reaction }).expect(422);
    expect(body).toMatchObject({ code: 'message_not_sent', message: expect.stringContaining('reaction.messageId') });
    expect(await messagesOf(id)).toBe(1);
  });

  it('is rejected once the window has closed, and if the person never wrote', async () => {
    const closed = await person(25);
    const { body } = await reply(closed.id, { text: 'Hello' }).expect(422);
    expect(body).toMatchObject({ code: 'window_closed', windowExpiresAt: expect.stringMatching(/Z$/) });
    const silent = await person(null);
    const never = (await reply(silent.id, { text: 'Hello' }).expect(422)).body;
    expect(never).toMatchObject({ code: 'window_closed', windowExpiresAt: null });

    expect(await messagesOf(closed.id)).toBe(0);
    expect(await ledger(closed.name)).toEqual([]);
  });

  it('is rejected the same way if only the platform has closed the window, and the response is stored', async () => {
    const { id } = await person();
    await tell('config', { refuseNext: { code: 131047, count: 1 } });
    const { body } = await reply(id, { text: 'Hello' }, 'closed').expect(422);
    const again = await reply(id, { text: 'Hello' }, 'closed').expect(422);

    expect(body).toMatchObject({ code: 'window_closed', messageId: expect.any(String) });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toMatchObject({ code: 'window_closed', messageId: body.messageId });
    expect(await message(body.messageId)).toMatchObject({ status: 'Failed', problem: 'window_closed' });
    expect(await messagesOf(id)).toBe(1);
  });

  it('fails if the platform later reports a closed window', async () => {
    const { id } = await person();
    const { body } = await reply(id, { text: 'Hello' }).expect(201);
    const statuses = app.get(MessageStatuses);
    const failed: StatusUpdate = {
      ...{ accountId: sender.accountId, senderId: sender.id, platformMessageId: body.platformMessageId },
      ...{ status: 'failed', at: new Date(), callbackData: `${body.messageId}.1`, scope: 'message', recipient: null },
      problem: { code: 'window_closed', message: 'Too late.', platformCode: 131047 },
    };
    await statuses.apply([failed], await statuses.referenced([failed]));

    expect(await message(body.messageId)).toMatchObject({ status: 'Undelivered', problem: 'window_closed' });
  });

  it('is rejected with the reason and code of the platform', async () => {
    const { id } = await person();
    await tell('config', { refuseNext: { code: 131053, count: 1 } });
    const { body } = await reply(id, { type: 'Image', mediaId: '9' }).expect(422);

    expect(body).toMatchObject({ code: 'media_unusable', platformCode: 131053 });
    expect(await message(body.messageId)).toMatchObject({ status: 'Failed', problem: 'media_unusable' });
  });

  it.each([
    ['by the number', false],
    ['by the user id', true],
  ])('never reaches opted-out people, whatever they wrote before, %s', async (_, hidesPhone) => {
    const { id, name } = await person(1, hidesPhone);
    const named = hidesPhone ? { phone: null, userId: name } : { phone: name, userId: null };
    await optOutsOn(database).applyMessages(sender.accountId, [{ ...named, text: 'STOP', at: new Date() }]);

    expect((await reply(id, { text: 'Hello' }).expect(422)).body.code).toBe('recipient_opted_out');
    expect(await messagesOf(id)).toBe(0);
    expect(await ledger(name)).toEqual([]);
  });

  it("is 404 for another account's conversation", async () => {
    const { id } = await person();
    sender = { ...sender, accountId: uuidV7() };

    for (const unknown of [id, uuidV7(), 'x'])
      expect((await reply(unknown, { text: 'Hello' }).expect(404)).body.code).toBe('conversation_not_found');
  });

  it('is not sent while the operator has paused sending', async () => {
    const { id } = await person();
    sender = { ...sender, sendingPaused: true };

    expect((await reply(id, { text: 'Hello' }).expect(503)).body.code).toBe('sending_paused');
    expect(await messagesOf(id)).toBe(0);
  });

  it('is sent once for any number of requests with the same key', async () => {
    const [{ id, name }, other] = [await person(), await person()];
    const first = await reply(id, { text: 'Hello' }, 'k').expect(201);
    const again = await reply(id, { text: 'Hello' }, 'k').expect(201);

    expect(again.body).toEqual(first.body);
    expect(await ledger(name)).toHaveLength(1);
    expect((await reply(id, { text: 'Other' }, 'k').expect(422)).body.code).toBe('idempotency_mismatch');
    await reply(other.id, { text: 'Hello' }, 'k').expect(201);
  });

  it('waits unchanged without room, and is sent when due', async () => {
    const { id, name } = await person();
    const { body: first } = await reply(id, { text: 'One' }).expect(201);
    pace.full = true;
    const { body } = await reply(id, { text: 'Two', replyTo: first.messageId, previewUrl: true }).expect(202);
    expect(body).toMatchObject({ status: 'Queued', platformMessageId: null });

    const sends = app.get(SingleSends);
    const claimed = await database.transaction(() => sends.claimDue(sender, '1', 10));
    expect(claimed).toMatchObject([
      {
        send: { messageId: body.messageId, attempt: 1 },
        message: {
          ...{ type: 'Text', contactPhone: name },
          content: { text: 'Two', previewUrl: true, replyTo: first.platformMessageId },
        },
      },
    ]);
  });

  it('fails if it still waits when the window closes', async () => {
    const { id } = await person();
    pace.full = true;
    const { body } = await reply(id, { text: 'Hello' }).expect(202);
    const [row] = await database.rows<{ same: boolean }>(
      `SELECT valid_until = window_expires_at AS same FROM single_sends, conversations
       WHERE message_id = $1 AND id = $2`,
      [body.messageId, id],
    );
    expect(row!.same).toBe(true);
    await database.execute(`UPDATE single_sends SET valid_until = now() - interval '1 s' WHERE message_id = $1`, [
      body.messageId,
    ]);
    await app.get(SingleSends).settleOverdue();

    expect(await message(body.messageId)).toMatchObject({ status: 'Failed', problem: 'window_closed' });
  });

  it('returns all errors of its body', async () => {
    const { id } = await person();
    const { body } = await reply(id, { type: 'Image', text: 'x'.repeat(1025), fileName: 'a', to: '49' }).expect(400);

    const errors = (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
    expect(errors).toEqual(['text too_long', 'mediaId required', 'fileName not_allowed', 'to unknown_field']);
  });
});
