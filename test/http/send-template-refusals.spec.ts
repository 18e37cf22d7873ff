import { actorIn } from '../support/audit';
import { describeOnDatabase } from '../support/databases';
import type { Client } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { SendTemplateApi } from '../support/send-template-api';

const TO = '4915112345678';
const texts = (...values: unknown[]) => values.map((text) => ({ text }));
const order = (fields: Record<string, unknown> = {}) => ({
  to: TO,
  templateName: 'order_update',
  templateParameters: texts('Mira', 'PK-1'),
  ...fields,
});

describeOnDatabase('A rejected single send', (open) => {
  let one: SendTemplateApi;
  let client: Client;

  beforeAll(async () => {
    one = new SendTemplateApi(await open());
    client = await one.start();
  });

  afterAll(() => one.stop());

  describe('for its fields', () => {
    it('returns every error, in the order of the fields, unknown ones last', async () => {
      const answer = await client.post('/send-template', {
        zeal: true,
        validForSeconds: 0,
        reference: '',
        headerMediaUrl: 'ftp://example.com/a.png',
        headerMediaId: 5,
        templateParameters: [{ text: 1 }, {}],
        languageCode: '',
        to: 'x',
      });

      expectFieldErrors(answer, {
        to: 'invalid_format',
        templateName: 'required',
        languageCode: 'required',
        'templateParameters[0].text': 'wrong_type',
        'templateParameters[1].text': 'required',
        reference: 'required',
        validForSeconds: 'out_of_range',
        headerMediaId: 'wrong_type',
        headerMediaUrl: 'invalid_format',
        zeal: 'unknown_field',
      });
    });

    it('explains the error of an empty userId', async () => {
      const answer = await client.post('/send-template', { userId: '', templateName: 'order_update' });
      expectFieldErrors(answer, { userId: 'invalid_format' });
    });

    it.each([
      ['a plus', '+4915112345678'],
      ['blanks', '49 151 12345678'],
      ['leading zeros', '004915112345678'],
      ['a national number', '015112345678'],
      ['letters', '49151CALLME00'],
      ['digits of another script', '٤٩١٥١١٢٣٤٥٦٧٨'],
      ['7 digits', '4915112'],
      ['16 digits', '4915112345678901'],
      ['an unassigned country code', '999123456789'],
      ['too few digits for its country', '12025550'],
      ['a trailing line break', '4915112345678\n'],
    ])('reports that to is not an international number in digits: %s', async (_, to) => {
      const body = expectFieldErrors(await client.post('/send-template', order({ to })), { to: 'invalid_format' });

      expect(body.message).toContain('4915112345678');
    });

    it.each([
      ['templateName', 'absent', undefined, 'required'],
      ['templateName', 'null', null, 'required'],
      ['templateName', 'empty', '', 'required'],
      ['templateName', 'an array', ['order_update'], 'wrong_type'],
      ['templateName', 'longer than 512 characters', 'n'.repeat(513), 'too_long'],
      ['to', 'absent', undefined, 'required'],
      ['to', 'null', null, 'required'],
      ['to', 'a number', 4915112345678, 'wrong_type'],
      ['to', 'an array', ['4915112345678'], 'wrong_type'],
      ['to', 'an object', { number: TO }, 'wrong_type'],
      ['languageCode', 'a number', 7, 'wrong_type'],
      ['languageCode', 'longer than 20 characters', 'l'.repeat(21), 'too_long'],
      ['templateParameters', 'a string', 'Mira', 'wrong_type'],
      ['templateParameters', 'an object', { 1: 'Mira' }, 'wrong_type'],
      ['templateParameters', 'a number', 5, 'wrong_type'],
      ['templateParameters', 'a list of 201', Array.from({ length: 201 }, () => ({ text: 'x' })), 'too_many'],
      ['headerMediaId', 'empty', '', 'required'],
      ['headerMediaId', 'longer than 255 characters', 'i'.repeat(256), 'too_long'],
      ['headerMediaId', 'not a platform id', '../1 2', 'invalid_format'],
      ['headerMediaUrl', 'no URL', 'not a url', 'invalid_format'],
      ['headerMediaUrl', 'an object', { link: 'https://example.com/a.png' }, 'wrong_type'],
      ['headerMediaUrl', 'a URL without protocol', 'example.com/a.png', 'invalid_format'],
      ['headerMediaUrl', 'a URL of a file', 'file:///etc/passwd', 'invalid_format'],
      ['headerMediaUrl', 'longer than 2000 characters', `https://example.com/${'u'.repeat(2000)}`, 'too_long'],
      ['reference', 'longer than 255 characters', 'r'.repeat(256), 'too_long'],
      ['reference', 'a number', 12, 'wrong_type'],
      ['reference', 'of two lines', 'a\nb', 'invalid_format'],
      ['reference', 'half of a character', 'a\ud800', 'invalid_characters'],
      ['validForSeconds', 'a fraction', 1.5, 'wrong_type'],
      ['validForSeconds', 'a string', '60', 'wrong_type'],
      ['validForSeconds', 'negative', -1, 'out_of_range'],
      ['validForSeconds', 'longer than 30 days', 2_592_001, 'out_of_range'],
    ])('names %s if it is %s', async (field, _, value, code) => {
      expectFieldErrors(await client.post('/send-template', order({ [field]: value })), { [field]: code });
    });

    it('reports that templateParameters must be an array, not errors inside it', async () => {
      for (const templateParameters of ['Mira', { 0: { text: 'Mira' } }, { text: 'Mira' }, 5, true]) {
        const body = expectFieldErrors(await client.post('/send-template', order({ templateParameters })), {
          templateParameters: 'wrong_type',
        });
        expect(body.message).toBe('templateParameters must be an array.');
      }
    });

    it('shows the form of an element of templateParameters', async () => {
      const { body } = await client.post('/send-template', order({ templateParameters: ['Mira'] }));
      expect(body.message).toBe('templateParameters[0] must be an object such as {"text": "Mira"}.');
    });

    it.each([
      [
        'bare strings',
        ['Mira', 'PK-1'],
        { 'templateParameters[0]': 'wrong_type', 'templateParameters[1]': 'wrong_type' },
      ],
      ['null', [{ text: 'Mira' }, null], { 'templateParameters[1]': 'required' }],
      ['arrays', [['Mira'], { text: 'x' }], { 'templateParameters[0][0]': 'wrong_type' }],
      ['arrays of objects', [[{ text: 'Mira' }], { text: 'x' }], { templateParameters: 'wrong_type' }],
      [
        'another field',
        [{ text: 'Mira', type: 'text' }, { text: 'x' }],
        { 'templateParameters[0].type': 'unknown_field' },
      ],
      ['a number as text', texts(1, 'x'), { 'templateParameters[0].text': 'wrong_type' }],
      ['a text of 1,025 characters', texts('x', 'y'.repeat(1025)), { 'templateParameters[1].text': 'too_long' }],
    ])('names the element of templateParameters: %s', async (_, templateParameters, errors) => {
      expectFieldErrors(await client.post('/send-template', order({ templateParameters })), errors);
    });

    it.each([
      ['nothing', '', 'empty'],
      ['blanks', '   ', 'empty'],
      ['a line break', 'a\nb', 'line_break'],
      ['a tab', 'a\tb', 'tab'],
      ['five blanks in a row', 'a     b', 'too_many_spaces'],
      ['a control character', 'a\u0007b', 'invalid_characters'],
    ])('names the value that the platform would refuse: %s', async (_, text, code) => {
      expectFieldErrors(await client.post('/send-template', order({ templateParameters: texts('Mira', text) })), {
        'templateParameters[1].text': code,
      });
    });

    it('accepts field names only in exact spelling', async () => {
      expectFieldErrors(
        await client.post('/send-template', order({ TemplateName: 'order_update', template_name: 'x' })),
        {
          TemplateName: 'unknown_field',
          template_name: 'unknown_field',
        },
      );
    });
  });

  describe('for its template', () => {
    it('reports an unknown template name, and that a new one must be synced first', async () => {
      const body = expectError(
        await client.post('/send-template', order({ templateName: 'order_updates' })),
        404,
        'template_not_found',
      );

      expect(body.message).toMatch(/"order_updates".*sync/);
    });

    it('matches the template name exactly', async () => {
      for (const templateName of ['Order_Update', ' order_update', 'order_update ']) {
        expectError(await client.post('/send-template', order({ templateName })), 404, 'template_not_found');
      }
    });

    it('names the languages of the template', async () => {
      const answer = await client.post(
        '/send-template',
        order({ templateName: 'appointment_reminder', languageCode: 'fr' }),
      );

      expect(expectError(answer, 404, 'template_language_not_found')).toMatchObject({
        availableLanguages: ['de', 'en_US'],
        message: expect.stringContaining('de, en_US'),
      });
    });

    it.each([
      ['pending_notice', 'Pending'],
      ['rejected_notice', 'Rejected'],
      ['paused_notice', 'Paused'],
      ['disabled_notice', 'Disabled'],
    ])('reports that %s is %s and not approved', async (templateName, templateStatus) => {
      const answer = await client.post('/send-template', order({ templateName, templateParameters: texts('Mira') }));

      expect(expectError(answer, 422, 'template_not_approved')).toMatchObject({ templateStatus });
    });

    it.each([
      ['a location header', 'shop_visit'],
      ['order details button', 'order_payment'],
    ])('reports that it cannot send a template with %s', async (part, templateName) => {
      const answer = await client.post('/send-template', order({ templateName, templateParameters: texts('Mira') }));

      expect(expectError(answer, 422, 'template_not_supported').message).toContain(part.replace(/^a /, ''));
    });

    it.each([
      ['order_update', ['Mira'], 2],
      ['order_update', [], 2],
      ['order_update', ['a', 'b', 'c'], 2],
      ['hello_world', ['a'], 0],
      ['parcel_tracking', ['PK-1', 'Mira', 'Berlin'], 4],
      ['login_code', ['481516', '481516'], 1],
    ])('counts the values of %s: %j', async (templateName, values, expected) => {
      const answer = await client.post('/send-template', order({ templateName, templateParameters: texts(...values) }));

      expect(expectError(answer, 422, 'parameter_mismatch')).toMatchObject({ expected, actual: values.length });
    });

    it('counts absent templateParameters as no values', async () => {
      const answer = await client.post('/send-template', { to: TO, templateName: 'order_update' });

      expect(expectError(answer, 422, 'parameter_mismatch')).toMatchObject({ expected: 2, actual: 0 });
    });

    it.each([
      ['missing', 'summer_sale', {}, /image.*headerMediaId or headerMediaUrl/],
      ['doubled', 'summer_sale', { headerMediaId: '1', headerMediaUrl: 'https://example.com/a.png' }, /not both/],
      [
        'named although it is an image',
        'summer_sale',
        { headerMediaId: '1', headerMediaFileName: 'a' },
        /not a document/,
      ],
      ['superfluous for a template without header', 'winter_coupon', { headerMediaId: '1' }, /no media header/],
      [
        'superfluous for a text header',
        'parcel_tracking',
        { headerMediaUrl: 'https://example.com/a.png' },
        /no media header/,
      ],
    ])('reports that the header media is %s', async (_, templateName, media, remedy) => {
      const counts: Record<string, number> = { summer_sale: 1, winter_coupon: 2, parcel_tracking: 4 };
      const values = Array.from({ length: counts[templateName]! }, () => 'x');
      const answer = await client.post('/send-template', {
        to: TO,
        templateName,
        templateParameters: texts(...values),
        ...media,
      });

      expect(expectError(answer, 422, 'media_mismatch').message).toMatch(remedy);
    });
  });

  describe('for its account or recipient', () => {
    it('reports that the recipient opted out', async () => {
      const to = '4915112349990';
      await one.optOuts.add(actorIn(one.sender.accountId), { phone: to });

      expectError(await client.post('/send-template', order({ to })), 422, 'recipient_opted_out');
    });

    it('reports that the operator paused sending, and when to retry', async () => {
      one.sender = { ...one.sender, sendingPaused: true };
      const answer = await client.post('/send-template', order());
      one.sender = { ...one.sender, sendingPaused: false };

      expectError(answer, 503, 'sending_paused');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });
  });

  it('never reaches the platform', async () => {
    expect((await one.platform.stats()).arrivals).toBe(0);
    expect(await one.platform.ledger()).toEqual([]);
  });
});
