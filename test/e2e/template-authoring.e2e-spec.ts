import { detailOf, ended, newPhones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

const DRAFT = {
  ...{ name: 'parcel_on_the_way', languageCode: 'en_US', category: 'Utility' },
  body: { text: 'Hello {{1}}, parcel {{2}} is on its way.', examples: ['Mira', 'PK-1'] },
  buttons: [{ type: 'QuickReply', text: 'Stop' }],
};
const SOON = 20_000;

describe('The life cycle of a template', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({
      ...{ autoApproveMs: -1, statuses: false, templateEditsPerDay: 1 },
      requireAppSecretProof: true,
    });
    const port = await freePort();
    const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, MESSAGES_PER_SECOND: '50' };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const statusOf = async (id: string) => (await client.get(`/templates/${id}`)).body.status as string;
  const untilStatus = (id: string, status: string) =>
    until(async () => (await statusOf(id)) === status, SOON, `the template is ${status}`);

  it('is created, approved by the platform, edited, and deleted', async () => {
    const created = await client.post('/templates', DRAFT);
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    expect(created.body).toMatchObject({
      ...{ name: DRAFT.name, status: 'Pending', category: 'Utility', parameterCount: 2, bodyText: DRAFT.body.text },
      buttons: [{ type: 'QuickReply', text: 'Stop', url: null, phoneNumber: null }],
    });
    expectError(await client.post('/templates', DRAFT), 409, 'template_name_taken');
    expectError(
      await client.call('PATCH', `/templates/${id}`, { body: { messageTtlSeconds: 60 } }),
      409,
      'invalid_template_state',
    );

    await platform.changeTemplate(DRAFT.name, 'APPROVED');
    await untilStatus(id, 'Approved');
    const listed = await client.get(`/templates?status=Approved&search=${DRAFT.name}`);
    expect(listed.body.items).toMatchObject([{ id, status: 'Approved' }]);

    const edit = { body: { text: 'Hello {{1}}, it is here.', examples: ['Mira'] } };
    const edited = await client.call('PATCH', `/templates/${id}`, { body: edit });
    expect([edited.status, edited.body.status, edited.body.parameterCount]).toEqual([200, 'Pending', 1]);
    await platform.changeTemplate(DRAFT.name, 'APPROVED');
    await untilStatus(id, 'Approved');
    const limited = await client.call('PATCH', `/templates/${id}`, { body: edit });
    expectError(limited, 429, 'template_edit_limit');
    expect(limited.headers.get('retry-after')).toBe('86400');

    const removed = await client.call('DELETE', `/templates/${id}`);
    expect(removed.status).toBe(204);
    expect(await statusOf(id)).toBe('Deleted');
    expectError(await client.call('DELETE', `/templates/${id}`), 404, 'template_not_found');
  });

  it('gets all its errors together, and leaves nothing behind', async () => {
    const invalid = {
      ...{ name: 'Parcel', languageCode: 'en-US', category: 'Utility', header: { format: 'Image' } },
      body: { text: 'Hello {{1}} {{3}} and more.' },
      buttons: [{ type: 'Url', text: 'Go', url: 'x' }],
    };
    const answer = await client.post('/templates', invalid);
    expectError(answer, 400, 'validation_failed');
    const checked = await client.post('/templates', { ...invalid, dryRun: true });
    expect([checked.status, checked.body]).toEqual([200, { problems: answer.body.errors }]);
    const unheld = { ...DRAFT, name: 'parcel_on_trial', body: { text: 'It is on its way.' }, buttons: [] };
    const fine = await client.post('/templates', { ...unheld, dryRun: true });
    expect([fine.status, fine.body]).toEqual([200, { problems: [] }]);
    expectError(await client.post('/templates?dryRun=true', unheld), 400, 'validation_failed');
    expect(
      (answer.body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`),
    ).toEqual([
      ...['name invalid_format', 'languageCode invalid_format', 'header.exampleHandle required'],
      ...['body.text placeholders_not_sequential', 'buttons[0].url invalid_format'],
    ]);
    const shapes: [object, string][] = [
      [{ ...DRAFT, body: 'text' }, 'body'],
      [{ ...DRAFT, header: null }, 'header'],
      [{ ...DRAFT, buttons: [{ type: 'Order' }] }, 'buttons[0].type'],
      [{ ...DRAFT, body: { ...DRAFT.body, examples: 'Mira' } }, 'body.examples'],
      [{ ...DRAFT, body: { text: 'a\u0000b' } }, 'body.text'],
      [{ ...DRAFT, messageTtlSeconds: 1.5 }, 'messageTtlSeconds'],
      [{ ...DRAFT, colour: 'red' }, 'colour'],
    ];
    for (const [body, field] of shapes) {
      const refused = await client.post('/templates', body);
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, field]);
    }
    expect((await client.get('/templates?search=parcel_on')).body.items).toHaveLength(1);
  });

  it('is previewed and produces a sample file that can be imported', async () => {
    const { body } = await client.get('/templates?search=order_update');
    const { id } = (body.items as { id: string }[])[0]!;
    const preview = await client.post(`/templates/${id}/preview`, { templateParameters: [{ text: 'Mira' }] });
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({
      renderedText: 'Hello Mira, your order {{2}} is on its way.',
      problems: [{ field: 'templateParameters', code: 'parameter_mismatch' }],
    });
    for (const format of ['csv', 'xlsx']) {
      const url = `${service.api}/templates/${id}/sample-file?format=${format}`;
      const file = await fetch(url, { headers: { 'x-api-key': 'e2e-bootstrap-key-0123456789abcdef' } });
      expect(file.headers.get('content-disposition')).toBe(
        `attachment; filename="order_update-en_US-sample.${format}"`,
      );
      const content = Buffer.from(await file.arrayBuffer());
      const fields = { templateName: 'order_update', dryRun: 'true' };
      const imported = await client.upload({ name: `sample.${format}`, content }, fields);
      expect([imported.status, imported.body]).toMatchObject([200, { totalRecipients: 1, invalidRows: 0, errors: [] }]);
    }
    expectError(await client.get(`/templates/${id}/sample-file?format=pdf`), 400, 'validation_failed');
  });

  it('pauses its jobs while the platform pauses it, and resumes them automatically', async () => {
    const numbers = newPhones()(200);
    const jobId = await sendTo(client, numbers);
    await platform.changeTemplate('hello_world', 'PAUSED');
    await until(async () => (await detailOf(client, jobId)).status === 'Paused', SOON, 'the job is paused');
    const refused = await client.post(`/bulk-jobs/${jobId}/resume`);
    expectError(refused, 422, 'template_not_approved');
    expect((await detailOf(client, jobId)).pauseReason).toEqual({
      code: 'template_paused',
      message: expect.stringContaining('once the template is Approved again') as string,
    });
    await platform.changeTemplate('hello_world', 'APPROVED');
    expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', successfullySent: 200, failed: 0 });
    expect(new Set(await platform.accepted()).size).toBe(200);
  });
});
