import type { Database } from '../../src/infra/database/database';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, startWebhook, type WebhookApp } from '../support/webhook-app';

const NUMBER = '109876543210001';
const WABA = '204876543210002';
const RITA = '4915112340001';

type Row = Record<string, unknown>;

describeOnDatabase('Changes of an earlier message', (open) => {
  let database: Database;
  let webhook: WebhookApp;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    const sender = () => ({
      ...{ id: tables.senderId, accountId: tables.accountId, phoneNumberId: NUMBER },
      ...{ businessAccountId: WABA, appSecret: SECRET },
    });
    webhook = await startWebhook(database, () => [sender()]);
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  afterAll(() => webhook.close());

  const rows = (sql: string) => database.rows<Row>(sql, [tables.accountId]);
  const messages = () => rows('SELECT * FROM messages WHERE account_id = $1 ORDER BY created_at, id');
  const conversation = async () => (await rows('SELECT * FROM conversations WHERE account_id = $1'))[0];
  const isOptedOut = () => webhook.parts.get(OptOutsService).isOptedOut(tables.accountId, RITA);
  const take = async (...sent: object[]) => {
    for (const one of sent) {
      const value = { metadata: { phone_number_id: NUMBER }, contacts: [], messages: [one] };
      const body = JSON.stringify({ entry: [{ id: WABA, changes: [{ field: 'messages', value }] }] });
      expect((await webhook.post(body)).status).toBe(200);
    }
  };
  const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago);
  /** A message of Rita, sent `ago` seconds ago. */
  const sent = (ago: number, id: string, content: object) => ({ from: RITA, id, timestamp: seconds(ago), ...content });
  const text = (body: string) => ({ type: 'text', text: { body } });
  const ghost = { type: 'unsupported', unsupported: { type: 'unknown' }, errors: [{ code: 131060, title: 'Gone' }] };
  const image = (id: string, caption: string) => ({ type: 'image', image: { id, mime_type: 'image/png', caption } });
  const edit = (of: string, message: object) => ({ type: 'edit', edit: { original_message_id: of, message } });
  const revoke = (of: string) => ({ type: 'revoke', revoke: { original_message_id: of } });

  describe('that could not be read', () => {
    it('is the message itself, with all its effects', async () => {
      const first = sent(60, 'wamid.g1', ghost);
      await take(first);
      const [unread] = await messages();
      expect(unread).toMatchObject({ type: 'Unsupported' });
      await take({ ...first, ...text('STOP'), errors: undefined, unsupported: undefined });

      expect(await messages()).toEqual([{ ...unread, type: 'Text', content: { text: 'STOP' } }]);
      expect(await conversation()).toMatchObject({ unread_count: 1, last_message_id: unread!.id });
      expect(await isOptedOut()).toBe(true);
    });

    it('is the message itself, also if the report of an unreadable message arrives later', async () => {
      const first = sent(60, 'wamid.g2', text('Hello'));
      await take(first, { ...first, ...ghost }, first);
      expect(await messages()).toMatchObject([{ type: 'Text', content: { text: 'Hello' } }]);
      expect(await conversation()).toMatchObject({ unread_count: 1 });
    });

    it('is fetched if it is a file', async () => {
      const first = sent(60, 'wamid.g3', ghost);
      await take(first, { ...first, ...image('900000000000021', 'Look'), errors: undefined });
      expect(await rows('SELECT platform_media_id FROM inbound_media WHERE account_id = $1')).toEqual([
        { platform_media_id: '900000000000021' },
      ]);
    });

    it('stays erased if it was erased', async () => {
      const first = sent(60, 'wamid.g4', ghost);
      await take(first);
      await database.execute(`UPDATE messages SET conversation_id = NULL, content = NULL WHERE account_id = $1`, [
        tables.accountId,
      ]);
      await take({ ...first, ...text('STOP') });
      expect(await messages()).toMatchObject([{ type: 'Unsupported', content: null }]);
    });
  });

  describe('as a pressed button', () => {
    const button = (id: string, label: string, payload = label) =>
      sent(10, id, { type: 'button', button: { text: label, payload }, context: { id: 'wamid.sent' } });
    const refuses = async () =>
      (await webhook.parts.get(OptOutsService).scopesByPerson(tables.accountId, [RITA])).get(RITA);

    /** The template that Rita responds to, as `wamid.sent`. */
    async function sentTemplate(category: string): Promise<void> {
      const jobId = await tables.addJob(1);
      await database.execute(`UPDATE templates SET category = $2 WHERE account_id = $1`, [tables.accountId, category]);
      await database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, platform_message_id, revision_id, created_at)
         SELECT r.message_id, j.account_id, r.message_id, 'Outbound', 'Template', 'Sent', 'wamid.sent', j.revision_id, now()
         FROM job_recipients r JOIN bulk_jobs j ON j.id = r.job_id WHERE j.id = $1`,
        [jobId],
      );
    }

    it.each([
      ['Stop promotions', 'Stop promotions'],
      ['No, thanks', 'STOP'],
      ['unsubscribe', 'b-1'],
    ])('of a Marketing template, "%s" with the payload "%s" opts out of marketing', async (label, payload) => {
      await sentTemplate('Marketing');
      await take(button(`wamid.b${label}`, label, payload));
      expect(await refuses()).toBe('Marketing');
    });

    it('of a Marketing template is no opt-out with another text', async () => {
      await sentTemplate('Marketing');
      await take(button('wamid.b2', 'Show me'));
      expect(await refuses()).toBeUndefined();
    });

    it('is no opt-out with a template of another category', async () => {
      await sentTemplate('Utility');
      await take(button('wamid.b3', 'Cancel'));
      expect(await refuses()).toBeUndefined();
    });
  });

  describe('as an edit', () => {
    const at = (ago: number) => new Date(Number(seconds(ago)) * 1000).toISOString();

    it('is shown in the edited message, which keeps its position', async () => {
      const original = sent(60, 'wamid.e1', image('900000000000022', 'A cat'));
      await take(original);
      const [before] = await messages();
      const edited = sent(50, 'wamid.e2', edit('wamid.e1', image('900000000000022', 'A dog')));
      const editedAt = at(50);
      await take(edited);

      const [after, ...more] = await messages();
      expect(more).toEqual([]);
      expect(after).toMatchObject({ ...before, content: { text: 'A dog' } });
      expect(Date.parse((after!.content as { editedAt: string }).editedAt) - Date.parse(editedAt)).toBeLessThan(2000);
      expect(await conversation()).toMatchObject({ unread_count: 1 });
      await take(original, edited);
      expect(await messages()).toEqual([after]);
    });

    it('is replaced by a later edit, in any order', async () => {
      const original = sent(60, 'wamid.e3', text('one'));
      const [second, third] = [
        sent(50, 'wamid.e4', edit('wamid.e3', text('two'))),
        sent(40, 'wamid.e5', edit('wamid.e3', text('three'))),
      ];
      await take(original, third, second);
      expect(await messages()).toMatchObject([{ type: 'Text', content: { text: 'three' } }]);
    });

    it('opts out if it says STOP', async () => {
      await take(sent(60, 'wamid.e6', text('STOP it')));
      expect(await isOptedOut()).toBe(false);
      await take(sent(50, 'wamid.e7', edit('wamid.e6', text('STOP'))));
      expect(await isOptedOut()).toBe(true);
    });

    it('replaces its later-arriving message, whose own text still takes effect', async () => {
      const edited = sent(50, 'wamid.e9', edit('wamid.e8', text('Never mind')));
      await take(edited, sent(60, 'wamid.e8', text('STOP')), edited);
      expect(await messages()).toMatchObject([
        { type: 'Text', platform_message_id: 'wamid.e8', content: { text: 'Never mind' } },
      ]);
      expect(await isOptedOut()).toBe(true);
    });
  });

  describe('as a revoke', () => {
    it('removes the content and the file', async () => {
      await take(sent(60, 'wamid.r1', image('900000000000023', 'Secret')), sent(50, 'wamid.r2', revoke('wamid.r1')));
      const [message, ...more] = await messages();
      expect(more).toEqual([]);
      expect(message).toMatchObject({ type: 'Image', content: { revokedAt: expect.any(String) as string } });
      expect(JSON.stringify(message)).not.toContain('Secret');
      expect(await rows(`SELECT state FROM inbound_media WHERE account_id = $1`)).toEqual([{ state: 'Removed' }]);
    });

    it('is final, whatever follows', async () => {
      const original = sent(60, 'wamid.r3', text('Secret'));
      const late = sent(40, 'wamid.r5', edit('wamid.r3', text('Secret too')));
      await take(original, sent(50, 'wamid.r4', revoke('wamid.r3')), late, original);
      expect(JSON.stringify(await messages())).not.toContain('Secret');
    });

    it('also covers an edit that came just before it, in one webhook', async () => {
      const value = {
        metadata: { phone_number_id: NUMBER },
        messages: [sent(50, 'wamid.ra', edit('wamid.r0', text('Secret'))), sent(40, 'wamid.rb', revoke('wamid.r0'))],
      };
      const body = JSON.stringify({ entry: [{ id: WABA, changes: [{ field: 'messages', value }] }] });
      expect((await webhook.post(body)).status).toBe(200);
      expect(await messages()).toMatchObject([{ platform_message_id: 'wamid.r0' }]);
      expect(JSON.stringify(await messages())).not.toContain('Secret');
    });

    it('suppresses a message that arrives after it', async () => {
      await take(sent(50, 'wamid.r7', revoke('wamid.r6')), sent(60, 'wamid.r6', text('Secret')));
      expect(JSON.stringify(await messages())).not.toContain('Secret');
      expect(await conversation()).toBeUndefined();
    });

    it('does not affect messages of the account', async () => {
      await database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, content, platform_message_id, created_at)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'Outbound', 'Text', 'Sent', '{"text":"Ours"}', 'wamid.r8', now())`,
        [tables.accountId],
      );
      await take(sent(50, 'wamid.r9', revoke('wamid.r8')));
      expect(JSON.stringify(await messages())).toContain('Ours');
    });
  });
});
