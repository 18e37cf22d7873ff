import { ended, groupOf, newPhones, recipientsOf } from '../support/process/bulk';
import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';

const texts = (values: readonly string[]) => values.map((text) => ({ text }));
const fixedOf = (text: string) => text.replace(/\{\{\d\}\}/g, '').length;
const csvOf = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(',')).join('\n');

/** Templates, values that just fit, values that just exceed a limit, the error code of the latter in lists, and extras. */
const LIMITS: [template: string, fits: string[], fails: string[], code: string, extras?: Record<string, object>][] = [
  (() => {
    const room = 1024 - fixedOf('Hello {{1}}, your order {{2}} is on its way.') - 1;
    return ['order_update', ['M', 'x'.repeat(room)], ['M', 'x'.repeat(room + 1)], 'text_too_long'];
  })(),
  ['parcel_tracking', ['x'.repeat(53), 'M', 'B', 's'], ['x'.repeat(54), 'M', 'B', 's'], 'text_too_long'],
  ['winter_coupon', ['M', 'C0'.repeat(10)], ['M', 'C'.repeat(21)], 'parameter_invalid'],
  ['winter_coupon', ['M', 'WINTER20'], ['M', 'WINTER-20'], 'parameter_invalid'],
  ['login_code', ['1'.repeat(15)], ['1'.repeat(16)], 'parameter_invalid'],
  (() => {
    const room = 160 - fixedOf('Hi {{1}}, today only.');
    const extras = { headerProduct: { catalogId: '1948369870', productId: 'sku-1' } };
    return ['product_of_the_day', ['x'.repeat(room)], ['x'.repeat(room + 1)], 'text_too_long', extras];
  })(),
];

describe('Templates and their values', () => {
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
  const outcomes = async (jobId: string) => {
    await ended(client, jobId);
    const recipients = await recipientsOf(client, jobId);
    return recipients.sort((a, b) => a.rowNumber - b.rowNumber).map(({ status, errorCode }) => [status, errorCode]);
  };

  async function previewOf(templateName: string, values: readonly string[], extras: object = {}): Promise<Json> {
    const { body } = await client.get(`/templates?search=${templateName}`);
    const path = `/templates/${body.items[0].id}/preview`;
    const preview = await client.post(path, { templateParameters: texts(values), ...extras });
    return preview.body.problems;
  }

  it.each(LIMITS)('%s: values that pass the preview are sent, and others are rejected everywhere', async (...limit) => {
    const [templateName, fits, fails, code, extras = {}] = limit;
    expect(await previewOf(templateName, fits, extras)).toEqual([]);
    expect(codesOf(await previewOf(templateName, fails, extras))).toEqual([code]);

    const [one, other, ...others] = fresh(6) as [string, string, ...string[]];
    const single = (to: string, values: readonly string[]) =>
      client.post('/send-template', { to, templateName, templateParameters: texts(values), ...extras });
    expect((await single(one, fits)).status).toBe(201);
    const refused = await single(other, fails);
    expectError(refused, 422, 'parameter_mismatch');
    expect(codesOf(refused.body.errors)).toEqual([code]);
    expect(refused.body).toMatchObject({ expected: fits.length, actual: fits.length });

    const file = {
      name: 'list.csv',
      content: csvOf([
        [others[0]!, ...fits],
        [others[1]!, ...fails],
      ]),
    };
    const inForm = Object.fromEntries(Object.entries(extras).map(([name, value]) => [name, JSON.stringify(value)]));
    const trial = await client.upload(file, { templateName, ...inForm, dryRun: 'true' });
    expect(trial.body).toMatchObject({ totalRecipients: 2, invalidRows: 1, errors: [{ rowNumber: 2, code }] });
    const imported = await client.upload(file, { templateName, ...inForm });
    expect(await outcomes(imported.body.jobId as string)).toEqual([
      ['Sent', null],
      ['Failed', code],
    ]);

    const contacts = [fits, fails].map((values, index) => ({
      phone: others[2 + index]!,
      parameters: Object.fromEntries(values.map((value, at) => [String(at + 1), value])),
    }));
    const groupId = await groupOf(client, `Limits of ${templateName} ${others[0]}`, contacts);
    const checked = await client.post('/send-template-to-group', { groupId, templateName, ...extras, dryRun: true });
    expect(checked.body).toMatchObject({ totalRecipients: 2, invalidRows: 1, errors: [{ code }] });
    const sent = await client.post('/send-template-to-group', { groupId, templateName, ...extras });
    expect((await outcomes(sent.body.jobId as string)).sort()).toEqual([
      ['Failed', code],
      ['Sent', null],
    ]);
    expect((await platform.stats()).refused).toEqual({});
  });
});
