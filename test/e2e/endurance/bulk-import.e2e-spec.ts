import type { ImportOptions } from '../../../libs/client/messaging-client';
import { Client } from '../../support/process/client';
import { doubled, ended, fileOf, listOf, phone, phones, recipientsOf, sendTo } from '../../support/process/bulk';
import { Platform } from '../../support/process/platform';
import { type Service, startService } from '../../support/process/service';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('An upload of recipients', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const send = (name: string, content: string | Buffer, fields: Omit<ImportOptions, 'file'>) =>
    client.messaging().importFile({ file: new File([new Uint8Array(Buffer.from(content))], name), ...fields });
  const jobCount = async () => (await client.get('/bulk-jobs')).body.totalCount as number;

  it('returns 202 with the job and the URL of its progress', async () => {
    const numbers = phones(3);
    const answer = await client.upload(listOf(numbers), { templateName: 'hello_world' });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      jobId: expect.stringMatching(UUID),
      status: 'Queued',
      totalRecipients: 3,
      invalidRows: 0,
      duplicateRows: 0,
      statusUrl: `/api/v1/messaging/bulk-jobs/${answer.body.jobId}/status`,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      warnings: [],
    });
    expect(answer.headers.get('location')).toBe(answer.body.statusUrl);
    const status = await fetch(service.url + answer.body.statusUrl, {
      headers: { 'x-api-key': 'e2e-bootstrap-key-0123456789abcdef' },
    });
    expect(status.status).toBe(200);
    await ended(client, answer.body.jobId);
    expect((await platform.accepted()).filter((to) => numbers.includes(to)).sort()).toEqual(numbers);
  });

  it('creates the same job from xlsx, xls and csv', async () => {
    const jobs = [];
    for (const [index, type] of (['xlsx', 'xls', 'csv'] as const).entries()) {
      const numbers = phones(4, 100 + index * 10);
      const rows = [
        ['Phone', 'Name', 'Order'],
        [`+${numbers[0]}`, 'Zoë', '0042'],
        [`00${numbers[1]}`, 'José, Ltd.', '3.50'],
        ['no phone', 'X', '1'],
        [numbers[2]!, '', '7'],
        [numbers[3]!, 'محمد', '  8 '],
        [numbers[3]!, 'محمد', '8'],
      ];
      const { name, content } = fileOf(type, rows);
      const made = await send(name, content, { templateName: 'order_update' });
      expect(made).toMatchObject({ totalRecipients: 6 - 1, invalidRows: 2, duplicateRows: 1 });
      const job = await ended(client, made.jobId);
      expect(job).toMatchObject({
        status: 'Completed',
        successfullySent: 3,
        failed: 2,
        fileName: `list.${type}`,
        kind: 'Import',
      });
      const recipients = await recipientsOf(client, job.jobId);
      const sent = (await platform.ledger()).filter(({ to }) => numbers.includes(to));
      jobs.push({
        recipients: recipients.map(({ rowNumber, phone: to, parameters, status, errorCode }) => {
          return { rowNumber, to: numbers.indexOf(to!), parameters, status, errorCode };
        }),
        arrived: sent.map(({ to, parameters }) => ({ to: numbers.indexOf(to), parameters })),
      });
    }
    expect(jobs[0]).toEqual({
      recipients: [
        { rowNumber: 2, to: 0, parameters: ['Zoë', '0042'], status: 'Sent', errorCode: null },
        { rowNumber: 3, to: 1, parameters: ['José, Ltd.', '3.50'], status: 'Sent', errorCode: null },
        { rowNumber: 4, to: -1, parameters: ['X', '1'], status: 'Failed', errorCode: 'phone_invalid' },
        { rowNumber: 5, to: 2, parameters: ['', '7'], status: 'Failed', errorCode: 'parameter_missing' },
        { rowNumber: 6, to: 3, parameters: ['محمد', '8'], status: 'Sent', errorCode: null },
      ],
      arrived: [
        { to: 0, parameters: ['Zoë', '0042'] },
        { to: 1, parameters: ['José, Ltd.', '3.50'] },
        { to: 3, parameters: ['محمد', '8'] },
      ],
    });
    expect(jobs[1]).toEqual(jobs[0]);
    expect(jobs[2]).toEqual(jobs[0]);
  });

  it('stores the reference and the file name, and sends in the requested language', async () => {
    const [to] = phones(1, 200);
    const fields = { templateName: 'appointment_reminder', languageCode: 'de', reference: 'spring-2026' };
    const { jobId } = await send('März/../Kunden.csv', `${to},Anna,9 Uhr\n`, fields);
    const job = await ended(client, jobId);
    expect(job).toMatchObject({
      reference: 'spring-2026',
      languageCode: 'de',
      fileName: 'Kunden.csv',
      templateName: 'appointment_reminder',
    });
    const [message] = (await platform.ledger()).filter((entry) => entry.to === to);
    expect(message).toMatchObject({ language: 'de', parameters: ['Anna', '9 Uhr'] });
  });

  it('sends one header media to all recipients, by id or by URL', async () => {
    const numbers = phones(4, 210);
    const sendTwo = async (two: string[], media: Partial<ImportOptions>) => {
      const content = two.map((to) => `${to},10`).join('\n');
      const { jobId } = await send('a.csv', content, { templateName: 'summer_sale', ...media });
      await ended(client, jobId);
      return (await platform.ledger()).filter(({ to }) => two.includes(to)).map(({ header }) => JSON.stringify(header));
    };
    const byId = await sendTwo(numbers.slice(0, 2), { headerMediaId: '1013859600285441' });
    const byUrl = await sendTwo(numbers.slice(2), { headerMediaUrl: 'https://example.com/spring.jpg' });
    expect(byId).toEqual([expect.stringContaining('1013859600285441'), expect.stringContaining('1013859600285441')]);
    expect(byUrl).toEqual([
      expect.stringContaining('example.com/spring.jpg'),
      expect.stringContaining('example.com/spring.jpg'),
    ]);
  });

  it('shows the result of a dryRun, and creates nothing', async () => {
    const before = await jobCount();
    const [a, b] = phones(2, 220);
    const content = `phone,name,order\n${a},Ann,1\nabc,Bob,2\n${a},Ann,1\n${b},,3\n${b},Eve,3,4\n`;
    const answer = await client.upload({ name: 'a.csv', content }, { templateName: 'order_update', dryRun: 'true' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.body).toEqual({
      totalRecipients: 4,
      invalidRows: 3,
      duplicateRows: 1,
      warnings: expect.any(Array),
      errors: [
        {
          rowNumber: 3,
          field: 'phone',
          code: 'phone_invalid',
          message: expect.any(String),
          cells: ['abc', 'Bob', '2'],
        },
        {
          rowNumber: 5,
          field: 'parameter 1',
          code: 'parameter_missing',
          message: expect.any(String),
          cells: [b, '', '3'],
        },
        {
          rowNumber: 6,
          field: expect.any(String),
          code: 'too_many_columns',
          message: expect.any(String),
          cells: [b, 'Eve', '3', '4'],
        },
      ],
      errorsByCode: ['phone_invalid', 'parameter_missing', 'too_many_columns'].map((code) => ({ code, count: 1 })),
      columns: [
        { column: 'A', header: 'phone', use: 'phone' },
        { column: 'B', header: 'name', use: expect.any(String) },
        { column: 'C', header: 'order', use: expect.any(String) },
      ],
      sample: [{ rowNumber: 2, phone: a, parameters: ['Ann', '1'], renderedText: expect.stringContaining('Ann') }],
      optedOut: 0,
      plan: {
        newConversations: 1,
        tierRoom: null,
        estimatedSeconds: expect.any(Number),
        startsAt: expect.any(String),
        endsAt: expect.any(String),
      },
    });
    expect(await jobCount()).toBe(before);
    expect((await platform.accepted()).filter((to) => to === a || to === b)).toEqual([]);
  });

  it('lists at most the first 100 bad rows with dryRun, and counts them all', async () => {
    const bad = Array.from({ length: 130 }, (_, index) => `bad${index}x`);
    const answer = await client.upload(listOf([...bad, phone(230)]), { templateName: 'hello_world', dryRun: 'true' });
    expect(answer.body).toMatchObject({ totalRecipients: 131, invalidRows: 130 });
    expect(answer.body.errors).toHaveLength(100);
  });

  it('drops the same phone with the same values, in any spelling', async () => {
    const [a] = phones(1, 240);
    const content = `${a},Ann,1\n+${a},Ann,1\n"00${a}",Ann , 1\n${a},Ann,2\n`;
    const made = await send('a.csv', content, { templateName: 'order_update' });
    expect(made).toMatchObject({ totalRecipients: 2, duplicateRows: 2 });
    await ended(client, made.jobId);
    expect((await platform.accepted()).filter((to) => to === a)).toHaveLength(2);
  });

  it('keeps duplicates with onDuplicates=keep', async () => {
    const [a] = phones(1, 250);
    const jobId = await sendTo(client, [a!, a!, a!], { onDuplicates: 'keep' });
    expect(await ended(client, jobId)).toMatchObject({ totalRecipients: 3, duplicateRows: 0, successfullySent: 3 });
    expect((await platform.accepted()).filter((to) => to === a)).toHaveLength(3);
  });

  it('treats row 1 as a header if its first cell has no digit, or as requested', async () => {
    const [a, b] = phones(2, 260);
    const check = async (first: string, hasHeader?: ImportOptions['hasHeader']) => {
      const file = new File([`${first}\n${b}\n`], 'a.csv');
      const form = { file, templateName: 'hello_world', ...(hasHeader && { hasHeader }) };
      const { totalRecipients, invalidRows } = await client.messaging().checkFile(form);
      return [totalRecipients, invalidRows];
    };
    expect(await check('Telefon')).toEqual([1, 0]);
    expect(await check(a!)).toEqual([2, 0]);
    expect(await check('phone 1')).toEqual([2, 1]);
    expect(await check('phone 1', 'true')).toEqual([1, 0]);
    expect(await check(a!, 'true')).toEqual([1, 0]);
    expect(await check('Telefon', 'false')).toEqual([2, 1]);
    expect(await check('Telefon', 'auto')).toEqual([1, 0]);
  });

  it('warns that blanks and line breaks in values were collapsed', async () => {
    const [a] = phones(1, 270);
    const content = `${a},"two\nlines",1\n`;
    const { warnings, jobId } = await send('a.csv', content, { templateName: 'order_update' });
    expect(warnings).toEqual([expect.stringMatching(/line break/i)]);
    await ended(client, jobId);
    const [message] = (await platform.ledger()).filter(({ to }) => to === a);
    expect(message!.parameters).toEqual(['two lines', '1']);
  });

  it('sends nothing for invalid rows, and each valid row once', async () => {
    const numbers = phones(700, 1000);
    const rows = numbers.flatMap((to, index) => (index % 7 === 0 ? [to, `x${index}`] : [to]));
    const made = await send('list.csv', listOf(rows).content, { templateName: 'hello_world' });
    expect(made).toMatchObject({ totalRecipients: 800, invalidRows: 100 });
    expect(await ended(client, made.jobId)).toMatchObject({
      successfullySent: 700,
      failed: 100,
      progressPercentage: 100,
    });
    const accepted = (await platform.accepted()).filter((to) => numbers.includes(to));
    expect(doubled(accepted)).toEqual([]);
    expect(accepted).toHaveLength(700);
  });

  describe('with an Idempotency-Key', () => {
    const upload = (content: string, headers: Record<string, string>, fields: Record<string, string> = {}) =>
      client.upload({ name: 'a.csv', content }, { templateName: 'hello_world', ...fields }, { headers });

    it('creates one job, however often it is repeated', async () => {
      const [to] = phones(1, 280);
      const headers = { 'idempotency-key': 'upload 1' };
      const first = await upload(`${to}\n`, headers);
      const again = await upload(`${to}\n`, headers);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([again.status, again.body, again.headers.get('location')]).toEqual([
        202,
        first.body,
        first.body.statusUrl,
      ]);
      await ended(client, first.body.jobId);
      expect((await platform.accepted()).filter((number) => number === to)).toHaveLength(1);
    });

    it('rejects other bytes or fields under the same key', async () => {
      const [a, b] = phones(2, 285);
      const headers = { 'idempotency-key': 'upload 2' };
      expect((await upload(`${a}\n`, headers)).status).toBe(202);
      const before = await jobCount();
      for (const answer of [await upload(`${b}\n`, headers), await upload(`${a}\n`, headers, { reference: 'x' })]) {
        expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_mismatch']);
      }
      expect(await jobCount()).toBe(before);
    });

    it('creates one job for ten simultaneous requests', async () => {
      const [to] = phones(1, 290);
      const headers = { 'idempotency-key': 'upload 3' };
      const answers = await Promise.all(Array.from({ length: 10 }, () => upload(`${to}\n`, headers)));
      const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.jobId as string);
      expect(new Set(ids).size).toBe(1);
      expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
      await ended(client, ids[0]!);
      expect((await platform.accepted()).filter((number) => number === to)).toHaveLength(1);
    });

    it('frees the key if the upload is rejected, and after a dry run', async () => {
      const [to] = phones(1, 295);
      const headers = { 'idempotency-key': 'upload 4' };
      expect((await upload('abc 1\n', headers)).body.code).toBe('no_valid_rows');
      expect((await upload(`${to}\n`, headers, { dryRun: 'true' })).status).toBe(200);
      expect((await upload(`${to}\n`, headers)).status).toBe(202);
    });
  });
});
