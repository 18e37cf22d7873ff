import { SAMPLE_FILES } from '../../src/modules/media/fixtures/sample-files';
import { BucketServer } from '../support/bucket-server';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { KEY, type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

const FROM = '4915123450020';

describe('Media in a bucket', () => {
  let server: BucketServer;
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    server = await BucketServer.start();
    platform = await Platform.start();
    const port = await freePort();
    const { name, prefix, endpoint, credentials } = server.bucket;
    const { accessKeyId, secretAccessKey } = credentials!;
    const url = `s3://${accessKeyId}:${secretAccessKey}@${name}/${prefix}?endpoint=${endpoint}`;
    service = await startService({
      platformUrl: platform.url,
      env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, MEDIA_STORE_URL: url },
    });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await server?.stop();
  });

  it('is stored there, served, and deleted with its conversation', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(SAMPLE_FILES.jpeg)]), 'theirs.jpg');
    const { mediaId } = (await client.call('POST', '/media', { form })).body as { mediaId: string };
    await fetch(`${platform.url}/sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from: FROM, type: 'image', content: { id: mediaId, mime_type: 'image/jpeg' } }),
    });
    const list = async (path: string): Promise<{ id: string }[]> =>
      ((await client.get(path)).body as { items: { id: string }[] }).items;
    await until(async () => (await list(`/conversations?search=${FROM}`)).length > 0, 15_000, 'the message is there');
    const [conversation] = await list(`/conversations?search=${FROM}`);
    const [message] = await list(`/conversations/${conversation!.id}/messages`);
    const download = () => fetch(`${service.api}/messages/${message!.id}/media`, { headers: { 'x-api-key': KEY } });
    await until(async () => (await download()).status === 200, 15_000, 'the file is stored');
    expect(Buffer.from(await (await download()).arrayBuffer()).equals(SAMPLE_FILES.jpeg)).toBe(true);
    expect(await server.files()).toEqual([message!.id]);

    await client.call('DELETE', `/conversations/${conversation!.id}`);
    await until(async () => (await server.files()).length === 0, 20_000, 'the file is deleted');
    expect((await download()).status).toBe(404);
  });
});
