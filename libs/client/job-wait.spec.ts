import type { ServerResponse } from 'node:http';
import { ScriptedServer, type Step } from '../../test/support/scripted-server';
import { MessagingClient } from './messaging-client';

const at = (progressPercentage: number, status = 'Processing') => ({
  ...{ jobId: 'j-1', status, totalRecipients: 4, successfullySent: 1, failed: 0 },
  progressPercentage,
});
const ended = (status = 'Completed', completedAt: string | null = '2026-01-15T09:30:00.000Z'): Step =>
  told({ ...at(100, status), completedAt });
const told = (body: object): Step => ({ status: 200, body });
const stream =
  (write: (response: ServerResponse) => void): Step =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    write(response);
  };

describe('Waiting for a job', () => {
  let server: ScriptedServer;
  let client: MessagingClient;
  const paths = () => server.seen.map(({ path }) => path.replace('/api/v1/messaging/bulk-jobs/j-1', ''));

  // A server for each test: what a test gave up may arrive late.
  beforeEach(async () => {
    server = await new ScriptedServer().start();
    client = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1' });
  });

  afterEach(() => server.close());

  /** Waits, and answers what was told on the way. */
  async function waited(): Promise<number[]> {
    const percentages: number[] = [];
    const onProgress = (progress: { progressPercentage: number }) => percentages.push(progress.progressPercentage);
    expect(await client.waitForJob('j-1', { pollMs: 5, onProgress })).toMatchObject({ jobId: 'j-1' });
    return percentages;
  }

  it('follows its stream, whose parts come as they will, and tells each change once', async () => {
    const following = stream((response) => {
      response.write(`: hello\n\ndata: ${JSON.stringify(at(25))}\n\ndata: ${JSON.stringify(at(25))}\n\nda`);
      setTimeout(() => response.write(`ta: ${JSON.stringify(at(50))}\r\n\r\n`), 20);
      setTimeout(() => response.end(`event: end\ndata: ${JSON.stringify(at(100, 'Completed'))}\n\n`), 40);
    });
    server.script(told(at(0)), following, told(at(100, 'Completed')), ended());
    expect(await waited()).toEqual([0, 25, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '']);
    expect(server.seen[1]!.headers).toMatchObject({ accept: 'text/event-stream', 'x-api-key': 'key-1' });
  });

  it('asks and follows again after a stream that was cut', async () => {
    const cut = stream((response) => {
      response.write(`data: ${JSON.stringify(at(25))}\n\n`);
      setTimeout(() => response.destroy(), 20);
    });
    const end = stream((response) => response.end('event: end\ndata: {}\n\n'));
    server.script(told(at(0)), cut, told(at(50)), end, told(at(100, 'Completed')), ended());
    expect(await waited()).toEqual([0, 25, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '/events', '/status', '']);
  });

  it.each([404, 405, 406])('asks again and again where the service answers %s instead of a stream', async (status) => {
    const none: Step = { status, body: { code: 'route_not_found', message: 'No such route.' } };
    server.script(told(at(0)), none, told(at(50)), told(at(50)), told(at(100, 'Cancelled')), ended('Cancelled'));
    expect(await waited()).toEqual([0, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '/status', '/status', '']);
  });

  it('waits for what was under way when the job was cancelled', async () => {
    const following = stream((response) => {
      response.write(`data: ${JSON.stringify(at(50, 'Cancelled'))}\n\n`);
      setTimeout(() => response.end(`event: end\ndata: ${JSON.stringify(at(100, 'Cancelled'))}\n\n`), 20);
    });
    const before = [told(at(25, 'Cancelled')), ended('Cancelled', null)];
    server.script(...before, following, told(at(100, 'Cancelled')), ended('Cancelled'));
    expect(await waited()).toEqual([25, 50, 100]);
  });

  it('gives up streams that never tell anything', async () => {
    const cuts = [told(at(0)), 'cut', told(at(1)), 'cut', told(at(2)), 'cut', told(at(3))] satisfies Step[];
    server.script(...cuts, told(at(100, 'Failed')), ended('Failed'));
    expect(await waited()).toEqual([0, 1, 2, 3, 100]);
  });

  it('throws where there is no such job, and ends with its signal', async () => {
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No such job.' } });
    await expect(client.waitForJob('j-1')).rejects.toMatchObject({ code: 'job_not_found' });
    server.script(told(at(0, 'Paused')), { status: 404 }, told(at(0, 'Paused')));
    const stop = AbortSignal.timeout(100);
    await expect(client.waitForJob('j-1', { pollMs: 10, signal: stop })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    server.script(
      told(at(0)),
      stream((response) => response.write(': still here\n\n')),
    );
    const signal = AbortSignal.timeout(100);
    await expect(client.waitForJob('j-1', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
