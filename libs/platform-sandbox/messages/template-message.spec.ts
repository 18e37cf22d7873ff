import accepted from '../fixtures/send-template-response-accepted.json';
import countMismatch from '../fixtures/error-param-count-132000.json';
import missingTemplate from '../fixtures/error-template-missing-132001.json';
import positional from '../fixtures/send-template-positional-request.json';
import { body, LiveSandbox, structureOf, text, urlSuffix } from '../fixtures/live-sandbox';

const TO = '+4915112345678';

describe('A template message', () => {
  let sandbox: LiveSandbox;

  beforeAll(async () => {
    sandbox = await LiveSandbox.start();
  });
  afterAll(() => sandbox.close());

  const header = (type: string, content: unknown) => ({ type: 'header', parameters: [{ type, [type]: content }] });
  const button = (sub_type: string, index: number | string, parameter: object) => ({
    type: 'button',
    sub_type,
    index,
    parameters: [parameter],
  });
  const coupon = (code: unknown) => button('copy_code', 0, { type: 'coupon_code', coupon_code: code });
  const image = header('image', { link: 'https://files.example.test/a.jpg' });
  const place = { latitude: '52.52', longitude: '13.40', name: 'Shop', address: 'Sample Street 1' };
  const named = (...pairs: [string, string][]) => ({
    type: 'body',
    parameters: pairs.map(([name, value]) => text(value, name)),
  });
  const card = (card_index: number, value: string) => ({
    card_index,
    components: [header('image', { id: '123456' }), urlSuffix(value)],
  });
  const offer = (expiration_time_ms: number) => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
  });

  it('gets the recorded response structure, with the number as given and in digits', async () => {
    const reply = await sandbox.order('+49 (151) 1234-5678');
    expect([reply.status, structureOf(reply.body)]).toEqual([200, structureOf(accepted.body)]);
    expect(reply.body.contacts).toEqual([{ input: '+49 (151) 1234-5678', wa_id: '4915112345678' }]);
  });

  it('is recorded in the ledger with its values', async () => {
    const { body: answer } = await sandbox.order(TO, { biz_opaque_callback_data: 'job.1' });
    const newest = (await sandbox.ledger()).at(-1);
    expect(newest).toMatchObject({
      to: '4915112345678',
      messageId: answer.messages[0].id,
      callbackData: 'job.1',
      template: 'order_update',
      language: 'en_US',
      parameters: ['Mira', 'A-1'],
      phoneNumberId: '109876543210001',
    });
    expect(Date.parse(newest.at)).toBeGreaterThan(Date.now() - 10_000);
  });

  it('like the recorded one, with document, currency, date, suffix and payload, is accepted', async () => {
    await sandbox.call('POST', '/v25.0/204876543210002/message_templates', {
      name: 'parcel_on_the_way',
      language: 'de',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['4::aW'] } },
        {
          type: 'BODY',
          text: 'Hello {{1}}, parcel {{2}} arrives on {{3}}. Fee: {{4}} in total.',
          example: { body_text: [['Mira', 'PK-1', '21.11.2026', '12,50 EUR']] },
        },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Track', url: 'https://t.example.test/{{1}}', example: ['https://t.example.test/1'] },
            { type: 'QUICK_REPLY', text: 'Stop' },
          ],
        },
      ],
    });
    await sandbox.control('POST', 'templates', { name: 'parcel_on_the_way', status: 'APPROVED' });
    const reply = await sandbox.message(positional.body);
    expect(reply.status).toBe(200);
    const newest = (await sandbox.ledger()).at(-1);
    expect(newest.parameters).toEqual(['Mira', 'PK-7731', '21.11.2026', '12,50 EUR', 'PK-7731']);
    expect(newest.header).toMatchObject({ type: 'document', filename: 'label-7731.pdf' });
  });

  const good: [string, string, object[], string[]][] = [
    ['without placeholders', 'hello_world', [], []],
    ['with an image by link', 'summer_sale', [image, body('Mira')], ['Mira']],
    ['with a document by id', 'invoice_ready', [header('document', { id: '77' }), body('a', 'b')], ['a', 'b']],
    [
      'with a header text and a button suffix',
      'parcel_tracking',
      [{ type: 'header', parameters: [text('PK')] }, body('a', 'b'), urlSuffix('x', 0)],
      ['PK', 'a', 'b', 'x'],
    ],
    ['with names in any order', 'appointment_note', [named(['starts_at', '9'], ['first_name', 'M'])], ['M', '9']],
    ['with a code twice', 'login_code', [body('402913'), urlSuffix('402913')], ['402913']],
    ['with a coupon', 'winter_coupon', [body('Mira'), coupon('WINTER20')], ['Mira', 'WINTER20']],
    ['with a place', 'shop_visit', [header('location', place), body('A-1')], ['A-1']],
    [
      'with cards',
      'new_arrivals',
      [body('Mira'), { type: 'carousel', cards: [card(1, 'two'), card(0, 'one')] }],
      ['Mira', 'one', 'two'],
    ],
    [
      'with an offer',
      'weekend_offer',
      [offer(Date.now() + 60_000), body('Mira'), coupon('W1'), urlSuffix('s', 1)],
      ['Mira', 'W1', 's'],
    ],
  ];
  it.each(good)('%s is accepted', async (_, name, components, parameters) => {
    const reply = await sandbox.template(TO, name, components);
    expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
    expect((await sandbox.ledger()).at(-1).parameters).toEqual(parameters);
  });

  const bad: [string, number, number, string, object[]][] = [
    ['an unknown name', 132001, 404, 'unknown_template', []],
    ['a pending template', 132001, 404, 'pending_notice', [body('Mira')]],
    ['a rejected template', 132001, 404, 'rejected_notice', [body('Mira')]],
    ['a paused template', 132015, 400, 'paused_notice', [body('Mira')]],
    ['a disabled template', 132016, 400, 'disabled_notice', [body('Mira')]],
    ['too few values', 132000, 400, 'order_update', [body('Mira')]],
    ['too many values', 132000, 400, 'order_update', [body('Mira', 'A', 'B')]],
    ['unexpected values', 132000, 400, 'hello_world', [body('Mira')]],
    ['no body at all', 132000, 400, 'order_update', []],
    ['an empty value', 131008, 400, 'order_update', [body('Mira', '')]],
    ['a blank value', 131008, 400, 'order_update', [body('Mira', '  ')]],
    ['a line break in a value', 132018, 400, 'order_update', [body('Mira', 'a\nb')]],
    ['a tab in a value', 132018, 400, 'order_update', [body('Mira', 'a\tb')]],
    ['five blanks in a value', 132018, 400, 'order_update', [body('Mira', 'a     b')]],
    ['a value that makes the text too long', 132005, 400, 'delivery_window', [body('Mira', 'A', 'x'.repeat(1024))]],
    [
      'a value of another kind',
      132012,
      400,
      'order_update',
      [{ type: 'body', parameters: [text('Mira'), { type: 'image', image: { id: '1' } }] }],
    ],
    [
      'a value that is no text',
      100,
      400,
      'order_update',
      [{ type: 'body', parameters: [text('Mira'), { type: 'text', text: 7 }] }],
    ],
    ['names in a positional template', 132012, 400, 'order_update', [named(['1', 'a'], ['2', 'b'])]],
    ['no names in a named template', 132012, 400, 'appointment_note', [body('a', 'b')]],
    ['an unknown variable name', 132012, 400, 'appointment_note', [named(['first_name', 'a'], ['ends_at', 'b'])]],
    ['a name given twice', 132012, 400, 'appointment_note', [named(['first_name', 'a'], ['first_name', 'b'])]],
    ['a missing header medium', 132012, 400, 'summer_sale', [body('Mira')]],
    ['a header medium of another kind', 132012, 400, 'summer_sale', [header('video', { id: '1' }), body('Mira')]],
    ['an unexpected header', 132000, 400, 'order_update', [image, body('Mira', 'A')]],
    [
      'a header medium with id and link',
      131009,
      400,
      'summer_sale',
      [header('image', { id: '1', link: 'https://a.test/b.jpg' }), body('Mira')],
    ],
    ['a header medium without id and link', 131008, 400, 'summer_sale', [header('image', {}), body('Mira')]],
    ['an invalid link', 100, 400, 'summer_sale', [header('image', { link: 'a.jpg' }), body('Mira')]],
    [
      'a file name of an image',
      131009,
      400,
      'summer_sale',
      [header('image', { id: '1', filename: 'a' }), body('Mira')],
    ],
    ['a missing header text', 132000, 400, 'parcel_tracking', [body('a', 'b'), urlSuffix('x')]],
    [
      'a header text too long',
      132005,
      400,
      'parcel_tracking',
      [{ type: 'header', parameters: [text('x'.repeat(60))] }, body('a', 'b'), urlSuffix('x')],
    ],
    [
      'a missing button suffix',
      131008,
      400,
      'parcel_tracking',
      [{ type: 'header', parameters: [text('PK')] }, body('a', 'b')],
    ],
    ['a button the template has not', 132018, 400, 'order_update', [body('a', 'b'), urlSuffix('x')]],
    ['a button of another type', 132012, 400, 'winter_coupon', [body('Mira'), urlSuffix('x')]],
    ['a button index out of range', 100, 400, 'winter_coupon', [body('Mira'), urlSuffix('x', 12)]],
    ['a missing coupon', 131008, 400, 'winter_coupon', [body('Mira')]],
    ['a coupon with a blank', 131009, 400, 'winter_coupon', [body('Mira'), coupon('A B')]],
    ['a coupon too long', 131009, 400, 'winter_coupon', [body('Mira'), coupon('A'.repeat(21))]],
    ['a code only once', 131008, 400, 'login_code', [body('402913')]],
    ['two different codes', 132018, 400, 'login_code', [body('402913'), urlSuffix('402914')]],
    ['a code too long', 132005, 400, 'login_code', [body('1'.repeat(16)), urlSuffix('1'.repeat(16))]],
    [
      'a place without an address',
      131008,
      400,
      'shop_visit',
      [header('location', { ...place, address: undefined }), body('A')],
    ],
    ['too few cards', 132000, 400, 'new_arrivals', [body('Mira'), { type: 'carousel', cards: [card(0, 'one')] }]],
    [
      'a card twice',
      131009,
      400,
      'new_arrivals',
      [body('Mira'), { type: 'carousel', cards: [card(0, 'one'), card(0, 'two')] }],
    ],
    [
      'an offer that is over',
      131009,
      400,
      'weekend_offer',
      [offer(Date.now() - 1), body('Mira'), coupon('W1'), urlSuffix('s', 1)],
    ],
    ['a missing offer', 131008, 400, 'weekend_offer', [body('Mira'), coupon('W1'), urlSuffix('s', 1)]],
    ['a component of an unknown type', 100, 400, 'hello_world', [{ type: 'footer', parameters: [text('x')] }]],
    ['a component twice', 100, 400, 'order_update', [body('a', 'b'), body('a', 'b')]],
  ];
  it.each(bad)('with %s is rejected with %i (HTTP %i)', async (_, code, status, name, components) => {
    const before = (await sandbox.ledger()).length;
    const reply = await sandbox.template(TO, name, components);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(await sandbox.ledger()).toHaveLength(before);
  });

  const wrongAround: [string, number, object][] = [
    ['no product', 100, { messaging_product: undefined }],
    ['another product', 100, { messaging_product: 'telegram' }],
    ['no recipient', 131008, { to: undefined }],
    ['a recipient of letters', 131009, { to: 'Mira' }],
    ['a recipient too short', 131009, { to: '12345' }],
    ['a numeric recipient', 100, { to: 4915112345678 }],
    ['the sender as recipient', 131021, { to: '+49 30 900000001' }],
    ['a group as recipient', 131009, { recipient_type: 'group' }],
    ['an unknown type', 100, { type: 'telegram' }],
    ['no template', 131008, { template: undefined }],
    ['no language', 131008, { template: { name: 'hello_world' } }],
    ['an unknown policy', 100, { template: { name: 'hello_world', language: { code: 'en_US', policy: 'fallback' } } }],
    ['callback data too long', 100, { biz_opaque_callback_data: 'x'.repeat(513) }],
    ['non-string callback data', 100, { biz_opaque_callback_data: 7 }],
    [
      'components that are no list',
      100,
      { template: { name: 'hello_world', language: { code: 'en_US' }, components: {} } },
    ],
  ];
  it.each(wrongAround)('with %s is rejected with %i', async (_, code, change) => {
    const template = { name: 'hello_world', language: { code: 'en_US' } };
    const reply = await sandbox.message({ to: TO, type: 'template', template, ...change });
    expect([reply.status, reply.body.error.code]).toEqual([400, code]);
  });

  it('accepts callback data of 512 characters', async () => {
    const reply = await sandbox.template(TO, 'hello_world', [], 'en_US', { biz_opaque_callback_data: 'x'.repeat(512) });
    expect(reply.status).toBe(200);
  });

  it('to a business-scoped user id gets a response without a number, and is rejected with a login code', async () => {
    const recipient = 'DE.48120937716640021155';
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    const login = { ...hello, name: 'login_code', components: [body('1'), urlSuffix('1')] };
    const first = await sandbox.message({ recipient, type: 'template', template: hello });
    expect(first.body.contacts).toEqual([{ input: recipient, user_id: recipient }]);
    const second = await sandbox.message({ recipient, type: 'template', template: login });
    expect(second.body.error.code).toBe(131062);
  });

  it('has no language fallback', async () => {
    expect((await sandbox.template(TO, 'appointment_reminder', [body('a', 'b')], 'de')).status).toBe(200);
    const reply = await sandbox.template(TO, 'appointment_reminder', [body('a', 'b')], 'fr');
    expect([reply.status, structureOf(reply.body)]).toEqual([404, structureOf(missingTemplate.body)]);
    expect(reply.body.error.error_data.details).toBe('template name (appointment_reminder) does not exist in fr');
  });

  it('with too few values is rejected with the recorded error', async () => {
    const { body: answer } = await sandbox.template(TO, 'delivery_window', [body('Mira')]);
    expect({ ...answer.error, fbtrace_id: '' }).toEqual({ ...countMismatch.body.error, fbtrace_id: '' });
  });

  it('is accepted by the marketing endpoint only with a marketing template', async () => {
    const send = (name: string, components: object[]) =>
      sandbox.call('POST', '/v25.0/109876543210001/marketing_messages', {
        messaging_product: 'whatsapp',
        to: TO,
        type: 'template',
        template: { name, language: { code: 'en_US' }, components },
      });
    expect((await send('winter_coupon', [body('Mira'), coupon('W')])).status).toBe(200);
    expect((await send('hello_world', [])).body.error.code).toBe(134100);
  });

  it('with a marketing template is rejected by the general endpoint if configured', async () => {
    const send = (endpoint: string, name: string, components: object[]) =>
      sandbox.call('POST', `/v25.0/109876543210001/${endpoint}`, {
        messaging_product: 'whatsapp',
        to: TO,
        type: 'template',
        template: { name, language: { code: 'en_US' }, components },
      });
    await sandbox.control('POST', 'config', { marketingApiOnly: true });
    const coupons = [body('Mira'), coupon('W')];
    expect((await send('messages', 'winter_coupon', coupons)).body.error.code).toBe(131063);
    expect((await send('marketing_messages', 'winter_coupon', coupons)).status).toBe(200);
    expect((await send('messages', 'hello_world', [])).status).toBe(200);
  });
});
