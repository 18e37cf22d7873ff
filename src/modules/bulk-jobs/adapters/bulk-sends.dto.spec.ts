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
    expect(sendOf(body).headerMedia).toBeNull();
  });

  it('name the header media that the form gives', async () => {
    const body = await read({
      templateName: 'summer_sale',
      headerMediaId: '',
      headerMediaUrl: 'https://example.com/a.pdf',
      headerMediaFileName: 'List.pdf',
    });
    expect(sendOf(body).headerMedia).toEqual({ link: 'https://example.com/a.pdf', fileName: 'List.pdf' });
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

  it('cannot schedule a job, and say that this is not available yet', async () => {
    expect(await read({ templateName: 'order_update', scheduledAt: '' })).toBeInstanceOf(BulkImportDto);
    const reading = read({ templateName: 'order_update', scheduledAt: '2030-01-01T00:00:00Z' });
    await expect(reading).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'scheduledAt', message: expect.stringContaining('not available yet') as string }],
    });
  });

  it('are refused where a field that must be there is empty', async () => {
    await expect(read({ templateName: '' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
