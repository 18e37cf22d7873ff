import { createHash } from 'node:crypto';
import { body, LiveSandbox } from '../fixtures/live-sandbox';

const NUMBER = '109876543210001';
const APP = '300000000000001';
const authorization = 'Bearer sandbox-access-token';

describe('Media', () => {
  let sandbox: LiveSandbox;

  beforeEach(async () => {
    sandbox = await LiveSandbox.start({ strictMedia: true });
  });
  afterEach(() => sandbox.close());

  const upload = async (bytes: Uint8Array<ArrayBuffer>, mime: string, more: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ messaging_product: 'whatsapp', ...more })) form.set(name, value);
    form.set('file', new Blob([bytes], { type: mime }), 'a.bin');
    const response = await fetch(`${sandbox.url}/v25.0/${NUMBER}/media`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const picture = new Uint8Array([1, 2, 3, 250]);

  it('can be uploaded, described, downloaded byte for byte, and deleted', async () => {
    const { id } = (await upload(picture, 'image/jpeg', { type: 'image' })).body;
    const described = (await sandbox.call('GET', `/v25.0/${id}?phone_number_id=${NUMBER}`)).body;
    expect(described).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringContaining(`mid=${id}`),
      mime_type: 'image/jpeg',
      sha256: createHash('sha256').update(picture).digest('hex'),
      file_size: 4,
      id,
    });
    const fetched = await fetch(described.url, { headers: { authorization } });
    expect(fetched.headers.get('content-type')).toBe('image/jpeg');
    expect(new Uint8Array(await fetched.arrayBuffer())).toEqual(picture);
    expect((await fetch(described.url)).status).toBe(401);
    expect((await sandbox.call('DELETE', `/v25.0/${id}`)).body).toEqual({ success: true });
    expect((await sandbox.call('GET', `/v25.0/${id}`)).body.error.error_subcode).toBe(33);
  });

  it('cannot be downloaded once the URL has expired', async () => {
    const { id } = (await upload(picture, 'image/jpeg')).body;
    const { url } = (await sandbox.call('GET', `/v25.0/${id}`)).body;
    const old = String(url).replace(/ext=\d+/, `ext=${Date.now() - 1}`);
    expect((await fetch(old, { headers: { authorization } })).status).toBe(404);
  });

  it.each([
    ['an unknown type', 100, picture, 'application/zip'],
    ['no bytes', 131053, new Uint8Array(), 'image/png'],
    ['a sticker above 500 KB', 131053, new Uint8Array(500 * 1024 + 1), 'image/webp'],
    ['an image above 5 MB', 131053, new Uint8Array(5 * 1024 * 1024 + 1), 'image/jpeg'],
  ])('with %s is rejected with %i', async (_, code, bytes, mime) => {
    const { status, body: answer } = await upload(bytes, mime);
    expect([status, answer.error.code]).toEqual([400, code]);
  });

  it('require a form with the product and a file', async () => {
    expect((await upload(picture, 'image/jpeg', { messaging_product: 'x' })).body.error.code).toBe(100);
    expect((await sandbox.call('POST', `/v25.0/${NUMBER}/media`, {})).body.error.code).toBe(100);
  });

  it('may have their type in the form if the part has none', async () => {
    const { id } = (await upload(picture, '', { type: 'video/mp4' })).body;
    expect((await sandbox.call('GET', `/v25.0/${id}`)).body.mime_type).toBe('video/mp4');
  });

  it('must match the kind of a template header, and must be known if media are strict', async () => {
    const send = async (id: string): Promise<unknown> => {
      const header = { type: 'header', parameters: [{ type: 'image', image: { id } }] };
      return (await sandbox.template('491511239998', 'summer_sale', [header, body('Mira')])).body.error?.code;
    };
    const image = (await upload(picture, 'image/jpeg')).body.id;
    const video = (await upload(picture, 'video/mp4')).body.id;
    expect([await send(image), await send(video), await send('12345')]).toEqual([undefined, 131053, 100]);
    await sandbox.control('POST', 'config', { strictMedia: false });
    expect([await send('12345'), await send('a b')]).toEqual([undefined, 100]);
  });

  it('for template examples are uploaded in chunks and yield a handle', async () => {
    const open = `/v25.0/${APP}/uploads?file_length=5&file_type=image/png&file_name=a.png`;
    const { id } = (await sandbox.call('POST', open)).body;
    const put = async (bytes: string, offset: number) => {
      const headers = { authorization: 'OAuth sandbox-access-token', file_offset: String(offset) };
      const response = await fetch(`${sandbox.url}/v25.0/${id}`, { method: 'POST', headers, body: bytes });
      return JSON.parse(await response.text()) as Record<string, unknown>;
    };
    expect(id).toMatch(/^upload:/);
    expect(await put('abc', 1)).toMatchObject({ error: { code: 100 } });
    expect(await put('abc', 0)).toEqual({ id, file_offset: 3 });
    expect((await sandbox.call('GET', `/v25.0/${id}`)).body).toEqual({ id, file_offset: 3 });
    expect(await put('de', 3)).toEqual({ h: expect.stringMatching(/^4::/) });
    expect((await sandbox.call('POST', `/v25.0/${APP}/uploads`)).body.error.code).toBe(100);
  });
});
