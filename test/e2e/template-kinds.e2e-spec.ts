import { ended, groupOf, newPhones, recipientsOf } from '../support/process/bulk';
import { type Answer, Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { type Accepted, Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { FIRST_SENDER } from '../support/process/webhook';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const texts = (values: readonly string[]) => values.map((text) => ({ text }));
const button = (type: string, more: object = {}) => [{ type: 'BUTTONS', buttons: [{ type, text: 'Go', ...more }] }];

/** Templates without values and extras. */
const WITHOUT_INPUT: [name: string, category: string, components: object[]][] = [
  ['kind_flow', 'MARKETING', button('FLOW', { flow_id: '123' })],
  ['kind_catalog', 'MARKETING', button('CATALOG')],
  ['kind_voice_call', 'UTILITY', button('VOICE_CALL')],
  ['kind_contact', 'UTILITY', button('REQUEST_CONTACT_INFO')],
  ['kind_permission', 'UTILITY', [{ type: 'CALL_PERMISSION_REQUEST' }]],
];

const PRODUCT = { catalogId: '1948369870', productId: 'sku-1' };
const LIST = { thumbnailProductId: 'sku-1', sections: [{ title: 'Popular', productIds: ['sku-1', 'sku-2'] }] };
const MEDIA_CARDS = [1, 2].map((n) => ({ headerMediaUrl: `https://files.example.com/${n}.png` }));

/** Templates of the sandbox, their values, and the extras of a send. */
const WITH_INPUT: [name: string, values: string[], extras: Record<string, unknown>][] = [
  ['book_appointment', ['Mira'], { flow: { token: 'booking-1', data: { day: 'Monday' } } }],
  ['spring_catalog', ['Mira'], { products: { thumbnailProductId: 'sku-1' } }],
  ['top_sellers', ['Mira'], { products: LIST }],
  ['product_of_the_day', ['Mira'], { headerProduct: PRODUCT }],
  ['weekend_offer', ['Mira', 'WEEKEND20', 'n3'], { offerExpiresAt: inAnHour() }],
  [
    ...(['parcel_tracking', ['PK-1', 'Mira', 'Berlin', 'PK-1']] as [string, string[]]),
    { tapTarget: { title: 'Details', url: 'https://shop.example.com/parcels' } },
  ],
  ['new_arrivals', ['Mira', 'sku-1', 'sku-2'], { cards: MEDIA_CARDS }],
  ['product_picks', ['Mira'], { cards: [1, 2, 3].map(() => ({ product: PRODUCT })) }],
];

describe('Every kind of template', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoApproveMs: 0, statuses: false });
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: '80' } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const fresh = newPhones();
  const codesOf = (errors: Json) => (errors as { code: string }[] | undefined)?.map(({ code }) => code);

  async function create(name: string, category: string, components: object[], more: object = {}): Promise<void> {
    const text = `This is the template ${name} for you.`;
    const answer = await fetch(`${platform.url}/v25.0/${FIRST_SENDER.businessAccountId}/message_templates`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-access-token', 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        language: 'en_US',
        category,
        components: [{ type: 'BODY', text }, ...components],
        ...more,
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const isApproved = async () => {
      await client.post('/templates/sync');
      return (await client.get(`/templates?status=Approved&search=${name}`)).body.totalCount === 1;
    };
    await until(isApproved, 10_000, `${name} is approved`);
  }

  async function previewOf(templateName: string, values: readonly string[], extras: object = {}): Promise<Json> {
    const { body } = await client.get(`/templates?search=${templateName}`);
    const path = `/templates/${body.items[0].id}/preview`;
    return (await client.post(path, { templateParameters: texts(values), ...extras })).body.problems;
  }

  /** Status and error code of the only recipient of a job, at its end. */
  async function outcome(created: Answer): Promise<unknown[]> {
    expect([created.status, created.body.message]).toEqual([202, undefined]);
    const jobId = created.body.jobId as string;
    await ended(client, jobId);
    return (await recipientsOf(client, jobId)).map(({ status, errorCode }) => [status, errorCode]);
  }

  /** Sends to one person each: by a single send, a file, a list and a group. Returns what the platform accepted, in this order. */
  async function sendEachWay(templateName: string, values: string[], extras: Record<string, unknown>) {
    const phones = fresh(4) as [string, string, string, string];
    const [single, inFile, inList, inGroup] = phones;
    const send = { templateName, ...extras };
    const parameters = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
    const groupId = await groupOf(client, `People of ${templateName}`, [{ phone: inGroup, parameters }]);
    const templateParameters = texts(values);
    expect((await client.post('/send-template', { ...send, to: single, templateParameters })).status).toBe(201);
    const form = Object.entries(send).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const created = await Promise.all([
      client.upload({ name: 'list.csv', content: [inFile, ...values].join(',') }, Object.fromEntries(form)),
      client.post('/bulk-jobs', { ...send, recipients: [{ to: inList, templateParameters }] }),
      client.post('/send-template-to-group', { ...send, groupId }),
    ]);
    expect(await Promise.all(created.map(outcome))).toEqual(Array(3).fill([['Sent', null]]));
    const ledger = await platform.ledger();
    return phones.map((phone) => ledger.filter(({ to }) => to === phone).map(contentOf));
  }

  it.each(WITHOUT_INPUT)('%s needs no input and is sent, alone and to lists and groups', async (...kind) => {
    const [name, category, components] = kind;
    await create(name, category, components);
    expect(await previewOf(name, [])).toEqual([]);
    expect(await sendEachWay(name, [], {})).toEqual(Array(4).fill([{ template: name, parameters: [] }]));
  });

  it.each(WITH_INPUT)('%s is sent with its input, alone and to lists and groups', async (name, values, extras) => {
    expect(await previewOf(name, values, extras)).toEqual([]);
    const [single, ...others] = await sendEachWay(name, values, extras);
    expect(single).toMatchObject([{ template: name, parameters: values }]);
    expect(others).toEqual(Array(3).fill(single));
  });

  it('an order status is rejected immediately, with the reason', async () => {
    const name = 'kind_order_status';
    await create(name, 'UTILITY', [], { sub_category: 'ORDER_STATUS' });
    expect(codesOf(await previewOf(name, []))).toEqual(['template_not_supported']);
    const [to] = fresh(1);
    const { arrivals } = await platform.stats();
    const single = await client.post('/send-template', { to, templateName: name });
    expectError(single, 422, 'template_not_supported');
    expect(single.body.message).toContain('order status');
    const file = { name: 'list.csv', content: `phone\n${to}\n` };
    expectError(await client.upload(file, { templateName: name }), 422, 'template_not_supported');
    expect((await platform.stats()).arrivals).toBe(arrivals);
  });

  it('an offer that ends before its turn is not sent', async () => {
    const ends = Date.now() + 5000;
    const [to] = fresh(1);
    const { arrivals } = await platform.stats();
    const created = await client.post('/bulk-jobs', {
      ...{ templateName: 'weekend_offer', offerExpiresAt: new Date(ends).toISOString(), hold: true },
      recipients: [{ to, templateParameters: texts(['Mira', 'WEEKEND20', 'n3']) }],
    });
    await until(() => Promise.resolve(Date.now() > ends), 10_000, 'the offer has ended');
    expect((await client.post(`/bulk-jobs/${created.body.jobId}/resume`)).status).toBe(200);
    expect(await outcome(created)).toEqual([['Failed', 'offer_expired']]);
    expect((await platform.stats()).arrivals).toBe(arrivals);
  });
});

/** What the platform accepted, without what differs between messages. */
function contentOf({ template, parameters, header, payloads }: Accepted): object {
  return { template, parameters, ...(header !== undefined && { header }), ...(payloads && { payloads }) };
}
