import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import { CloudApiPlatformMedia } from './cloud-api-platform-media';

const SENDER = { phoneNumberId: '109', accessToken: 'secret-token' } as Sender;

describe('CloudApiPlatformMedia', () => {
  let server: Server;
  let client: CloudApiClient;
  let platform: CloudApiPlatformMedia;
  let responses: Record<string, [status: number, body: string]>;
  let requests: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      requests.push(`${request.method} ${path}`);
      request.resume().on('end', () => {
        const [status, body] = responses[path.split('?')[0] ?? ''] ?? [404, 'nothing'];
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new CloudApiClient({ baseUrl, version: 'v25.0', timeoutMs: 2_000 });
    platform = new CloudApiPlatformMedia(client);
  });

  beforeEach(() => {
    responses = {};
    requests = [];
  });

  afterAll(async () => {
    await client.close();
    server.close();
  });

  const refusal = (code: number, details?: string) =>
    JSON.stringify({ error: { code, message: `(#${code}) refused`, error_data: { details } } });
  const upload = () =>
    platform.upload(SENDER, { fileName: 'a.pdf', mimeType: 'application/pdf', size: 3, content: () => of('abc') });
  const example = () =>
    platform.uploadExample(SENDER, {
      fileName: 'ä.pdf',
      mimeType: 'application/pdf',
      size: 3,
      content: () => of('abc'),
    });
  async function* of(text: string): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text));
  }

  it('accepts an id as text or as a number of any length', async () => {
    for (const id of ['"900000000000012"', '900000000000012', '90000000000000012345']) {
      responses['/v25.0/109/media'] = [200, `{"id":${id}}`];
      expect(await upload()).toBe(id.replaceAll('"', ''));
    }
  });

  it('reports a permanent refusal with its reason', async () => {
    responses['/v25.0/109/media'] = [400, refusal(131053, 'The codec is not supported')];
    await expect(upload()).rejects.toMatchObject({
      code: 'platform_rejected',
      message: 'The platform refused the file: The codec is not supported (code 131053).',
      extra: { platformCode: 131053 },
    });
  });

  it.each<[string, number, string]>([
    ['a throttle', 400, refusal(80007)],
    ['an outage', 500, refusal(131000)],
    ['a gateway', 502, '<html>'],
    ['a response without an id', 200, '{}'],
  ])('reports the platform as unavailable after %s', async (_, status, body) => {
    responses['/v25.0/109/media'] = [status, body];
    await expect(upload()).rejects.toMatchObject({ code: 'platform_unavailable', retryAfterSeconds: 5 });
  });

  it('uploads examples to the app of the token, at the address it returns', async () => {
    responses['/v25.0/debug_token'] = [200, '{"data":{"app_id":300000000000001}}'];
    responses['/v25.0/300000000000001/uploads'] = [200, '{"id":"upload:MTphdHRh==?sig=ARZq"}'];
    responses['/v25.0/upload:MTphdHRh=='] = [200, '{"h":"4::aW1h"}'];
    expect(await example()).toBe('4::aW1h');
    expect(requests).toEqual([
      'GET /v25.0/debug_token?input_token=secret-token',
      'POST /v25.0/300000000000001/uploads?file_name=%C3%A4.pdf&file_length=3&file_type=application%2Fpdf',
      'POST /v25.0/upload:MTphdHRh==?sig=ARZq',
    ]);
  });

  it('does not upload examples to an unexpected address', async () => {
    responses['/v25.0/debug_token'] = [200, '{"data":{"app_id":"3"}}'];
    responses['/v25.0/3/uploads'] = [200, '{"id":"../109/messages"}'];
    await expect(example()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(requests).toHaveLength(2);
  });

  it('parses every form in which the platform writes lengths and hashes', async () => {
    const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    const find = async (more: object) => {
      responses['/v25.0/7'] = [200, JSON.stringify({ url: 'https://media.test/a', ...more })];
      return platform.find(SENDER, '7');
    };
    expect(await find({ sha256: hex.toUpperCase(), file_size: '12', mime_type: 'image/jpeg' })).toEqual({
      url: 'https://media.test/a',
      mimeType: 'image/jpeg',
      size: 12,
      sha256: hex,
    });
    expect(await find({ sha256: base64, file_size: 12 })).toMatchObject({ sha256: hex, size: 12, mimeType: null });
    expect(await find({ sha256: 'what', file_size: 'much' })).toMatchObject({ sha256: null, size: null });
  });

  it.each<[boolean, string, number, string]>([
    [true, 'an unknown media id', 400, '{"error":{"code":100,"error_subcode":33,"message":"no"}}'],
    [true, 'a file that the platform could not fetch itself', 400, refusal(131052)],
    [false, 'an expired token', 401, refusal(190)],
    [false, 'an outage', 500, refusal(131000)],
    [false, 'a gateway', 502, '<html>'],
    [false, 'a description without an address', 200, '{}'],
  ])('reports media as unknown (%s) after %s', async (unknown, _, status, body) => {
    responses['/v25.0/7'] = [status, body];
    await expect(platform.find(SENDER, '7')).rejects.toMatchObject({ name: 'PlatformMediaError', unknown });
  });

  it('escapes the media id in the path', async () => {
    await expect(platform.find(SENDER, '../109/x?y#z')).rejects.toThrow();
    expect(requests).toEqual(['GET /v25.0/..%2F109%2Fx%3Fy%23z?phone_number_id=109']);
  });
});
