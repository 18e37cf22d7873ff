import created from '../fixtures/template-create-request-response.json';
import { body, column, LiveSandbox, structureOf, Subscriber, until, type Json } from '../fixtures/live-sandbox';

const ACCOUNT = '/v25.0/204876543210002/message_templates';
const SUBSCRIBED_APPS = '/v25.0/204876543210002/subscribed_apps';

describe('The templates of a business account', () => {
  let sandbox: LiveSandbox;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ autoApproveMs: -1 });
  });
  afterEach(() => sandbox.close());

  const list = (query = '') => sandbox.call('GET', `${ACCOUNT}${query}`);
  const draft = (change: object = {}) => ({
    name: 'fresh_news',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Dear {{1}}, there is news.', example: { body_text: [['Mira']] } }],
    ...change,
  });
  const create = (change: object = {}) => sandbox.call('POST', ACCOUNT, draft(change));
  const withBody = (
    text: string,
    examples: unknown = [['a', 'b', 'c'].slice(0, new Set(text.match(/\{\{.+?\}\}/g)).size)],
  ) => ({
    components: [{ type: 'BODY', text, example: { body_text: examples } }],
  });
  const withButtons = (...buttons: object[]) => ({
    components: [
      { type: 'BODY', text: 'News.' },
      { type: 'BUTTONS', buttons },
    ],
  });
  const withHeader = (header: object) => ({
    components: [
      { type: 'HEADER', ...header },
      { type: 'BODY', text: 'News.' },
    ],
  });

  describe('when listed', () => {
    it('show the default fields and always the id', async () => {
      const { data } = (await list('?name=order_update')).body;
      expect(data).toEqual([
        {
          name: 'order_update',
          parameter_format: 'POSITIONAL',
          components: [expect.objectContaining({ type: 'BODY' })],
          language: 'en_US',
          status: 'APPROVED',
          category: 'UTILITY',
          id: expect.stringMatching(/^\d+$/),
        },
      ]);
    });

    it('show the requested fields, and reject unknown fields', async () => {
      const { body: answer } = await list('?name=paused_notice&fields=name,quality_score,rejected_reason');
      expect(answer.data[0]).toEqual({
        name: 'paused_notice',
        quality_score: { score: 'RED', date: expect.any(Number) },
        rejected_reason: 'NONE',
        id: expect.any(String),
      });
      expect((await list('?fields=name,colour')).body.error.code).toBe(100);
    });

    it('are paged by absolute links, without gaps or duplicates', async () => {
      const all = column((await list('?limit=100')).body.data, 'id');
      const seen: unknown[] = [];
      let next: string | undefined = `${ACCOUNT}?limit=4&fields=name`;
      let pages = 0;
      while (next !== undefined) {
        const page: Json = (await sandbox.call('GET', next)).body;
        seen.push(...column(page.data, 'id'));
        next = page.paging.next;
        if (next !== undefined) expect(next.startsWith(`${sandbox.url}${ACCOUNT}?`)).toBe(true);
        pages += 1;
      }
      expect(seen).toEqual(all);
      expect(pages).toBe(Math.ceil(all.length / 4));
    });

    it('can be paged backwards', async () => {
      const first = (await list('?limit=3')).body;
      const second = (await sandbox.call('GET', first.paging.next)).body;
      const back = (await sandbox.call('GET', second.paging.previous)).body;
      expect(back.data).toEqual(first.data);
      expect(back.paging.previous).toBeUndefined();
    });

    it('are 25 by default, and an invalid limit or cursor is rejected', async () => {
      for (let count = 0; count < 10; count++) await create({ name: `more_${count}` });
      expect((await list()).body.data).toHaveLength(25);
      expect((await list('?limit=0')).body.error.code).toBe(100);
      expect((await list('?after=nonsense')).body.error.code).toBe(131059);
    });

    it('can be filtered by status, language, category and name', async () => {
      const names = async (query: string) => column((await list(query)).body.data, 'name');
      expect(await names('?status=PAUSED')).toEqual(['paused_notice']);
      expect(await names('?status=PAUSED,DISABLED')).toEqual(['disabled_notice', 'paused_notice']);
      expect(await names('?language=de')).toEqual(['appointment_reminder']);
      expect(await names('?category=AUTHENTICATION')).toEqual(['login_code']);
      expect(await names('?name_or_content=carousel')).toEqual(['product_picks', 'new_arrivals']);
      expect((await list('?name=nothing')).body).toEqual({ data: [] });
    });

    it('have a summary on request', async () => {
      const { summary } = (await list('?limit=1&status=APPROVED&summary=total_count')).body;
      expect(summary.total_count).toBeLessThan(summary.message_template_count);
    });
  });

  describe('when created', () => {
    it('get the recorded response structure and cannot be sent yet', async () => {
      const reply = await sandbox.call('POST', ACCOUNT, created.request.body);
      expect([reply.status, structureOf(reply.body)]).toEqual([200, structureOf(created.response.body)]);
      expect(reply.body.status).toBe('PENDING');
      const sent = await sandbox.template('4915112345678', 'parcel_on_the_way', [body('a', 'b')], 'de');
      expect(sent.body.error.code).toBe(132001);
    });

    it('are approved after the review, with a webhook, and can be sent', async () => {
      const subscriber = new Subscriber();
      await sandbox.call('POST', SUBSCRIBED_APPS);
      await sandbox.subscribeApp(await subscriber.listen());
      await sandbox.control('POST', 'config', { autoApproveMs: 20, webhookConcurrency: 1 });
      const { id } = (await create()).body;
      await create({ name: 'reject_me' });
      await until(() => subscriber.changes.length === 2);
      expect(column(subscriber.changes, 'value')).toMatchObject([
        { message_template_name: 'fresh_news', event: 'APPROVED', reason: 'NONE' },
        { message_template_name: 'reject_me', event: 'REJECTED', reason: 'TAG_CONTENT_MISMATCH' },
      ]);
      expect(subscriber.raw[0]).toContain(`"message_template_id":${id}`);
      expect((await sandbox.template('4915112345678', 'fresh_news', [body('Mira')])).status).toBe(200);
      await subscriber.close();
    });

    it('accept flat examples, lower-case categories, named variables, media, buttons and one-time passwords', async () => {
      const drafts = [
        { category: 'marketing', ...withBody('Dear {{1}}, it is {{2}} now.', ['Mira', 'noon']) },
        {
          parameter_format: 'NAMED',
          components: [
            {
              type: 'body',
              text: 'Dear {{first_name}}, hello.',
              example: { body_text_named_params: [{ param_name: 'first_name', example: 'Mira' }] },
            },
          ],
        },
        withHeader({ format: 'IMAGE', example: { header_handle: ['4::aW'] } }),
        withHeader({ format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Mira'] } }),
        withButtons({ type: 'QUICK_REPLY', text: 'A' }, { type: 'URL', text: 'B', url: 'https://a.test/' }),
        withButtons({ type: 'URL', text: 'B', url: 'https://a.test/{{1}}', example: 'https://a.test/1' }),
        {
          category: 'AUTHENTICATION',
          components: [
            { type: 'BODY', add_security_recommendation: true },
            { type: 'FOOTER', code_expiration_minutes: 5 },
            { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
          ],
        },
      ];
      for (const [index, change] of drafts.entries()) {
        expect([index, (await create({ name: `good_${index}`, ...change })).status]).toEqual([index, 200]);
      }
    });

    const bad: [string, number | undefined, object][] = [
      ['a bad name', undefined, { name: 'Fresh News' }],
      ['a name too long', undefined, { name: 'x'.repeat(513) }],
      ['a bad language', undefined, { language: 'english' }],
      ['an unknown category', undefined, { category: 'FUN' }],
      ['no components', undefined, { components: undefined }],
      ['no body', undefined, { components: [{ type: 'FOOTER', text: 'x' }] }],
      [
        'a component twice',
        undefined,
        {
          components: [
            { type: 'BODY', text: 'x' },
            { type: 'BODY', text: 'y' },
          ],
        },
      ],
      ['an existing name and language', 2388024, { name: 'hello_world' }],
      ['a variable at the start', 2388299, withBody('{{1}} has news for you.')],
      ['a variable at the end', 2388299, withBody('There is news for {{1}}')],
      ['a gap in the numbers', 2388072, withBody('Dear {{1}}, see {{3}} now.')],
      ['numbers from zero', 2388072, withBody('Dear {{0}}, hello.')],
      ['adjacent variables', 2388072, withBody('Dear {{1}}{{2}}, see you now.')],
      ['open braces', 2388072, withBody('Dear {{1, hello.')],
      ['names in a positional template', 2388072, withBody('Dear {{name}}, hello.')],
      ['missing examples', 2388072, withBody('Dear {{1}}, see {{2}} now.', [['Mira']])],
      ['too many variables', 2388293, withBody('Dear {{1}}, {{2}}, {{3}}.')],
      [
        'a body too long',
        2388040,
        {
          components: [
            { type: 'BODY', text: 'x'.repeat(1025) },
            { type: 'FOOTER', text: 'y' },
          ],
        },
      ],
      ['a header too long', 2388040, withHeader({ format: 'TEXT', text: 'x'.repeat(61) })],
      ['two variables in the header', 2388047, withHeader({ format: 'TEXT', text: 'a {{1}} b {{2}} c' })],
      ['a media header without an example', 2388047, withHeader({ format: 'VIDEO' })],
      [
        'a variable in the footer',
        2388073,
        {
          components: [
            { type: 'BODY', text: 'x' },
            { type: 'FOOTER', text: 'a {{1}} b' },
          ],
        },
      ],
      [
        'three URL buttons',
        undefined,
        withButtons(...[1, 2, 3].map(() => ({ type: 'URL', text: 'B', url: 'https://a.test/' }))),
      ],
      [
        'quick replies apart',
        undefined,
        withButtons(
          { type: 'QUICK_REPLY', text: 'A' },
          { type: 'URL', text: 'B', url: 'https://a.test/' },
          { type: 'QUICK_REPLY', text: 'C' },
        ),
      ],
      [
        'a URL variable in the middle',
        undefined,
        withButtons({ type: 'URL', text: 'B', url: 'https://a.test/{{1}}/x' }),
      ],
      ['a button text too long', undefined, withButtons({ type: 'QUICK_REPLY', text: 'x'.repeat(26) })],
      ['an OTP button outside authentication', undefined, withButtons({ type: 'OTP', otp_type: 'COPY_CODE' })],
      [
        'an authentication template with a text of its own',
        2388047,
        {
          category: 'AUTHENTICATION',
          components: [
            { type: 'BODY', text: 'Code {{1}} here.' },
            { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
          ],
        },
      ],
      ['a time to live out of range', undefined, { message_send_ttl_seconds: 29 }],
    ];
    it.each(bad)('with %s are rejected with code 100 and subcode %s', async (_, subcode, change) => {
      const { status, body: answer } = await create(change);
      expect([status, answer.error.code, answer.error.error_subcode]).toEqual([400, 100, subcode]);
    });

    it('with a dangling variable are rejected in the recorded structure', async () => {
      const { body: answer } = await create(withBody('{{1}} has news for you.'));
      expect(structureOf(answer)).toEqual(structureOf(created.error_dangling_parameter.body));
    });

    it('are rejected with 80008 beyond the hourly limit', async () => {
      await sandbox.control('POST', 'config', { templateCreationsPerHour: 1 });
      expect((await create({ name: 'one' })).status).toBe(200);
      expect((await create({ name: 'two' })).body.error.code).toBe(80008);
    });

    it('can have ids beyond floating-point precision, exact in response and webhook', async () => {
      const subscriber = new Subscriber();
      await sandbox.call('POST', SUBSCRIBED_APPS);
      await sandbox.subscribeApp(await subscriber.listen());
      await sandbox.control('POST', 'config', { largeTemplateIds: true });
      const { id } = (await create()).body;
      expect(BigInt(id)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
      expect(String(Number(id))).not.toBe(id);
      await sandbox.control('POST', 'templates', { name: 'fresh_news', status: 'APPROVED' });
      await until(() => subscriber.raw.length === 1);
      expect(subscriber.raw[0]).toContain(`"message_template_id":${id},`);
      await subscriber.close();
    });
  });

  describe('when edited', () => {
    const idOf = async (name: string) => String((await list(`?name=${name}`)).body.data[0].id);
    const components = withBody('Hello {{1}}, order {{2}} has left.').components;

    it('have their components replaced, are reviewed again, and are sent with the new text', async () => {
      const id = await idOf('order_update');
      expect((await sandbox.call('POST', `/v25.0/${id}`, { components })).body).toEqual({ success: true });
      expect((await sandbox.call('GET', `/v25.0/${id}`)).body).toMatchObject({ status: 'PENDING', components });
      await sandbox.control('POST', 'templates', { name: 'order_update', status: 'APPROVED' });
      expect((await sandbox.order('4915112345678')).status).toBe(200);
    });

    it('keep their category once approved, and are locked while pending', async () => {
      const approved = await sandbox.call('POST', `/v25.0/${await idOf('order_update')}`, { category: 'MARKETING' });
      const pending = await sandbox.call('POST', `/v25.0/${await idOf('pending_notice')}`, { components });
      expect([approved.body.error.error_subcode, pending.body.error.error_subcode]).toEqual([2388039, 2388039]);
    });

    it('are rejected beyond the daily limit', async () => {
      await sandbox.control('POST', 'config', { templateEditsPerDay: 1 });
      const id = await idOf('order_update');
      const edit = () => sandbox.call('POST', `/v25.0/${id}`, { message_send_ttl_seconds: 600 });
      expect([(await edit()).status, (await edit()).status]).toEqual([200, 400]);
      const { body: shown } = await sandbox.call('GET', `/v25.0/${id}?fields=message_send_ttl_seconds`);
      expect(shown.message_send_ttl_seconds).toBe(600);
    });
  });

  describe('when deleted', () => {
    const remove = (query: string) => sandbox.call('DELETE', `${ACCOUNT}?${query}`);

    it('are removed in all languages by name', async () => {
      expect((await remove('name=appointment_reminder')).body).toEqual({ success: true });
      expect((await list('?name=appointment_reminder')).body.data).toEqual([]);
    });

    it('are removed in one language by id and name', async () => {
      const german = (await list('?name=appointment_reminder&language=de')).body.data[0].id;
      expect((await remove(`hsm_id=${german}&name=appointment_reminder`)).status).toBe(200);
      expect(column((await list('?name=appointment_reminder')).body.data, 'language')).toEqual(['en_US']);
    });

    it('must exist, match their name and not be disabled', async () => {
      const id = (await list('?name=order_update')).body.data[0].id;
      for (const query of ['name=nothing', `hsm_id=${id}&name=hello_world`, 'name=disabled_notice', '']) {
        expect([query, (await remove(query)).status]).toEqual([query, 400]);
      }
    });

    it('block their name if they were approved', async () => {
      await remove('name=order_update');
      expect((await create({ name: 'order_update' })).body.error.error_subcode).toBe(2388023);
      await remove('name=pending_notice');
      expect((await create({ name: 'pending_notice' })).status).toBe(200);
    });
  });

  it('can be unpaused only if paused', async () => {
    const id = (await list('?name=paused_notice')).body.data[0].id;
    expect((await sandbox.call('POST', `/v25.0/${id}/unpause`)).body).toEqual({ success: true });
    expect((await sandbox.template('4915112345678', 'paused_notice', [body('Mira')])).status).toBe(200);
    expect((await sandbox.call('POST', `/v25.0/${id}/unpause`)).status).toBe(400);
  });
});
