import { Agent, get as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { phones } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { KEY, type Service, startService } from '../../support/process/service';

const DELAY_SECONDS = 3;

interface Answer {
  status?: number;
  connection?: string;
}

describe('A process that is replaced', () => {
  let service: Service;

  beforeEach(async () => {
    service = await startService({ env: { SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) } });
  });
  afterEach(async () => {
    await service.kill();
    await service.store.drop();
  });

  it('announces its stop, serves requests for the delay while connections move, and then stops cleanly', async () => {
    const client = new Client(service);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string) =>
      new Promise<Answer>((resolve, reject) => {
        const headers = { 'x-api-key': KEY };
        const answered = async (response: IncomingMessage): Promise<void> => {
          await text(response);
          resolve({ status: response.statusCode, connection: response.headers.connection });
        };
        send(`${service.url}${path}`, { agent, headers }, (response) => void answered(response)).once('error', reject);
      });
    const stream = await fetch(`${service.api}/events`, { headers: { 'x-api-key': KEY } });
    const streamed = stream.text().then(() => performance.now());
    expect(await get('/health/ready')).toEqual({ status: 200, connection: 'keep-alive' });

    const begun = performance.now();
    const stopped = service.stop().then((code) => ({ code, ms: performance.now() - begun }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await get('/health/ready')).toEqual({ status: 503, connection: 'close' });
    const statuses: (number | undefined)[] = [];
    while (performance.now() - begun < DELAY_SECONDS * 1000 - 700) {
      const [to] = phones(1);
      statuses.push((await get('/api/v1/messaging/me')).status);
      statuses.push((await client.post('/send-template', { to, templateName: 'hello_world' })).status);
    }
    expect(statuses.length).toBeGreaterThan(4);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);

    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeGreaterThanOrEqual(DELAY_SECONDS * 1000);
    // Streams are served until the same moment.
    expect((await streamed) - begun).toBeGreaterThanOrEqual(DELAY_SECONDS * 1000 - 100);
    agent.destroy();
  });

  it('stops immediately on a second signal', async () => {
    const begun = performance.now();
    const stopped = service.stop();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    process.kill(service.pid, 'SIGTERM');
    expect(await stopped).toBe(1);
    expect(performance.now() - begun).toBeLessThan(DELAY_SECONDS * 1000);
  });
});
