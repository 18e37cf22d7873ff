import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecipientFile } from '../../libs/recipient-files/read-recipient-file';
import { sampleFileBytes } from '../../src/modules/templates/adapters/sample-file-bytes';
import { sampleFileOf } from '../../src/modules/templates/domain/sample-file';
import type { Template } from '../../src/modules/templates/domain/template';
import type { TemplateComponents } from '../../src/modules/templates/domain/template-components';
import { platformTemplate } from '../fakes/templates-in-memory';

const BUTTON = { text: 'x', url: null, phoneNumber: null };

function template(components: Partial<TemplateComponents>, changes: Partial<Template> = {}): Template {
  const platform = platformTemplate('promo');
  return { ...platform, ...changes, components: { ...platform.components, ...components } } as Template;
}

const WHOLE = template({
  ...{ headerFormat: 'Text', headerText: 'Parcel {{1}}', bodyText: 'Hello {{1}}, {{2}}' },
  buttons: [
    { ...BUTTON, type: 'Url', url: 'https://t.test/{{1}}' },
    { ...BUTTON, type: 'CopyCode' },
  ],
});
const NAMED = template({ parameterFormat: 'Named', bodyText: 'Dear {{name}}, at {{starts_at}}' });
const LOGIN = template(
  { bodyText: '*{{1}}*', buttons: [{ ...BUTTON, type: 'Otp' }] },
  { category: 'Authentication', name: '../login', languageCode: 'en_US' },
);

describe('A sample file', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-sample-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  describe.each(['csv', 'xlsx'] as const)('as %s', (format) => {
    it.each<[string, Template, string[]]>([
      ['every kind of value', WHOLE, ['Example 1', 'Example 2', 'Example 3', 'example-4', 'EXAMPLE20']],
      ['named values', NAMED, ['Example 1', 'Example 2']],
      ['a one-time password', LOGIN, ['123456']],
      ['no values', template({ bodyText: 'Hello' }), []],
    ])('with %s is read as one recipient without an error', async (_what, one, values) => {
      const path = join(folder, `file.${format}`);
      await writeFile(path, await sampleFileBytes(sampleFileOf(one), format));
      const order = { valueCount: values.length, header: 'auto', duplicates: 'skip', maxRows: 10 } as const;
      const reading = readRecipientFile(path, { ...order, nameColumn: true });
      const rows: unknown[] = [];
      for await (const batch of reading.batches) rows.push(...batch.rows, ...batch.invalidRows);
      expect(rows).toEqual([{ rowNumber: 2, phone: '4915112345678', values }]);
      expect((await reading.summary).warnings).toEqual([]);
    });
  });

  it('names its columns like the values', () => {
    expect(sampleFileOf(WHOLE)).toMatchObject({
      name: 'promo-de-sample',
      header: [
        ...['phone', 'value 1 (header {{1}})', 'value 2 (body {{1}})', 'value 3 (body {{2}})'],
        ...['value 4 (link ending)', 'value 5 (coupon code)'],
      ],
    });
    expect(sampleFileOf(NAMED).header).toEqual(['phone', 'value 1 (name)', 'starts_at']);
    expect(sampleFileOf(LOGIN).name).toBe('___login-en_US-sample');
  });
});
