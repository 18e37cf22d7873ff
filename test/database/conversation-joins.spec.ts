import type { Database } from '../../src/infra/database/database';
import { PostgresConversationStore } from '../../src/modules/chat-history/adapters/postgres-conversation-store';
import { ConversationErasure } from '../../src/modules/chat-history/domain/conversation-erasure';
import { PostgresConversationErasureStore } from '../../src/modules/chat-history/adapters/postgres-conversation-erasure-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import { conversationId } from '../../src/modules/messages/domain/conversation-id';
import type { TemplateMessage } from '../../src/modules/messages/domain/message';
import { ConversationMessages } from '../../src/modules/messages/domain/conversation-messages';
import type { ReadableMessage } from '../../src/modules/messages/domain/message-texts';
import { type InboundMessage, inboundMessageId } from '../../src/modules/messages/domain/inbound-message';
import type { StatusUpdate } from '../../src/modules/messages/domain/status-update';
import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { InboundReports } from '../../src/modules/platform-webhook/domain/inbound-reports';
import { NoticeReports } from '../../src/modules/platform-webhook/domain/notice-reports';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { callerOf } from '../support/contact-book-api';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { startWebhook, type WebhookApp } from '../support/webhook-app';

interface Person {
  phone: string;
  userId: string;
}

const DAY_MS = 86_400_000;

describeOnDatabase('The conversations of one person', (open, isShared) => {
  let database: Database;
  let webhook: WebhookApp;
  let store: PostgresConversationStore;
  let accountId: string;
  let senderId: string;
  let next = 0;

  beforeAll(async () => {
    database = await open();
    store = new PostgresConversationStore(database);
    webhook = await startWebhook(database, () => []);
  });
  beforeEach(async () => {
    const tables = new SqlSendingTables(database);
    await tables.addSender();
    ({ accountId, senderId } = tables);
  });
  afterAll(() => webhook.close());

  const newPerson = (): Person => {
    const number = 4915100000000 + next++;
    return { phone: String(number), userId: `DE.${number}` };
  };
  const idOf = (person: string) => conversationId(accountId, person);
  const messageFrom = (person: Partial<Person>, text = 'Hello', secondsAgo = 60): InboundMessage => {
    const platformMessageId = `wamid.${next++}`;
    const at = new Date(Math.floor(Date.now() / 1000 - secondsAgo) * 1000);
    return {
      ...{ id: inboundMessageId(accountId, platformMessageId, at.getTime()), accountId, senderId, platformMessageId },
      ...{ phone: person.phone ?? null, userId: person.userId ?? null, profileName: null, username: null },
      ...{ type: 'Text', content: { text }, changes: null, at, orderedAt: at },
    };
  };
  const messageByUserId = ({ userId }: Person, text?: string, secondsAgo?: number) =>
    messageFrom({ userId }, text, secondsAgo);
  const delivered = (person: Person): StatusUpdate => ({
    ...{ accountId, senderId, platformMessageId: `wamid.${next++}`, status: 'delivered', at: new Date() },
    ...{ callbackData: null, recipient: person, problem: null, scope: null },
  });
  const inbound = (...messages: InboundMessage[]) => webhook.parts.get(InboundReports).apply(messages);
  const statuses = (...updates: StatusUpdate[]) => webhook.parts.get(StatusReports).apply(updates);
  /** A template sent to the number. */
  const sent = async ({ phone }: Person, createdAt = new Date(Date.now() - 3 * DAY_MS)) => {
    const id = uuidV7(createdAt.getTime());
    const message: TemplateMessage = {
      ...({ type: 'Template', status: 'Sent' } as const),
      ...{
        id,
        accountId,
        senderId,
        contactPhone: phone,
        contactUserId: null,
        templateName: 'promo',
        languageCode: 'en_US',
      },
      ...{ revisionId: uuidV7(), parameters: [], extras: null, reference: null, jobId: null, rowNumber: null },
      ...{ problem: null, platformMessageId: `wamid.${next++}`, createdAt },
    };
    await new PostgresMessageStore(database).save([message], createdAt);
    return id;
  };
  const conversations = () =>
    database.rows<{ id: string; unread: number; messages: number }>(
      `SELECT id, unread_count AS unread, (SELECT count(*)::int FROM messages WHERE conversation_id = c.id) AS messages
       FROM conversations c WHERE account_id = $1 ORDER BY contact_phone`,
      [accountId],
    );

  it('become one when a status names number and user id: no message, unread count or window is lost', async () => {
    const rita = newPerson();
    const template = await sent(rita);
    const [first, last] = [messageByUserId(rita, 'one', 300), messageByUserId(rita, 'two', 200)];
    await inbound(first, last);
    expect(await conversations()).toMatchObject([{ messages: 1 }, { messages: 2 }]);
    await statuses(delivered(rita));
    expect(await conversations()).toEqual([{ id: idOf(rita.phone), unread: 2, messages: 3 }]);
    expect(await store.find(accountId, idOf(rita.phone))).toMatchObject({
      ...{ contactPhone: rita.phone, userId: rita.userId, lastMessageId: last.id, lastDirection: 'Inbound' },
      ...{ lastMessageAt: last.at, windowExpiresAt: new Date(last.at.getTime() + DAY_MS) },
    });
    expect(await database.rows('SELECT id FROM messages WHERE account_id = $1 ORDER BY id', [accountId])).toEqual(
      [template, first.id, last.id].sort().map((id) => ({ id })),
    );
  });

  it('become one when the person writes under both', async () => {
    const rita = newPerson();
    await inbound(messageByUserId(rita));
    await inbound(messageFrom(rita));
    expect(await conversations()).toEqual([{ id: idOf(rita.phone), unread: 2, messages: 2 }]);
  });

  it('become one when the platform reports the successor of a user id', async () => {
    const [rita, before] = [newPerson(), newPerson()];
    await inbound(messageFrom(rita));
    await inbound(messageByUserId(before));
    const change = {
      before: { phone: null, userId: before.userId },
      after: { phone: null, userId: rita.userId },
    };
    const notice = {
      notice: { kind: 'identity', change },
      owners: [{ accountId, senderId, businessAccountId: '2' }],
    } as const;
    await webhook.parts.get(NoticeReports).apply([notice]);
    expect(await conversations()).toEqual([{ id: idOf(rita.phone), unread: 2, messages: 2 }]);
  });

  it('are also found under the earlier id, by their account only', async () => {
    const rita = newPerson();
    await inbound(messageByUserId(rita));
    await inbound(messageFrom(rita));
    const earlier = idOf(rita.userId);
    expect(await store.find(accountId, earlier)).toMatchObject({ id: idOf(rita.phone) });
    expect(await store.lock(accountId, earlier)).toMatchObject({ id: idOf(rita.phone) });
    expect(await store.find(uuidV7(), earlier)).toBeNull();
  });

  /** `atFirst` runs once the conversation is found, before anything is erased. */
  const erase = (id: string, atFirst: () => Promise<unknown> = () => Promise.resolve()) => {
    const { parts } = webhook;
    const audit = { record: () => atFirst().then(() => undefined) } as Partial<AuditLogService> as AuditLogService;
    const erasure = new ConversationErasure(
      ...([parts.get(UnitOfWork), new PostgresConversationErasureStore(database)] as const),
      ...([parts.get(ConversationMessages), parts.get(InboundMedia), audit] as const),
    );
    return erasure.eraseConversation(callerOf(accountId), id);
  };

  it('are erased as one if joined meanwhile', async () => {
    const rita = newPerson();
    await inbound(messageByUserId(rita));
    await erase(idOf(rita.userId), () => inbound(messageFrom(rita)));
    expect(await conversations()).toEqual([]);
    expect(
      await database.rows('SELECT 1 FROM messages WHERE account_id = $1 AND content IS NOT NULL', [accountId]),
    ).toEqual([]);
  });

  it('are erased as one under the earlier id', async () => {
    const rita = newPerson();
    await inbound(messageByUserId(rita));
    await inbound(messageFrom(rita));
    await erase(idOf(rita.userId));
    expect(await conversations()).toEqual([]);
    expect(await store.find(accountId, idOf(rita.userId))).toBeNull();
    expect(await database.rows('SELECT 1 FROM joined_conversations WHERE account_id = $1', [accountId])).toEqual([]);
  });

  it('are joined in parts if large', async () => {
    const rita = newPerson();
    await inbound(...Array.from({ length: 1100 }, () => messageByUserId(rita)));
    await inbound(messageFrom(rita));
    expect(await conversations()).toEqual([{ id: idOf(rita.phone), unread: 1101, messages: 1101 }]);
  });

  it('are exported completely if joined meanwhile, with their contents at the start of the export', async () => {
    const rita = newPerson();
    const underId = Array.from({ length: 600 }, (_, index) =>
      messageByUserId(rita, `hidden ${index}`, 2000 - 2 * index),
    );
    const underNumber = Array.from({ length: 600 }, (_, index) =>
      messageFrom({ phone: rita.phone }, '', 2001 - 2 * index),
    );
    await inbound(...underId, ...underNumber);
    const all = (person: string) => webhook.parts.get(ConversationMessages).all(accountId, idOf(person));
    const exports = [all(rita.userId), all(rita.phone)];
    const exported = await Promise.all(exports.map(async (parts) => (await parts.next()).value as ReadableMessage[]));
    await statuses(delivered(rita));
    expect(await conversations()).toMatchObject([{ messages: 1200 }]);
    for (const [index, parts] of exports.entries()) for await (const part of parts) exported[index]!.push(...part);
    const ids = exported.map((messages) => messages.map(({ message }) => message.id));
    expect(ids).toEqual([underId, underNumber].map((messages) => messages.map(({ id }) => id)));
  });

  it('stay apart from those of other people, and of people without a number', async () => {
    const [rita, jo] = [newPerson(), newPerson()];
    await inbound(messageByUserId(rita), messageByUserId(jo), messageFrom({ phone: jo.phone }));
    await statuses(delivered(rita));
    expect(await conversations()).toMatchObject([{ messages: 1 }, { messages: 1 }, { messages: 1 }]);
  });

  // Only PostgreSQL has two connections.
  if (isShared)
    it('are not treated as erased if some messages expire meanwhile', async () => {
      const rita = newPerson();
      const ids = [300, 200, 100].map((secondsAgo) => messageFrom(rita, 'Hello', secondsAgo));
      await inbound(...ids);
      const archive = webhook.parts.get(ConversationMessages);
      let expiring!: () => void;
      const isExpiring = new Promise<void>((resolve) => (expiring = resolve));
      const expiry = database.transaction(async () => {
        await database.execute('DELETE FROM messages WHERE id = $1', [ids[0]!.id]);
        expiring();
        await new Promise((done) => setTimeout(done, 100));
      });
      await isExpiring;
      const erased = webhook.parts.get(UnitOfWork).run(() => archive.erase(accountId, idOf(rita.phone), null, 2));
      await expiry;
      expect(await erased).toEqual({ erased: [{ id: ids[1]!.id, direction: 'Inbound' }], isAll: false });
    });

  // Only PostgreSQL has concurrent transactions: the embedded database has one connection.
  if (isShared)
    it('end as one under concurrent updates', async () => {
      const people = Array.from({ length: 30 }, newPerson);
      for (const person of people) await sent(person);
      const reports = people.flatMap((person, index) => {
        const other = people[(index * 7 + 3) % people.length]!;
        return [
          () => inbound(messageByUserId(person), messageByUserId(other)),
          () => statuses(delivered(other), delivered(person)),
          () => inbound(messageByUserId(person)),
          () => inbound(messageFrom(person), messageByUserId(other)),
          () => inbound(messageByUserId(other), messageByUserId(person)),
        ];
      });
      const shuffled = reports.map((report, index) => ({ report, key: (index * 7919) % 104_729 }));
      shuffled.sort((a, b) => a.key - b.key);
      // Few at a time, because each takes a connection.
      const inTurn = async () => {
        for (let one = shuffled.shift(); one; one = shuffled.shift()) await one.report();
      };
      await Promise.all(Array.from({ length: 6 }, inTurn));
      const found = await conversations();
      expect(found.map(({ id }) => id)).toEqual(people.map(({ phone }) => idOf(phone)));
      expect(found.reduce((sum, one) => sum + one.unread, 0)).toBe(people.length * 7);
      expect(found.every(({ unread, messages }) => messages === unread + 1)).toBe(true);
    });
});
