import request from 'supertest';
import type { FileCheckDto } from '../../src/modules/bulk-jobs/adapters/recipient-checks.dto';
import { API, BulkJobsApi, CSV } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const NOTHING = { jobs: 0, recipients: 0 };

describeOnDatabase('A check before sending', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const check = async (file: string, fields: Record<string, string> = {}) =>
    (await api.upload(file, { dryRun: 'true', ...fields }).expect(200)).body as FileCheckDto;
  const fileOf = (rows: number): string =>
    Array.from({ length: rows }, (_, n) => `+49151${String(20_000_000 + n)},Ann,${n + 1}`).join('\n');

  /** People with whom the business started a conversation an hour ago. */
  const inWindow = (...people: string[]) =>
    api.database.execute(
      `INSERT INTO tier_conversations (portfolio_id, person, at, message_id)
       SELECT $1, person, now() - interval '1 hour', gen_random_uuid() FROM unnest($2::text[]) AS person`,
      [api.caller.accountId, people],
    );

  it('of a file reports its errors, and creates nothing', async () => {
    api.optedOut.add('4915123456782');
    const body = await check(
      `${CSV}12,Cem,3\n+4915123456784,,4\n13,Eve,5\n+4915123456781,Ann,1\n+4915123456786,Fay,6,7\n`,
    );
    expect(body).toMatchObject({
      ...{ totalRecipients: 6, invalidRows: 4, duplicateRows: 1, warnings: [], optedOut: 1 },
      errorsByCode: [
        { code: 'phone_invalid', count: 2 },
        { code: 'parameter_missing', count: 1 },
        { code: 'too_many_columns', count: 1 },
      ],
      columns: [
        { column: 'A', header: 'phone', use: 'phone' },
        { column: 'B', header: 'name', use: 'value 1 (body {{1}})' },
        { column: 'C', header: 'order', use: 'value 2 (body {{2}})' },
      ],
      sample: [
        { rowNumber: 2, phone: '4915123456781', parameters: ['Ann', '1'], renderedText: 'Hi Ann, your order 1' },
        { rowNumber: 3, phone: '4915123456782', renderedText: 'Hi Ben, your order 2', optedOut: true },
      ],
    });
    expect(body.sample[0]).not.toHaveProperty('optedOut');
    expect(body.errors.map(({ rowNumber }) => rowNumber)).toEqual([4, 5, 6, 8]);
    expect(await api.leftOvers()).toEqual(NOTHING);
  });

  it('of a file names unused columns, and those without a header', async () => {
    expect((await check('phone,name,,city\n+4915123456781,Ann,1\n')).columns).toEqual([
      { column: 'A', header: 'phone', use: 'phone' },
      { column: 'B', header: 'name', use: 'value 1 (body {{1}})' },
      { column: 'C', header: null, use: 'value 2 (body {{2}})' },
      { column: 'D', header: 'city', use: null },
    ]);
    expect((await check(fileOf(1))).columns.map(({ header }) => header)).toEqual([null, null, null]);
  });

  it("of a file shows the first 20 recipients, and a plan by the sender's pace and other jobs", async () => {
    await api.upload(fileOf(100)).expect(202);
    const { sample, plan } = await check(fileOf(1001), { hasHeader: 'false' });
    expect(sample).toHaveLength(20);
    expect(plan).toMatchObject({ newConversations: 1001, tierRoom: null, estimatedSeconds: Math.ceil(1101 / 80) });
    expect(Date.parse(plan.endsAt!) - Date.parse(plan.startsAt)).toBe(Math.ceil((1101 * 1000) / 80));
  });

  it('of a file without a valid row is not an error', async () => {
    const body = await check('phone\n1\n2\n');
    expect(body).toMatchObject({ totalRecipients: 2, invalidRows: 2, sample: [], optedOut: 0 });
    expect(body.plan).toMatchObject({ newConversations: 0, estimatedSeconds: 0, endsAt: body.plan.startsAt });
  });

  it('plans with the room of the messaging tier: each person counts once, and people in its window do not count', async () => {
    api.sender = { messagingTier: '250' };
    await inWindow('4915120000000', '4915120000001', '4915199999999');
    const twice = `${fileOf(300)}\n+4915120000005,Ann,other\n`;
    const { plan } = await check(twice, { hasHeader: 'false' });
    expect(plan).toMatchObject({ newConversations: 298, tierRoom: 247, estimatedSeconds: 86_400 + 1 });
    expect((await check(fileOf(200), { hasHeader: 'false' })).plan.estimatedSeconds).toBe(Math.ceil(200 / 80));
  });

  it('has no expected end while sending is paused', async () => {
    api.sender = { sendingPaused: true };
    expect((await check(CSV)).plan).toMatchObject({ newConversations: 2, estimatedSeconds: null, endsAt: null });
  });

  it('of a group reports the same', async () => {
    const groupId = await api.newGroup([
      { phone: '4915123456781', parameters: { '1': 'Ann', '2': '1' } },
      { phone: '4915123456782', parameters: { '1': 'Ben' } },
      { phone: '4915123456783', parameters: { '1': 'Cem', '2': '3' } },
    ]);
    api.optedOut.add('4915123456783');
    const send = { groupId, templateName: 'promo', dryRun: true };
    const { body } = await api.post('/send-template-to-group', send).expect(200);
    expect(body).toEqual({
      ...{ totalRecipients: 3, invalidRows: 1, duplicateRows: 0, warnings: [], optedOut: 1 },
      errors: [
        {
          rowNumber: 2,
          person: '+4915123456782',
          field: 'parameter 2',
          code: 'parameter_missing',
          message: expect.any(String),
        },
      ],
      errorsByCode: [{ code: 'parameter_missing', count: 1 }],
      sample: [
        { rowNumber: 1, phone: '4915123456781', parameters: ['Ann', '1'], renderedText: 'Hi Ann, your order 1' },
        {
          ...{ rowNumber: 3, phone: '4915123456783', parameters: ['Cem', '3'], optedOut: true },
          renderedText: 'Hi Cem, your order 3',
        },
      ],
      plan: {
        ...{ newConversations: 1, tierRoom: null, estimatedSeconds: 1 },
        ...{ startsAt: expect.any(String), endsAt: expect.any(String) },
      },
    });
    expect(await api.leftOvers()).toEqual(NOTHING);
    for (const wrong of [{ dryRun: 'true' }, { dryRun: null }, { hold: null }]) {
      await api.post('/send-template-to-group', { ...send, ...wrong }).expect(400);
    }
  });

  it('requested in the query sends nothing', async () => {
    const groupId = await api.newGroup([{ phone: '4915123456781', parameters: { '1': 'Ann', '2': '1' } }]);
    const toGroup = await api.post('/send-template-to-group?dryRun=true', { groupId, templateName: 'promo' });
    const ofFile = await request(api.app.getHttpServer())
      .post(`${API}/bulk-import-messages?dryRun=true`)
      .field('templateName', 'promo')
      .attach('file', Buffer.from(CSV), 'people.csv');
    for (const { status, body } of [toGroup, ofFile]) {
      expect([status, body.errors]).toMatchObject([400, [{ field: 'dryRun', code: 'unknown_field' }]]);
    }
    expect(await api.leftOvers()).toEqual(NOTHING);
  });
});
