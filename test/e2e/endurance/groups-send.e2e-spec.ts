import { anotherAccount } from '../../support/process/accounts';
import { groupOf, ended, phone, phones, progressOf, recipientsOf } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService } from '../../support/process/service';

const UNKNOWN_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12';

interface Member {
  phone: string;
  parameters?: Record<string, string>;
}

describe('A send to a contact group', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let groups = 0;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const groupWith = (members: readonly Member[], key?: string) =>
    groupOf(client, `Group ${++groups}`, [...members], key);

  const send = (groupId: string, fields: object = {}, key?: string) =>
    client.post('/send-template-to-group', { groupId, templateName: 'hello_world', ...fields }, { key });

  const outcomes = async (jobId: string) =>
    Object.fromEntries(
      (await recipientsOf(client, jobId)).map(({ phone: to, status, errorCode, parameters }) => {
        return [to!, { status, errorCode, parameters }];
      }),
    );

  it('returns 202 with the job, and reaches each contact once', async () => {
    const numbers = phones(3);
    const groupId = await groupWith(numbers.map((to) => ({ phone: to })));
    const answer = await send(groupId, { reference: 'newsletter' });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      jobId: expect.any(String),
      status: 'Queued',
      totalRecipients: 3,
      invalidRows: 0,
      duplicateRows: 0,
      statusUrl: `/api/v1/messaging/bulk-jobs/${answer.body.jobId}/status`,
      createdAt: expect.any(String),
      warnings: [],
      groupId,
    });
    expect(answer.headers.get('location')).toBe(answer.body.statusUrl);
    const job = await ended(client, answer.body.jobId);
    expect(job).toMatchObject({ kind: 'Group', groupId, fileName: null, reference: 'newsletter', successfullySent: 3 });
    expect((await platform.accepted()).filter((to) => numbers.includes(to)).sort()).toEqual(numbers);
  });

  it("uses a contact's own parameters before the defaults, and fails contacts without either", async () => {
    const [own, partly, none] = phones(3, 100) as [string, string, string];
    const groupId = await groupWith([
      { phone: own, parameters: { 1: 'Anna', 2: '4711' } },
      { phone: partly, parameters: { 2: '4712' } },
      { phone: none },
    ]);
    const { body } = await send(groupId, { templateName: 'order_update', parameterDefaults: { 1: 'customer' } });
    expect(body).toMatchObject({ totalRecipients: 3, invalidRows: 1 });
    expect(await progressOf(client, body.jobId)).toMatchObject({ totalRecipients: 3 });
    expect(await ended(client, body.jobId)).toMatchObject({ status: 'Completed', successfullySent: 2, failed: 1 });
    expect(await outcomes(body.jobId)).toMatchObject({
      [own]: { status: 'Sent', parameters: ['Anna', '4711'] },
      [partly]: { status: 'Sent', parameters: ['customer', '4712'] },
      [none]: { status: 'Failed', errorCode: 'parameter_missing' },
    });
    const arrived = (await platform.ledger()).filter(({ to }) => [own, partly, none].includes(to));
    expect(Object.fromEntries(arrived.map(({ to, parameters }) => [to, parameters]))).toEqual({
      [own]: ['Anna', '4711'],
      [partly]: ['customer', '4712'],
    });
  });

  it('is rejected immediately if a placeholder is empty for every contact', async () => {
    const groupId = await groupWith([{ phone: phone(110), parameters: { 1: 'Anna' } }, { phone: phone(111) }]);
    const answer = await send(groupId, { templateName: 'order_update' });
    expect([answer.status, answer.body.code]).toEqual([422, 'parameter_mismatch']);
    expect(answer.body).toMatchObject({ expected: 2, actual: 1 });
    const all = await send(groupId, { templateName: 'order_update', parameterDefaults: { 2: '7' } });
    expect(all.body).toMatchObject({ totalRecipients: 2, invalidRows: 1 });
  });

  it("accepts only defaults under the template's placeholder numbers", async () => {
    const groupId = await groupWith([{ phone: phone(120) }]);
    const jobs = (await client.get('/bulk-jobs')).body.totalCount as number;
    for (const key of ['0', '01', 'one', '1.0', '-1', '', ' 1', '1e1']) {
      const answer = await send(groupId, {
        templateName: 'order_update',
        parameterDefaults: { [key]: 'x', 1: 'a', 2: 'b' },
      });
      expect([key, answer.status, answer.body.code]).toEqual([key, 400, 'validation_failed']);
      expect(answer.body.errors[0].field).toBe(`parameterDefaults.${key}`);
    }
    for (const value of [7, null, ['a'], { text: 'a' }, 'x'.repeat(1025)]) {
      const answer = await send(groupId, { templateName: 'order_update', parameterDefaults: { 1: value, 2: 'b' } });
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    }
    for (const parameterDefaults of ['1', ['a', 'b'], 7]) {
      const answer = await send(groupId, { templateName: 'order_update', parameterDefaults });
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    }
    const beyond = await send(groupId, { templateName: 'order_update', parameterDefaults: { 1: 'a', 2: 'b', 3: 'c' } });
    expect([beyond.status, beyond.body.code]).toEqual([422, 'parameter_mismatch']);
    expect((await client.get('/bulk-jobs')).body.totalCount).toBe(jobs);
  });

  it('goes to the members of the group when the job was created', async () => {
    const [stays, leaves, late] = phones(3, 130) as [string, string, string];
    const groupId = await groupWith([{ phone: stays }, { phone: leaves }]);
    const { body } = await send(groupId);
    const pausing = await client.post(`/bulk-jobs/${body.jobId}/pause`);
    const { body: contacts } = await client.get(`/groups/${groupId}/contacts`);
    const left = (contacts.items as (Member & { id: string })[]).find((contact) => contact.phone === leaves);
    await client.call('DELETE', `/groups/${groupId}/contacts`, { body: { contactIds: [left!.id] } });
    await client.post(`/groups/${groupId}/contacts`, { contacts: [{ phone: late }] });
    if (pausing.status === 200) await client.post(`/bulk-jobs/${body.jobId}/resume`);
    expect(await ended(client, body.jobId)).toMatchObject({ totalRecipients: 2, successfullySent: 2 });
    expect((await platform.accepted()).filter((to) => [stays, leaves, late].includes(to)).sort()).toEqual(
      [stays, leaves].sort(),
    );
  });

  it('continues if the group is deleted', async () => {
    const numbers = phones(2, 140);
    const groupId = await groupWith(numbers.map((to) => ({ phone: to })));
    const { body } = await send(groupId);
    expect((await client.call('DELETE', `/groups/${groupId}`)).status).toBe(204);
    expect(await ended(client, body.jobId)).toMatchObject({ successfullySent: 2, groupId });
    expect((await send(groupId)).body.code).toBe('group_not_found');
  });

  it('skips contacts that have opted out', async () => {
    const [stays, out] = phones(2, 150) as [string, string];
    const groupId = await groupWith([{ phone: stays }, { phone: out }]);
    expect((await client.post('/opt-outs', { phone: out })).status).toBeLessThan(300);
    const { body } = await send(groupId);
    expect(await ended(client, body.jobId)).toMatchObject({
      successfullySent: 1,
      failed: 1,
      skipped: 1,
      progressPercentage: 100,
    });
    expect(await outcomes(body.jobId)).toMatchObject({ [out]: { status: 'Skipped', errorCode: 'opted_out' } });
    expect((await platform.accepted()).includes(out)).toBe(false);
  });

  it('reaches a group of thousands, each once', async () => {
    const numbers = phones(2500, 3000);
    const groupId = await groupWith(numbers.map((to) => ({ phone: to })));
    expect((await client.get(`/groups/${groupId}`)).body.contactCount).toBe(2500);
    const { body } = await send(groupId);
    expect(await ended(client, body.jobId)).toMatchObject({ totalRecipients: 2500, successfullySent: 2500, failed: 0 });
    const wanted = new Set(numbers);
    expect((await platform.accepted()).filter((to) => wanted.has(to)).sort()).toEqual([...numbers].sort());
  });

  it('needs a group with contacts', async () => {
    const empty = await send(await groupWith([]));
    expect([empty.status, empty.body.code]).toEqual([422, 'group_empty']);
    const unknown = await send(UNKNOWN_ID);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'group_not_found']);
    for (const groupId of ['7', '', 7, null, undefined]) {
      const answer = await send(groupId as string);
      expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
        400,
        'validation_failed',
        'groupId',
      ]);
    }
  });

  it('accepts a group id in capitals', async () => {
    const groupId = await groupWith([{ phone: phone(160) }]);
    const { body } = await send(groupId.toUpperCase());
    expect(body).toMatchObject({ groupId, totalRecipients: 1 });
  });

  it('is rejected with the errors of its template, media and fields', async () => {
    const groupId = await groupWith([{ phone: phone(170) }]);
    const codes = async (fields: object) => {
      const { status, body } = await send(groupId, fields);
      return [status, body.code as string];
    };
    expect(await codes({ templateName: 'nope' })).toEqual([404, 'template_not_found']);
    expect(await codes({ languageCode: 'fr' })).toEqual([404, 'template_language_not_found']);
    expect(await codes({ templateName: 'paused_notice' })).toEqual([422, 'template_not_approved']);
    expect(await codes({ templateName: 'summer_sale', parameterDefaults: { 1: '10' } })).toEqual([
      422,
      'media_mismatch',
    ]);
    expect(await codes({ templateName: undefined })).toEqual([400, 'validation_failed']);
    expect(await codes({ scheduledAt: '2020-01-01T00:00:00Z' })).toEqual([400, 'validation_failed']);
    const text = await client.post('/send-template-to-group', 'groupId=1', {
      headers: { 'content-type': 'text/plain' },
    });
    expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type']);
    const broken = await client.post('/send-template-to-group', '{"groupId":');
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed_json']);
  });

  it('is sent once under one Idempotency-Key', async () => {
    const [to] = phones(1, 180);
    const groupId = await groupWith([{ phone: to! }]);
    const body = { groupId, templateName: 'hello_world' };
    const headers = { 'idempotency-key': 'group-1' };
    const first = await client.post('/send-template-to-group', body, { headers });
    const again = await client.post('/send-template-to-group', body, { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await client.post('/send-template-to-group', { ...body, reference: 'x' }, { headers });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
    await ended(client, first.body.jobId);
    expect((await platform.accepted()).filter((number) => number === to)).toHaveLength(1);
  });

  it('cannot reach a group of another account, nor can that account see the job', async () => {
    const other = await anotherAccount(client);
    const groupId = await groupWith([{ phone: phone(190) }]);
    const theirs = await groupWith([{ phone: phone(191) }], other.key);
    expect((await send(groupId, {}, other.key)).body.code).toBe('group_not_found');
    expect((await send(theirs)).body.code).toBe('group_not_found');
    const { body } = await send(theirs, {}, other.key);
    expect((await client.get(`/bulk-jobs/${body.jobId}/status`)).status).toBe(404);
    await ended(client, body.jobId, 20_000, other.key);
    const [message] = (await platform.ledger()).filter(({ to }) => to === phone(191));
    expect(message!.phoneNumberId).toBe(other.phoneNumberId);
  });
});
