import { BulkJobsApi } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { workbookOf } from '../support/workbooks';

describeOnDatabase('An import with numbers that are valid in two countries', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(async () => {
    api.sender = {};
    await api.newAccount();
  });
  afterAll(() => api.app.close());

  const NUMBERS = ['+4915123456781', '15123456789', '4915123456782', '33612345678', '1512 3456 783'];
  const csv = ['phone,name,order', ...NUMBERS.map((phone, n) => `${phone},Ann,${n}`)].join('\n');
  const recipients = NUMBERS.map((to, n) => ({ to, templateParameters: [{ text: 'Ann' }, { text: String(n) }] }));
  const phonesOf = async (jobId: string) => {
    const { items } = (await api.get(`/bulk-jobs/${jobId}/recipients`).expect(200)).body as {
      items: { phone: string }[];
    };
    return items.map(({ phone }) => phone);
  };

  it.each([
    ['a file', (fields: Record<string, string>) => api.upload(csv, fields), 3],
    [
      'a list',
      ({ dryRun, ...fields }: Record<string, string>) =>
        api.post('/bulk-jobs', { templateName: 'promo', recipients, ...fields, ...(dryRun && { dryRun: true }) }),
      2,
    ],
  ] as const)('%s that names the country has numbers of the country, and says so', async (_, send, first) => {
    api.sender = { defaultCountry: 'FR' };
    const warnings = [
      `ambiguous_numbers: 2 numbers without + or 00 have two valid readings, international and national of DE, first row ${first}: ` +
        '"15123456789" was read as +4915123456789, not as +15123456789. Where that is wrong, write the number with + and its country code.',
    ];
    const { body: check } = await send({ defaultCountry: 'DE', dryRun: 'true' }).expect(200);
    expect(check.warnings).toEqual(warnings);
    const { body } = await send({ defaultCountry: 'DE' }).expect(202);
    expect(body.warnings).toEqual(warnings);
    expect((await phonesOf(body.jobId)).sort()).toEqual(
      ['4915123456781', '4915123456782', '4915123456783', '4915123456789', '33612345678'].sort(),
    );
  });

  it.each([
    ['a file', () => api.upload(csv), 3],
    ['a list', () => api.post('/bulk-jobs', { templateName: 'promo', recipients }), 2],
  ] as const)('%s of an account with a default country has international ones, and says so', async (_, send, first) => {
    api.sender = { defaultCountry: 'DE' };
    const { body } = await send().expect(202);
    expect(body.warnings).toEqual([
      `ambiguous_numbers: 2 numbers without + or 00 have two valid readings, international and national of DE, first row ${first}: ` +
        '"15123456789" was read as +15123456789, not as +4915123456789. Where that is wrong, write the number with + and its country code, ' +
        'or set defaultCountry in the import to read such numbers as those of DE.',
    ]);
    expect((await phonesOf(body.jobId)).sort()).toEqual(
      ['15123456783', '15123456789', '33612345678', '4915123456781', '4915123456782'].sort(),
    );
  });

  it('a file of an account without a country has only international ones', async () => {
    const { body } = await api.upload(csv).expect(202);
    expect(body.warnings).toEqual([]);
    expect(await phonesOf(body.jobId)).toContain('15123456789');
  });

  it.each([
    [
      'a file',
      (fields: object) => api.upload('phone;name;order\n0151 234;Ann;1\n+4915123456781;Ben;2', { ...fields }),
      2,
    ],
    [
      'a list',
      (fields: object) =>
        api.post('/bulk-jobs', {
          templateName: 'promo',
          recipients: [
            { to: '0151 234', templateParameters: [{ text: 'Ann' }, { text: '1' }] },
            { to: '+4915123456781', templateParameters: [{ text: 'Ben' }, { text: '2' }] },
          ],
          ...fields,
        }),
      1,
    ],
  ] as const)('%s with a number that no numbering plan has is accepted, and says so', async (_, send, first) => {
    const { body } = await send({ defaultCountry: 'DE' }).expect(202);
    expect(body).toMatchObject({ invalidRows: 0, totalRecipients: 2 });
    expect(body.warnings).toEqual([
      `unlikely_numbers: 1 number has a possible length, but is in no numbering plan: row ${first} "0151 234" as +49151234. ` +
        'A digit may be missing or wrong. They are accepted; correct those that are wrong.',
    ]);
  });

  it('a workbook has them too, where they are stored as numbers', async () => {
    const file = await workbookOf({
      One: [
        ['phone', 'name', 'order'],
        [15123456789, 'Ann', '1'],
        [5321234567, 'Ben', '2'],
      ],
    });
    const { body } = await api.upload(file, { defaultCountry: 'DE' }).expect(202);
    expect(await phonesOf(body.jobId)).toEqual(['4915123456789', '5321234567']);
    expect(body.warnings).toEqual([
      expect.stringMatching(/^ambiguous_numbers: 1 number .* first row 2: "15123456789"/),
    ]);
  });
});
