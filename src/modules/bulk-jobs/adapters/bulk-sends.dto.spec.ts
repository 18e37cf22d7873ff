import { RequestValidationPipe } from '../../../infra/http/request-validation.pipe';
import { BulkImportDto, sendOf } from './bulk-sends.dto';

const read = (fields: Record<string, string>) =>
  new RequestValidationPipe().transform(fields, { type: 'body', metatype: BulkImportDto }) as Promise<BulkImportDto>;

describe('The fields of an upload', () => {
  it('have their defaults when the form leaves them empty', async () => {
    const body = await read({ templateName: 'order_update', languageCode: '', reference: '' });
    expect(sendOf(body)).toMatchObject({ languageCode: 'en_US', reference: null });
  });

  it('name no header media when the form leaves its fields empty', async () => {
    const body = await read({
      templateName: 'order_update',
      headerMediaId: '',
      headerMediaUrl: '',
      headerMediaFileName: '',
    });
    expect(sendOf(body).extras).toBeNull();
  });

  it('name the header media that the form gives', async () => {
    const body = await read({
      templateName: 'summer_sale',
      headerMediaId: '',
      headerMediaUrl: 'https://example.com/a.pdf',
      headerMediaFileName: 'List.pdf',
    });
    expect(sendOf(body).extras).toEqual({ link: 'https://example.com/a.pdf', fileName: 'List.pdf' });
  });

  it('take a place and payloads as JSON text', async () => {
    const place = { latitude: 52.5, longitude: 13.4, name: 'Parcel shop', address: 'Alexanderplatz 1' };
    const form = { headerLocation: JSON.stringify(place), quickReplyPayloads: '{"0":"yes-4711"}' };
    expect(sendOf(await read({ templateName: 'shop_visit', ...form })).extras).toEqual({
      location: place,
      payloads: { '0': 'yes-4711' },
    });
    const empty = { headerLocation: '', quickReplyPayloads: '' };
    expect(sendOf(await read({ templateName: 'shop_visit', ...empty })).extras).toBeNull();
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
    ['quickReplyPayloads', '{"__proto__":{"0":"yes"}}', 'quickReplyPayloads', 'invalid_format'],
  ])('refuse %s %s', async (name, text, field, code) => {
    const reading = read({ templateName: 'shop_visit', [name]: text });
    await expect(reading).rejects.toMatchObject({ errors: [{ field, code }] });
  });

  it.each([
    ['', null],
    ['1', 1],
    ['2592000', 2_592_000],
  ])('take validForSeconds="%s" for %s', async (validForSeconds, expected) => {
    expect(sendOf(await read({ templateName: 'order_update', validForSeconds })).validForSeconds).toBe(expected);
  });

  it.each([
    ['0', 'out_of_range'],
    ['2592001', 'out_of_range'],
    ['0x10', 'wrong_type'],
    ['1.5', 'wrong_type'],
    ['-1', 'wrong_type'],
    ['soon', 'wrong_type'],
  ])('refuse validForSeconds="%s" as %s', async (validForSeconds, code) => {
    const reading = read({ templateName: 'order_update', validForSeconds });
    await expect(reading).rejects.toMatchObject({ errors: [{ field: 'validForSeconds', code }] });
  });

  it('read the window as JSON, and take an empty schedule for none', async () => {
    expect(await read({ templateName: 'order_update', scheduledAt: '' })).toMatchObject({ scheduledAt: undefined });
    const sendWindow = { from: '22:00', until: '06:00', timeZone: 'Europe/Berlin', days: [5, 1] };
    const upload = await read({ templateName: 'order_update', sendWindow: JSON.stringify(sendWindow), hold: 'true' });
    expect(upload).toMatchObject({ sendWindow, hold: 'true' });
  });

  it('are refused where a field that must be there is empty', async () => {
    await expect(read({ templateName: '' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
