import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';

const PHONES = ['4915112340010', '4915112340012', '4915112340013'] as const;
const url = (n: number) => `https://files.example.com/${n}.png`;

describe('A send to a list in the request', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoApproveMs: 0 });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const recipients = PHONES.map((to, n) => ({
    ...{ to: `+${to}`, templateParameters: [{ text: `Person ${n}` }] },
    ...{ headerMediaUrl: url(n), reference: `order-${n}` },
  }));
  const order = (fields: object = {}) => ({ templateName: 'summer_sale', recipients, ...fields });

  async function ended(jobId: string): Promise<Record<string, unknown>> {
    for (;;) {
      const { body } = await client.get(`/bulk-jobs/${jobId}`);
      if (body.status === 'Completed') return body as Record<string, unknown>;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  it('reaches each with its own media and reference', async () => {
    const answer = await client.post('/bulk-jobs', order());
    expect([answer.status, answer.body.totalRecipients, answer.body.duplicateRows]).toEqual([202, 3, 0]);
    expect(await ended(answer.body.jobId as string)).toMatchObject({ successfullySent: 3, failed: 0, kind: 'Import' });

    const { body } = await client.get(`/messages?jobId=${String(answer.body.jobId)}`);
    const sent = body.items as { to: string; reference: string; rowNumber: number }[];
    expect(sent.map(({ reference, rowNumber }) => `${rowNumber} ${reference}`).sort()).toEqual([
      '1 order-0',
      '2 order-1',
      '3 order-2',
    ]);
    expect((await client.get('/messages?reference=order-1')).body.items).toHaveLength(1);
    const media = (await platform.ledger()).map((entry) => JSON.stringify(entry));
    for (const n of [0, 1, 2]) expect(media.filter((entry) => entry.includes(url(n)))).toHaveLength(1);
  });

  it('counts invalid recipients, and drops repeated ones', async () => {
    const bad = [
      { ...recipients[0]!, to: 'nobody' },
      { ...recipients[0]!, templateParameters: [] },
      { to: PHONES[0], templateParameters: [{ text: 'Mira' }] },
    ];
    const body = order({ recipients: [...recipients, recipients[0], ...bad] });
    const checked = await client.post('/bulk-jobs', { ...body, dryRun: true });
    expect([checked.status, checked.body.totalRecipients, checked.body.duplicateRows]).toEqual([200, 6, 1]);
    expect(checked.body.errors).toMatchObject([
      { rowNumber: 5, field: 'to', code: 'phone_invalid' },
      { rowNumber: 6, field: 'parameter 1', code: 'parameter_missing' },
      { rowNumber: 7, field: 'extras', code: 'extras_invalid' },
    ]);
    const refused = await client.post('/bulk-jobs', { ...body, onInvalidRows: 'reject' });
    expect(expectError(refused, 422, 'invalid_rows')).toMatchObject({ totalRecipients: 6, invalidRows: 3 });
    expectError(await client.post('/bulk-jobs', order({ recipients: bad.slice(0, 2) })), 422, 'no_valid_rows');
  });

  it('needs a list, and matching media if recipients have none', async () => {
    expectError(await client.post('/bulk-jobs', order({ recipients: [] })), 400, 'validation_failed');
    expectError(await client.post('/bulk-jobs', order({ recipients: [{ to: 5 }] })), 400, 'validation_failed');
    const plain = recipients.map(({ to, templateParameters }) => ({ to, templateParameters }));
    expectError(await client.post('/bulk-jobs', order({ recipients: plain })), 422, 'media_mismatch');
  });

  it('may have 10,000 recipients of 20 values each, and no more', async () => {
    const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
    const body = {
      text: `Values: ${numbers.map((n) => `{{${n}}} and`).join(' ')} more.`,
      examples: numbers.map(String),
    };
    const created = await client.post('/templates', { name: 'wide', languageCode: 'en_US', category: 'Utility', body });
    expect(created.status).toBe(201);
    const isApproved = async () => {
      await client.post('/templates/sync');
      return (await client.get('/templates?status=Approved&search=wide')).body.totalCount === 1;
    };
    await until(isApproved, 20_000, 'the template is approved');
    const listOf = (count: number) => ({
      ...{ templateName: 'wide', languageCode: 'en_US', dryRun: true },
      recipients: Array.from({ length: count }, (_, n) => ({
        ...{ to: String(4_915_110_000_000 + n), reference: `order-${n}` },
        templateParameters: numbers.map((value) => ({ text: `${n}-${value}` })),
      })),
    });
    const { status, body: check } = await client.post('/bulk-jobs', listOf(10_000));
    expect([status, check.totalRecipients, check.invalidRows]).toEqual([200, 10_000, 0]);
    const refused = expectError(await client.post('/bulk-jobs', listOf(10_001)), 400, 'validation_failed');
    expect(refused.errors).toMatchObject([{ field: 'recipients', code: 'too_many' }]);
  });

  it('is sent once under one key, and retried with the media of each', async () => {
    const failing = [{ ...recipients[0]!, to: '4915112340002' }, recipients[1]!];
    const send = () =>
      client.post('/bulk-jobs', order({ recipients: failing }), { headers: { 'idempotency-key': 'list-1' } });
    const first = await send();
    expect((await send()).body).toMatchObject({ jobId: first.body.jobId });
    const jobId = first.body.jobId as string;
    expect(await ended(jobId)).toMatchObject({ successfullySent: 1, failed: 1 });
    const retried = await client.post(`/bulk-jobs/${jobId}/retry`, { scope: 'failed' });
    expect([retried.status, retried.body.totalRecipients, retried.body.invalidRows]).toEqual([202, 1, 0]);
    expect(await ended(retried.body.jobId as string)).toMatchObject({ failed: 1 });
  });
});
