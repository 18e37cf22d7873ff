import { RequestValidationPipe } from '../../../infra/http/validation/request-validation.pipe';
import { BulkImportDto, sendOf } from './bulk-sends.dto';

const read = (fields: Record<string, string>) =>
  new RequestValidationPipe().transform(fields, { type: 'body', metatype: BulkImportDto }) as Promise<BulkImportDto>;

describe('The fields of an upload', () => {
  it('have their defaults if the form leaves them empty', async () => {
    const body = await read({ templateName: 'order_update', languageCode: '', reference: '' });
    expect(sendOf(body)).toMatchObject({ languageCode: 'en_US', reference: null });
  });

  it('contain no header media if the form leaves its fields empty', async () => {
    const body = await read({
      templateName: 'order_update',
      headerMediaId: '',
      headerMediaUrl: '',
      headerMediaFileName: '',
    });
    expect(sendOf(body).extras).toBeNull();
  });

  it('contain the header media of the form', async () => {
    const body = await read({
      templateName: 'summer_sale',
      headerMediaId: '',
      headerMediaUrl: 'https://example.com/a.pdf',
      headerMediaFileName: 'List.pdf',
    });
    expect(sendOf(body).extras).toEqual({ link: 'https://example.com/a.pdf', fileName: 'List.pdf' });
  });

  it('accept a location and payloads as JSON', async () => {
    const place = { latitude: 52.5, longitude: 13.4, name: 'Parcel shop', address: 'Alexanderplatz 1' };
    const form = { headerLocation: JSON.stringify(place), quickReplyPayloads: '{"0":"yes-4711"}' };
    expect(sendOf(await read({ templateName: 'shop_visit', ...form })).extras).toEqual({
      location: place,
      payloads: { '0': 'yes-4711' },
    });
  });

  it.each([
    ['headerLocation', 'here', 'headerLocation', 'wrong_type'],
    [
      'headerLocation',
      '{"latitude":91,"longitude":0,"name":"a","address":"b"}',
      'headerLocation.latitude',
      'out_of_range',
    ],
    ['headerLocation', '{"latitude":1,"longitude":0,"name":"a"}', 'headerLocation.address', 'required'],
    ['quickReplyPayloads', 'yes', 'quickReplyPayloads', 'wrong_type'],
    ['quickReplyPayloads', '{"one":"yes"}', 'quickReplyPayloads', 'invalid_format'],
    ['quickReplyPayloads', '{"0":""}', 'quickReplyPayloads', 'invalid_format'],
    ['quickReplyPayloads', '{"0":1}', 'quickReplyPayloads', 'invalid_format'],
    ['quickReplyPayloads', `{"0":"${'x'.repeat(257)}"}`, 'quickReplyPayloads', 'invalid_format'],
    ['quickReplyPayloads', '{"__proto__":{"0":"yes"}}', 'quickReplyPayloads.__proto__', 'unknown_field'],
  ])('reject %s %s', async (name, text, field, code) => {
    const reading = read({ templateName: 'shop_visit', [name]: text });
    await expect(reading).rejects.toMatchObject({ errors: [{ field, code }] });
  });

  const EXTRAS = ['headerLocation', 'quickReplyPayloads', 'headerProduct', 'flow', 'products', 'cards'];

  it.each(['sendWindow', ...EXTRAS])('take an empty %s as absent, as forms send it', async (name) => {
    expect(sendOf(await read({ templateName: 'shop_visit', [name]: '' })).extras).toBeNull();
  });

  const UNREADABLE = ['columns', 'sendWindow', ...EXTRAS].flatMap((name) =>
    [' ', 'null'].map((text) => [name, text] as const),
  );

  // Without columns, a file would be read by position.
  it.each([['columns', ''] as const, ...UNREADABLE])(
    'do not take the JSON field %s as absent if it is "%s"',
    async (name, text) => {
      const reading = read({ templateName: 'shop_visit', [name]: text });
      await expect(reading).rejects.toMatchObject({ code: 'validation_failed', errors: [{ field: name }] });
    },
  );

  it('show the form of columns and of a send window', async () => {
    await expect(read({ templateName: 'shop_visit', columns: '' })).rejects.toMatchObject({
      message: 'columns must be a JSON object, such as {"phone":"Mobile","values":["First name","Order"]}.',
    });
    await expect(read({ templateName: 'shop_visit', sendWindow: 'null' })).rejects.toMatchObject({
      message: 'sendWindow must be a JSON object, such as {"from":"09:00","until":"20:00","timeZone":"Europe/Berlin"}.',
    });
  });

  const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

  it.each(INHERITED)('reject the inherited name %s in their JSON', async (name) => {
    for (const [field, json] of [
      ['columns', `{"phone":"Mobile","${name}":"B"}`],
      ['sendWindow', `{"from":"09:00","until":"20:00","timeZone":"UTC","${name}":"B"}`],
      ['flow', `{"data":{"a":1},"${name}":{}}`],
    ] as const) {
      const reading = read({ templateName: 'shop_visit', [field]: json });
      await expect(reading).rejects.toMatchObject({ errors: [{ field: `${field}.${name}`, code: 'unknown_field' }] });
    }
  });

  it.each([
    ['too_deep', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['invalid_characters', '{"phone":"a\\u0000"}'],
  ])('have the limits of a JSON body in their JSON (%s)', async (code, columns) => {
    const reading = read({ templateName: 'shop_visit', columns });
    await expect(reading).rejects.toMatchObject({ errors: [{ code }] });
  });

  it.each([
    ['', null],
    ['1', 1],
    ['2592000', 2_592_000],
  ])('read validForSeconds="%s" as %s', async (validForSeconds, expected) => {
    expect(sendOf(await read({ templateName: 'order_update', validForSeconds })).validForSeconds).toBe(expected);
  });

  it.each([
    ['0', 'out_of_range'],
    ['2592001', 'out_of_range'],
    ['0x10', 'wrong_type'],
    ['1.5', 'wrong_type'],
    ['-1', 'wrong_type'],
    ['soon', 'wrong_type'],
  ])('reject validForSeconds="%s" as %s', async (validForSeconds, code) => {
    const reading = read({ templateName: 'order_update', validForSeconds });
    await expect(reading).rejects.toMatchObject({ errors: [{ field: 'validForSeconds', code }] });
  });

  it('read the window as JSON, and an empty schedule as absent', async () => {
    expect(await read({ templateName: 'order_update', scheduledAt: '' })).toMatchObject({ scheduledAt: undefined });
    const sendWindow = { from: '22:00', until: '06:00', timeZone: 'Europe/Berlin', days: [5, 1] };
    const upload = await read({ templateName: 'order_update', sendWindow: JSON.stringify(sendWindow), hold: 'true' });
    expect(upload).toMatchObject({ sendWindow, hold: 'true' });
  });

  it('are rejected if a required field is empty', async () => {
    await expect(read({ templateName: '' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
