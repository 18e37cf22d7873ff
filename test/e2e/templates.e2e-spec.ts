import { anotherAccount } from '../support/process/accounts';
import { Client, type Json } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';

const BUSINESS_ACCOUNT = '204876543210002';
const FIELDS = [
  'id',
  'name',
  'languageCode',
  'category',
  'status',
  'qualityRating',
  'rejectionReason',
  'parameterFormat',
  'headerFormat',
  'headerText',
  'bodyText',
  'footerText',
  'buttons',
  'parameterCount',
  'offer',
  'cards',
  'needs',
  'unsupported',
  'sendable',
  'source',
  'platformTemplateId',
  'createdAt',
  'updatedAt',
  'lastSyncedAt',
];

describe('The templates of an account', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true, autoApproveMs: -1 });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const list = async (query = ''): Promise<Json> => (await client.get(`/templates?pageSize=100${query}`)).body;
  const named = async (name: string): Promise<Json> => (await list(`&search=${name}`)).items[0];
  const atPlatform = async (method: string, path: string, body?: object) => {
    const answer = await fetch(platform.url + path, {
      method,
      headers: { authorization: 'Bearer sandbox-access-token', 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  };

  it('are available from the first start, without a sync', async () => {
    const answer = await client.get('/templates');

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ page: 1, pageSize: 20, totalCount: 25, totalPages: 2 });
    expect(Object.keys(answer.body as object).sort()).toEqual([
      'items',
      'page',
      'pageSize',
      'totalCount',
      'totalPages',
    ]);
    expect(answer.body.items).toHaveLength(20);
  });

  it('have exactly the documented fields', async () => {
    for (const item of (await list()).items) expect(Object.keys(item as object).sort()).toEqual([...FIELDS].sort());
    expect(await named('parcel_tracking')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'parcel_tracking',
      languageCode: 'en_US',
      category: 'Utility',
      status: 'Approved',
      qualityRating: 'Green',
      rejectionReason: null,
      parameterFormat: 'Positional',
      headerFormat: 'Text',
      headerText: 'Parcel {{1}}',
      bodyText: 'Hello {{1}}, your parcel has left {{2}} today.',
      footerText: null,
      buttons: [
        { type: 'Url', text: 'Track', url: 'https://track.example.test/{{1}}', phoneNumber: null },
        { type: 'QuickReply', text: 'Stop', url: null, phoneNumber: null },
      ],
      parameterCount: 4,
      ...{ offer: null, cards: [], needs: [], unsupported: [], sendable: true, source: 'Authored' },
      platformTemplateId: expect.stringMatching(/^\d+$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      lastSyncedAt: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ['hello_world', { headerFormat: 'Text', parameterCount: 0, footerText: 'Sample message' }],
    ['summer_sale', { headerFormat: 'Image', parameterCount: 1, category: 'Marketing', qualityRating: 'Yellow' }],
    ['product_video', { headerFormat: 'Video', parameterCount: 0 }],
    ['invoice_ready', { headerFormat: 'Document', parameterCount: 2 }],
    ['shop_visit', { headerFormat: 'Location', parameterCount: 1 }],
    ['appointment_note', { parameterFormat: 'Named', parameterCount: 2, headerFormat: 'None' }],
    ['login_code', { category: 'Authentication', parameterCount: 1 }],
    ['winter_coupon', { parameterCount: 2 }],
    ['rejected_notice', { status: 'Rejected', rejectionReason: 'INVALID_FORMAT' }],
    ['paused_notice', { status: 'Paused', qualityRating: 'Red' }],
  ])('describe the input of a send of %s', async (name, fields) => {
    expect(await named(name)).toMatchObject({ name, ...fields });
  });

  it.each([
    ['status', 'status=Approved', 21],
    ['another status', 'status=Disabled', 1],
    ['a status without matches', 'status=Draft', 0],
    ['language', 'languageCode=de', 1],
    ['a language without matches', 'languageCode=fr', 0],
    ['category', 'category=Authentication', 1],
    ['a part of the name in any case', 'search=APPOINTMENT_R', 2],
    ['a part of the body', 'search=winter%20discount', 1],
    ['text without matches', 'search=zebra', 0],
    ['a percent sign, which is no wildcard', 'search=%25', 0],
    ['an underscore, which is no wildcard', 'search=r_u', 1],
    ['several at once', 'search=appointment&languageCode=de&category=Utility&status=Approved', 1],
  ])('are filtered by %s', async (_, query, count) => {
    const body = await list(`&${query}`);

    expect(body.totalCount).toBe(count);
    expect(body.items).toHaveLength(count);
  });

  it('come in pages, each template once', async () => {
    const names: string[] = [];
    for (const page of [1, 2, 3, 4, 5]) {
      const { body } = await client.get(`/templates?page=${page}&pageSize=5`);
      expect(body).toMatchObject({ page, pageSize: 5, totalCount: 25, totalPages: 5 });
      expect(body.items).toHaveLength(5);
      names.push(...(body.items as { id: string }[]).map(({ id }) => id));
    }
    expect(new Set(names).size).toBe(25);
  });

  it('are empty, without an error, on a page past the end', async () => {
    const answer = await client.get('/templates?page=99&pageSize=10');

    expect(answer).toMatchObject({
      status: 200,
      body: { items: [], page: 99, pageSize: 10, totalCount: 25, totalPages: 3 },
    });
  });

  it.each([
    ['page=0', { page: 'out_of_range' }],
    ['page=-1', { page: 'wrong_type' }],
    ['page=one', { page: 'wrong_type' }],
    ['page=1.5', { page: 'wrong_type' }],
    ['page=1e3', { page: 'wrong_type' }],
    ['page=', { page: 'wrong_type' }],
    ['page=1&page=2', { page: 'wrong_type' }],
    ['page=99999999999', { page: 'out_of_range' }],
    ['pageSize=0', { pageSize: 'out_of_range' }],
    ['pageSize=101', { pageSize: 'out_of_range' }],
    ['pageSize=ten', { pageSize: 'wrong_type' }],
    ['page=0&pageSize=0', { page: 'out_of_range', pageSize: 'out_of_range' }],
    ['status=approved', { status: 'not_allowed' }],
    ['status=Approved&status=Paused', { status: 'not_allowed' }],
    ['category=Spam', { category: 'not_allowed' }],
    ['name=order_update', { name: 'unknown_field' }],
    ['limit=5', { limit: 'unknown_field' }],
  ])('are not listed for the invalid query %s', async (query, errors) => {
    expectFieldErrors(await client.get(`/templates?${query}`), errors);
  });

  it('are read one by one by id', async () => {
    const template = await named('order_update');

    expect(await client.get(`/templates/${template.id}`)).toMatchObject({ status: 200, body: template });
  });

  it.each([
    ['an unknown id', '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11'],
    ['no UUID', 'order_update'],
  ])('are 404 for %s', async (_, id) => {
    expectError(await client.get(`/templates/${id}`), 404, 'template_not_found');
  });

  it('belong to one account: no other can list, read or send them', async () => {
    const mine = await named('order_update');
    const { id } = (await client.post('/accounts', { name: 'Bare', plan: 'Growth' })).body;
    const scopes = ['templates:read', 'messaging:send'];
    const { key } = (await client.post(`/accounts/${id}/api-keys`, { name: 'k', scopes })).body;

    expect((await client.get('/templates', { key })).body).toMatchObject({ items: [], totalCount: 0, totalPages: 0 });
    expectError(await client.get(`/templates/${mine.id}`, { key }), 404, 'template_not_found');
    const send = { to: '4915112345678', templateName: 'hello_world' };
    expectError(await client.post('/send-template', send, { key }), 404, 'template_not_found');
  });

  describe('when they are synced', () => {
    it('stay unchanged without changes on the platform', async () => {
      const answer = await client.post('/templates/sync');

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        added: 0,
        updated: 0,
        removed: 0,
        unchanged: 25,
        failed: [],
        complete: true,
        startedAt: expect.stringMatching(/Z$/),
        finishedAt: expect.stringMatching(/Z$/),
      });
      expect(Date.parse(answer.body.finishedAt as string)).toBeGreaterThanOrEqual(
        Date.parse(answer.body.startedAt as string),
      );
    });

    it('follow additions, changes and removals on the platform', async () => {
      const body = { type: 'BODY', text: 'Hello {{1}}, this one is new here.', example: { body_text: [['Mira']] } };
      await atPlatform('POST', `/${BUSINESS_ACCOUNT}/message_templates`, {
        name: 'brand_new',
        language: 'en_US',
        category: 'UTILITY',
        components: [body],
      });
      await atPlatform('POST', '/sandbox/templates', { name: 'pending_notice', status: 'APPROVED' });
      await atPlatform('DELETE', `/${BUSINESS_ACCOUNT}/message_templates?name=delivery_window`);
      const { body: result } = await client.post('/templates/sync');

      expect(result).toMatchObject({ added: 1, updated: 1, removed: 1, unchanged: 23, failed: [], complete: true });
      expect(await named('brand_new')).toMatchObject({ status: 'Pending', bodyText: body.text, parameterCount: 1 });
      expect(await named('pending_notice')).toMatchObject({ status: 'Approved' });
      expect(await named('delivery_window')).toMatchObject({ status: 'Deleted' });
    });

    it('can or cannot be sent as soon as the sync has responded', async () => {
      const send = (templateName: string, count: number) =>
        client.post('/send-template', {
          to: '4915112345678',
          templateName,
          templateParameters: Array.from({ length: count }, () => ({ text: 'x' })),
        });

      expect((await send('pending_notice', 1)).status).toBe(201);
      const gone = expectError(await send('delivery_window', 3), 422, 'template_not_approved');
      const added = expectError(await send('brand_new', 1), 422, 'template_not_approved');
      expect([gone.templateStatus, added.templateStatus]).toEqual(['Deleted', 'Pending']);
    });

    it('need one sync at a time: a second one is 409 sync_in_progress', async () => {
      await platform.configure({ latencyMs: 700 });
      const answers = await Promise.all([client.post('/templates/sync'), client.post('/templates/sync')]);
      await platform.configure({ latencyMs: 0 });

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        'sync_in_progress',
      );
    });

    it('of several accounts may be synced concurrently', async () => {
      const other = await anotherAccount(client);
      await platform.configure({ latencyMs: 300 });
      const answers = await Promise.all([
        client.post('/templates/sync'),
        client.post('/templates/sync', undefined, { key: other.key }),
      ]);
      await platform.configure({ latencyMs: 0 });

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });

    it('all remain if the platform cannot be read, and the response reports it', async () => {
      await platform.close();
      const before = await list();
      const { status, body } = await client.post('/templates/sync');

      expect(status).toBe(200);
      expect(body).toMatchObject({ added: 0, updated: 0, removed: 0, complete: false });
      expect(body.failed).toEqual([{ name: null, languageCode: null, reason: expect.stringMatching(/\w+/) }]);
      expect(await list()).toEqual(before);
    });
  });
});
