import { uuidV7 } from '../../src/kernel/uuid';
import type { MessageStatus } from '../../src/modules/messages/domain/message';
import { describeOnDatabase } from '../support/databases';
import { errorsOf } from '../support/bulk-jobs-api';
import { HistoryApi } from '../support/history-api';

const PHONE = '4915112345678';
const OUT = { direction: 'Outbound', status: 'Sent' } as const;

describeOnDatabase('Messages over HTTP', (open) => {
  let api: HistoryApi;

  beforeAll(async () => {
    api = new HistoryApi(await open(), 'http://127.0.0.1:1');
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.stop());

  const one = async (id: string) => (await api.get(`/messages/${id}`).expect(200)).body as Record<string, unknown>;

  it('show a template with its values, text and outcome', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 9, 30, second));
    const revisionId = await api.newTemplate();
    const jobId = uuidV7();
    const id = await api.newMessage({
      ...{ direction: 'Outbound', type: 'Template', status: 'Read', templateName: 'greeting', languageCode: 'en_US' },
      ...{ revisionId, parameters: ['Änne'], extras: { link: 'https://example.com/a.png' } },
      ...{ jobId, rowNumber: 7, reference: 'r-1', platformMessageId: 'wamid.1' },
      ...{ createdAt: at(0), sentAt: at(1), deliveredAt: at(2), readAt: at(3) },
    });
    expect(await one(id)).toEqual({
      id,
      conversationId: api.conversationOf(PHONE),
      contactPhone: PHONE,
      userId: null,
      direction: 'Outbound',
      type: 'Template',
      templateName: 'greeting',
      languageCode: 'en_US',
      parameters: ['Änne'],
      renderedText: 'Hello Änne\n\nAcme',
      content: { media: { mediaId: null, url: 'https://example.com/a.png' } },
      status: 'Read',
      statusHistory: [
        { status: 'Queued', at: at(0).toISOString() },
        { status: 'Sent', at: at(1).toISOString() },
        { status: 'Delivered', at: at(2).toISOString() },
        { status: 'Read', at: at(3).toISOString() },
      ],
      error: null,
      jobId,
      rowNumber: 7,
      reference: 'r-1',
      platformMessageId: 'wamid.1',
      acceptance: null,
      pricing: null,
      sentBy: null,
      createdAt: at(0).toISOString(),
    });
  });

  it('show inbound messages unchanged, and failed ones with the reason', async () => {
    const content = { text: 'Yes', choice: { id: 'confirm' }, replyTo: 'wamid.0' };
    const inbound = await api.newMessage({ type: 'Button', content, platformMessageId: 'wamid.2' });
    expect(await one(inbound)).toMatchObject({
      ...{ direction: 'Inbound', type: 'Button', renderedText: 'Yes', content, templateName: null, parameters: null },
      statusHistory: [{ status: 'Received' }],
    });
    const problem = { code: 'recipient_unreachable', message: 'Not reached.', platformCode: 131026 };
    const failed = await api.newMessage({ ...OUT, status: 'Failed', problem, failedAt: new Date() });
    expect(await one(failed)).toMatchObject({ status: 'Failed', error: problem });
  });

  it("have no text if their template's contents are deleted", async () => {
    const id = await api.newMessage({ ...OUT, type: 'Template', revisionId: uuidV7(), parameters: ['x'] });
    expect(await one(id)).toMatchObject({ renderedText: null, parameters: ['x'], content: null });
  });

  it('are not found if of another account, erased, or unknown', async () => {
    const id = await api.newMessage();
    const erased = await api.newMessage();
    await api.database.execute('UPDATE messages SET conversation_id = NULL WHERE id = $1', [erased]);
    expect((await api.all('/messages', 50)).ids).toEqual([id]);
    await api.get(`/messages/${erased}`).expect(404);
    await api.newAccount();
    for (const unknown of [id, uuidV7(), 'x']) {
      expect((await api.get(`/messages/${unknown}`).expect(404)).body).toMatchObject({ code: 'message_not_found' });
    }
    expect((await api.all('/messages', 50)).ids).toEqual([]);
  });

  describe('A search', () => {
    it('returns everything, newest first, page by page', async () => {
      const ids = await api.newMessages(7, (index) => ({ contactPhone: `491511234567${index % 3}` }));
      expect(await api.all('/messages', 3)).toEqual({ ids: [...ids].reverse(), calls: 3 });
    });

    it('continues within one microsecond', async () => {
      const ids = await api.newMessages(5, () => ({ createdAt: new Date(1_767_225_600_000) }));
      await api.database.execute(
        `UPDATE messages SET created_at = created_at + interval '1 microsecond' WHERE id = ANY($1::uuid[])`,
        [[ids[1], ids[3]]],
      );
      const { ids: found } = await api.all('/messages', 1);
      const later = [ids[1]!, ids[3]!].sort().reverse();
      const earlier = [ids[0]!, ids[2]!, ids[4]!].sort().reverse();
      expect(found).toEqual([...later, ...earlier]);
    });

    it('finds what was sent to a person by any form of the number, not what they wrote', async () => {
      const [sent] = await api.newMessages(1, () => ({ ...OUT, contactPhone: '5511987654321' }));
      await api.newMessages(1, () => ({ contactPhone: '5511987654321' }));
      await api.newMessages(1, () => OUT);
      for (const to of [
        '5511987654321',
        '551187654321',
        '%2B55%2011%2098765-4321',
        '+5511987654321',
        '005511987654321',
      ]) {
        expect((await api.all(`/messages?to=${to}`, 5)).ids).toEqual([sent]);
      }
    });

    it('finds by a national number of the default country of the account', async () => {
      const [sent] = await api.newMessages(1, () => OUT);
      const { body } = await api.get('/messages?to=0151%2012345678').expect(400);
      expect(errorsOf(body)).toEqual([['to', 'invalid_format']]);
      expect(body.message).toContain('defaultCountry');
      api.sender.defaultCountry = 'DE';
      expect((await api.all('/messages?to=0151%2012345678', 5)).ids).toEqual([sent]);
    });

    it('finds by the code of the error', async () => {
      const [unreachable] = await api.newMessages(2, (index) => ({
        ...{ direction: 'Outbound', status: 'Failed' },
        problem: { code: index === 0 ? 'recipient_unreachable' : 'expired', message: 'No.', platformCode: null },
      }));
      expect((await api.all('/messages?errorCode=recipient_unreachable', 5)).ids).toEqual([unreachable]);
      expect((await api.all('/messages?errorCode=recipient_unreachable&status=Read', 5)).ids).toEqual([]);
      const { body } = await api.get('/messages?errorCode=recipient_unreachabel').expect(400);
      expect(errorsOf(body)).toEqual([['errorCode', 'not_allowed']]);
    });

    it('finds the message with an id of the platform, sent or received, in its own account', async () => {
      const [sent, received] = await api.newMessages(3, (index) => ({
        ...(index === 0 ? OUT : {}),
        platformMessageId: `wamid.find+${index}=`,
      }));
      const found = async (id: string) => {
        const query = `platformMessageId=${encodeURIComponent(id)}`;
        return (await api.all(`/messages?${query}`, 5)).ids;
      };
      expect(await found('wamid.find+0=')).toEqual([sent]);
      expect(await found('wamid.find+1=')).toEqual([received]);
      expect(await found('wamid.find')).toEqual([]);
      expect((await api.all(`/messages?platformMessageId=wamid.find%2B1%3D&to=${PHONE}`, 5)).ids).toEqual([]);
      await api.newAccount();
      expect(await found('wamid.find+0=')).toEqual([]);
    });

    it('finds by job, reference, status and time, and by all of them together', async () => {
      const [jobId, otherJob] = [uuidV7(), uuidV7()];
      const statuses: MessageStatus[] = ['Sent', 'Failed', 'Read', 'Failed', 'Sent', 'Failed'];
      const ids = await api.newMessages(6, (index) => ({
        ...{ direction: 'Outbound', status: statuses[index], contactPhone: index === 3 ? '4915100000000' : PHONE },
        ...{ jobId: index < 4 ? jobId : otherJob, reference: index % 2 ? 'odd' : 'even' },
      }));
      const times = await Promise.all(ids.map(async (id) => (await one(id)).createdAt as string));
      const found = async (query: string) => (await api.all(`/messages?${query}`, 2)).ids;
      expect(await found(`jobId=${jobId.toUpperCase()}`)).toEqual([ids[3], ids[2], ids[1], ids[0]]);
      expect(await found('reference=odd')).toEqual([ids[5], ids[3], ids[1]]);
      expect(await found('status=Failed')).toEqual([ids[5], ids[3], ids[1]]);
      expect(await found(`from=${times[2]}&until=${times[4]}`)).toEqual([ids[3], ids[2]]);
      expect(await found(`jobId=${jobId}&status=Failed`)).toEqual([ids[3], ids[1]]);
      expect(await found(`to=${PHONE}&jobId=${jobId}&reference=odd&status=Failed`)).toEqual([ids[1]]);
      expect(await found(`jobId=${otherJob}&until=${times[5]}&reference=even`)).toEqual([ids[4]]);
      expect(await found(`jobId=${uuidV7()}`)).toEqual([]);
      expect(await found(`createdAfter=${times[2]}&createdBefore=${times[4]}`)).toEqual([ids[3], ids[2]]);
    });

    it('finds those sent, or those received', async () => {
      const ids = await api.newMessages(4, (index) =>
        index % 2 ? { direction: 'Inbound', status: 'Received' } : { ...OUT },
      );
      const found = async (query: string) => (await api.all(`/messages?${query}`, 2)).ids;
      expect(await found('direction=Outbound')).toEqual([ids[2], ids[0]]);
      expect(await found('direction=Inbound')).toEqual([ids[3], ids[1]]);
      expect(await found(`direction=Inbound&to=${PHONE}`)).toEqual([]);
      await api.get('/messages?direction=sent').expect(400);
    });

    it('scans a limited number of messages per call, and continues after them', async () => {
      const [rare] = await api.newMessages(1, () => ({ ...OUT, status: 'Failed' }));
      await manyMessages(5500);
      const first = (await api.get('/messages?status=Failed&limit=10').expect(200)).body;
      expect(first.items).toEqual([]);
      expect(first.nextCursor).not.toBeNull();
      const { ids, calls } = await api.all('/messages?status=Failed', 10);
      expect({ ids, calls }).toEqual({ ids: [rare], calls: 2 });
    });

    it("reveals nothing of another account's job, not even its existence", async () => {
      const jobId = uuidV7();
      await api.newMessages(3, () => ({ ...OUT, jobId }));
      await api.newAccount();
      const { body } = await api.get(`/messages?jobId=${jobId}&limit=1`).expect(200);
      expect(body).toEqual({ items: [], nextCursor: null });
    });

    it('reads along an index, also on a database without statistics', async () => {
      const jobId = uuidV7();
      await manyMessages(3000, jobId);
      const rows = api.database.rows.bind(api.database);
      let plans: string[] = [];
      const spy = jest.spyOn(api.database, 'rows').mockImplementation(async (sql, parameters) => {
        if (sql.includes('FROM messages')) {
          const plan = await rows<Record<string, string>>(`EXPLAIN ${sql}`, parameters);
          plans.push(plan.flatMap((row) => Object.values(row)).join('\n'));
        }
        return rows(sql, parameters);
      });
      try {
        for (const query of [
          `to=${PHONE}`,
          `jobId=${jobId}&status=Read`,
          'reference=x',
          'platformMessageId=x',
          'status=Failed',
          '',
        ]) {
          plans = [];
          await api.get(`/messages?${query}`).expect(200);
          expect(plans.filter((plan) => plan.includes('Seq Scan on messages_default'))).toEqual([]);
          expect(plans.slice(1).filter((plan) => /^Limit[^]*(Sort {2}\(|Bitmap)/.test(plan))).toEqual([]);
        }
        plans = [];
        await api.get('/messages?platformMessageId=x').expect(200);
        expect(plans[0]).toMatch(/Index Cond: \(platform_message_id = /);
      } finally {
        spy.mockRestore();
      }
    });

    it('rejects invalid filters, all together', async () => {
      const query = 'to=12&jobId=x&status=Gone&reference=&platformMessageId=&from=x&until=2026-02-30&search=x';
      const { body } = await api.get(`/messages?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', message: expect.stringContaining('to must be') });
      expect((body.errors as { field: string }[]).map(({ field }) => field)).toEqual([
        'to',
        'jobId',
        'status',
        'reference',
        'platformMessageId',
        'from',
        'until',
        'search',
      ]);
    });
  });

  /** Consecutive messages of the account up to now. */
  async function manyMessages(count: number, jobId: string | null = null): Promise<void> {
    for (let done = 0; done < count; done += 5000) {
      await api.database.execute(
        `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, status, job_id, created_at)
         SELECT overlay(gen_random_uuid()::text placing $4 from 1 for 13)::uuid, $1, gen_random_uuid(), 'Outbound', 'Text', '1', 'Sent', $3,
           now() + n * interval '1 ms'
         FROM generate_series(1, $2::int) n`,
        [api.caller.accountId, Math.min(5000, count - done), jobId, uuidV7().slice(0, 13)],
      );
    }
  }
});
