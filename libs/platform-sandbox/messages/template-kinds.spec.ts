import { body, type Json, LiveSandbox } from '../fixtures/live-sandbox';

const TO = '+4915112345678';
const TEXT = { type: 'BODY', text: 'This is a text.' };
const QUICK_REPLY = { type: 'QUICK_REPLY', text: 'A' };
const URL_BUTTON = { type: 'URL', text: 'B', url: 'https://a.test/' };

const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const flow = buttons({ type: 'FLOW', text: 'Book', flow_id: '123' });
const offer = (text: string) => ({
  type: 'LIMITED_TIME_OFFER',
  limited_time_offer: { text, has_expiration: true },
});
const button = (sub_type: string, ...parameters: object[]) => ({
  ...{ type: 'button', sub_type, index: '0' },
  ...(parameters.length > 0 && { parameters }),
});
const order = (status: string) => ({
  type: 'order_status',
  parameters: [{ type: 'order_status', order_status: { reference_id: 'ord-17', order: { status } } }],
});
const product = (content: object) => ({ type: 'header', parameters: [{ type: 'product', product: content }] });
const list = (products: number) => ({
  thumbnail_product_retailer_id: 'sku-1',
  sections: [
    {
      title: 'Popular',
      product_items: Array.from({ length: products }, (_, n) => ({ product_retailer_id: `sku-${n}` })),
    },
  ],
});
const bare = { components: [TEXT, buttons(QUICK_REPLY)] };
const card = { components: [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })] };

describe('Kinds of templates', () => {
  let sandbox: LiveSandbox;
  let made = 0;

  beforeAll(async () => {
    sandbox = await LiveSandbox.start({ autoApproveMs: 0, templateCreationsPerHour: 0 });
  });
  afterAll(() => sandbox.close());

  async function create(components: object[], change: object = {}): Promise<Json> {
    const name = `kind_${(made += 1)}`;
    const draft = { name, language: 'en_US', category: 'MARKETING', components, ...change };
    const { body: answer } = await sandbox.call('POST', '/v25.0/204876543210002/message_templates', draft);
    await new Promise((approved) => setTimeout(approved, 10));
    return { ...answer, name };
  }

  /** The error codes of sends with each list of components; undefined if accepted. */
  async function codesOf(template: Json, ...sends: object[][]): Promise<unknown[]> {
    const codes: unknown[] = [];
    for (const components of sends) {
      const reply = await sandbox.template(TO, template.name as string, components);
      codes.push(reply.body.error?.code);
    }
    return codes;
  }

  it('a flow button must be present, without a value', async () => {
    const action = { type: 'action', action: { flow_token: 'm-17' } };
    const sends = [[], [button('flow')], [button('flow', action)], [button('flow', { type: 'text', text: 'x' })]];
    expect(await codesOf(await create([TEXT, flow]), ...sends)).toEqual([131009, undefined, undefined, 132012]);
  });

  it.each([
    ['a catalog', buttons({ type: 'CATALOG', text: 'View' })],
    ['a call', buttons({ type: 'VOICE_CALL', text: 'Call' })],
    ['a request for the number', buttons({ type: 'REQUEST_CONTACT_INFO' })],
    ['a request for permission to call', { type: 'call_permission_request' }],
  ])('%s needs no value', async (_, component) => {
    expect(await codesOf(await create([TEXT, component]), [])).toEqual([undefined]);
  });

  it.each([
    ['several products', 'mpm', buttons({ type: 'MPM', text: 'View' }), list(1)],
    ['an order', 'order_details', buttons({ type: 'ORDER_DETAILS', text: 'Pay' }), {}],
  ])('%s is required', async (_, subType, component, action) => {
    const given = button(subType, { type: 'action', action });
    expect(await codesOf(await create([TEXT, component]), [], [button(subType)], [given])).toEqual([
      131008,
      131008,
      undefined,
    ]);
  });

  it('a list of products has a thumbnail and at most 30 products', async () => {
    const template = await create([TEXT, buttons({ type: 'MPM', text: 'View' })]);
    const { sections } = list(1);
    const sends = [list(30), list(31), { sections }, { ...list(1), sections: [] }];
    const given = sends.map((action) => [button('mpm', { type: 'action', action })]);
    expect(await codesOf(template, ...given)).toEqual([undefined, 131009, 131008, 131009]);
  });

  it('a call button may have a time to live and a payload', async () => {
    const template = await create([TEXT, buttons({ type: 'VOICE_CALL', text: 'Call' })]);
    const [minutes, payload] = [
      { type: 'ttl_minutes', ttl_minutes: 100 },
      { type: 'payload', payload: 'p' },
    ];
    const sends = [[minutes, payload], [{ type: 'text', text: 'x' }]].map((list) => [button('voice_call', ...list)]);
    expect(await codesOf(template, ...sends)).toEqual([undefined, 132012]);
  });

  it('the payload of a quick reply may be omitted, but not be empty', async () => {
    const template = await create([TEXT, buttons(QUICK_REPLY)]);
    const sends = ['p', ''].map((payload) => [button('quick_reply', { type: 'payload', payload })]);
    expect(await codesOf(template, [], ...sends)).toEqual([undefined, undefined, 132018]);
  });

  it('a tap target needs a URL button and a title', async () => {
    const target = (...of: object[]) => ({
      type: 'tap_target_configuration',
      parameters: [{ type: 'tap_target_configuration', tap_target_configuration: of }],
    });
    const whole = target({ url: 'https://a.test/', title: 'Details' });
    const sends = [[whole], [target({ url: 'https://a.test/' })]];
    expect(await codesOf(await create([TEXT, buttons(URL_BUTTON)]), ...sends)).toEqual([undefined, 131008]);
    expect(await codesOf({ name: 'hello_world' }, [whole])).toEqual([131009]);
  });

  it('an order status is required', async () => {
    const kind = { category: 'UTILITY', sub_category: 'ORDER_STATUS' };
    const template = await create([TEXT], kind);
    const { body: listed } = await sandbox.call('GET', `/v25.0/${template.id}`);
    expect(listed).toMatchObject({ sub_category: 'ORDER_STATUS', components: [TEXT] });
    expect(await codesOf(template, [], [order('shipped')], [order('lost')])).toEqual([131008, undefined, 131009]);
    expect(await codesOf({ name: 'hello_world' }, [order('shipped')])).toEqual([132000]);
    expect((await create([TEXT], { sub_category: 'ORDER_STATUS' })).error.code).toBe(100);
  });

  it('a product header requires the product', async () => {
    const template = await create([
      { type: 'HEADER', format: 'PRODUCT' },
      TEXT,
      buttons({ type: 'SPM', text: 'View' }),
    ]);
    const whole = { catalog_id: '1948', product_retailer_id: 'sku-1' };
    const sends = [[], [product({ catalog_id: '1948' })], [product(whole)]];
    expect(await codesOf(template, ...sends)).toEqual([132012, 131008, undefined]);
  });

  it('a body has at most 1,024 characters, 600 with an offer, with an emoji counting as one', async () => {
    const text = 'Dear {{1}}, hello.';
    const fixed = 'Dear , hello.'.length;
    const long = (limit: number) => [[body('😀'.repeat(limit - fixed))], [body('x'.repeat(limit - fixed + 1))]];
    const dear = { type: 'BODY', text, example: { body_text: [['Mira']] } };
    expect(await codesOf(await create([dear]), ...long(1024))).toEqual([undefined, 132005]);
    const expiry = {
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.now() + 60_000 } }],
    };
    const sends = long(600).map((send) => [...send, expiry]);
    expect(await codesOf(await create([offer('Ends soon'), dear]), ...sends)).toEqual([undefined, 132005]);
  });

  const bad: [string, object[]][] = [
    ['a body of 1,025 characters', [{ type: 'BODY', text: 'x'.repeat(1025) }]],
    ['601 with an offer', [offer('Ends soon'), { type: 'BODY', text: 'x'.repeat(601) }]],
    ['an offer of 17 characters', [offer('x'.repeat(17)), TEXT]],
    ['an offer with a footer', [offer('Ends soon'), TEXT, { type: 'FOOTER', text: 'Bye' }]],
    ['a carousel of one card', [TEXT, { type: 'CAROUSEL', cards: [card] }]],
    ['a quick reply between others', [TEXT, buttons(URL_BUTTON, QUICK_REPLY, URL_BUTTON)]],
    ['a card without a header', [TEXT, { type: 'CAROUSEL', cards: [bare, bare] }]],
    ['an offer with a quick reply', [offer('Ends soon'), TEXT, buttons(QUICK_REPLY)]],
    ['one product without its header', [TEXT, buttons({ type: 'SPM', text: 'View' })]],
    [
      '161 characters below a product',
      [
        { type: 'HEADER', format: 'PRODUCT' },
        { type: 'BODY', text: 'x'.repeat(161) },
        buttons({ type: 'SPM', text: 'View' }),
      ],
    ],
    ['a button of 26 characters', [TEXT, buttons({ type: 'QUICK_REPLY', text: 'x'.repeat(26) })]],
    ['a flow button without a flow', [TEXT, buttons({ type: 'FLOW', text: 'Book' })]],
  ];
  it.each(bad)('%s is rejected', async (_, components) => {
    expect((await create(components)).error.code).toBe(100);
  });

  it.each([
    ['two cards', [TEXT, { type: 'CAROUSEL', cards: [card, card] }]],
    ['quick replies behind others', [TEXT, buttons(URL_BUTTON, URL_BUTTON, QUICK_REPLY, QUICK_REPLY)]],
    ['25 emojis on a button', [TEXT, buttons({ type: 'QUICK_REPLY', text: '😀'.repeat(25) })]],
    ['an offer of 16 characters', [offer('x'.repeat(16)), TEXT]],
  ])('%s are accepted', async (_, components) => {
    expect(await create(components)).toMatchObject({ status: 'PENDING' });
  });
});
