import type { ServerResponse } from 'node:http';
import { ScriptedServer, type Step } from '../../test/support/scripted-server';
import { MessagingClient } from './messaging-client';

const at = (progressPercentage: number, status = 'Processing') => ({
  ...{ jobId: 'j-1', status, totalRecipients: 4, successfullySent: 1, failed: 0 },
  progressPercentage,
});
const ended = (status = 'Completed', completedAt: string | null = '2026-01-15T09:30:00.000Z'): Step =>
  progress({ ...at(100, status), completedAt });
const progress = (body: object): Step => ({ status: 200, body });
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

  // A new server per test: aborted requests of earlier tests may arrive late.
  beforeEach(async () => {
    server = await new ScriptedServer().start();
    client = new MessagingClient({ baseUrl: server.url, apiKey: 'key-1' });
  });

  afterEach(() => server.close());

  /** Waits for the job and returns the reported percentages. */
  async function reportedProgress(): Promise<number[]> {
    const percentages: number[] = [];
    const onProgress = (progress: { progressPercentage: number }) => percentages.push(progress.progressPercentage);
    expect(await client.waitForJob('j-1', { pollMs: 5, onProgress })).toMatchObject({ jobId: 'j-1' });
    return percentages;
  }

  it('follows the stream, split at any point, and reports each change once', async () => {
    const following = stream((response) => {
      response.write(`: hello\n\ndata: ${JSON.stringify(at(25))}\n\ndata: ${JSON.stringify(at(25))}\n\nda`);
      setTimeout(() => response.write(`ta: ${JSON.stringify(at(50))}\r\n\r\n`), 20);
      setTimeout(() => response.end(`event: end\ndata: ${JSON.stringify(at(100, 'Completed'))}\n\n`), 40);
    });
    server.script(progress(at(0)), following, progress(at(100, 'Completed')), ended());
    expect(await reportedProgress()).toEqual([0, 25, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '']);
    expect(server.seen[1]!.headers).toMatchObject({ accept: 'text/event-stream', 'x-api-key': 'key-1' });
  });

  it('polls and reconnects after an interrupted stream', async () => {
    const cut = stream((response) => {
      response.write(`data: ${JSON.stringify(at(25))}\n\n`);
      setTimeout(() => response.destroy(), 20);
    });
    const end = stream((response) => response.end('event: end\ndata: {}\n\n'));
    server.script(progress(at(0)), cut, progress(at(50)), end, progress(at(100, 'Completed')), ended());
    expect(await reportedProgress()).toEqual([0, 25, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '/events', '/status', '']);
  });

  it.each([404, 405, 406])('polls if the service responds with %s instead of a stream', async (status) => {
    const none: Step = { status, body: { code: 'route_not_found', message: 'No such route.' } };
    server.script(
      progress(at(0)),
      none,
      progress(at(50)),
      progress(at(50)),
      progress(at(100, 'Cancelled')),
      ended('Cancelled'),
    );
    expect(await reportedProgress()).toEqual([0, 50, 100]);
    expect(paths()).toEqual(['/status', '/events', '/status', '/status', '/status', '']);
  });

  it('waits for requests in flight when the job was cancelled', async () => {
    const following = stream((response) => {
      response.write(`data: ${JSON.stringify(at(50, 'Cancelled'))}\n\n`);
      setTimeout(() => response.end(`event: end\ndata: ${JSON.stringify(at(100, 'Cancelled'))}\n\n`), 20);
    });
    const before = [progress(at(25, 'Cancelled')), ended('Cancelled', null)];
    server.script(...before, following, progress(at(100, 'Cancelled')), ended('Cancelled'));
    expect(await reportedProgress()).toEqual([25, 50, 100]);
  });

  it('gives up on streams without events', async () => {
    const cuts = [
      progress(at(0)),
      'cut',
      progress(at(1)),
      'cut',
      progress(at(2)),
      'cut',
      progress(at(3)),
    ] satisfies Step[];
    server.script(...cuts, progress(at(100, 'Failed')), ended('Failed'));
    expect(await reportedProgress()).toEqual([0, 1, 2, 3, 100]);
  });

  it('throws if there is no such job, and aborts with its signal', async () => {
    server.script({ status: 404, body: { code: 'job_not_found', message: 'No such job.' } });
    await expect(client.waitForJob('j-1')).rejects.toMatchObject({ code: 'job_not_found' });
    server.script(progress(at(0, 'Paused')), { status: 404 }, progress(at(0, 'Paused')));
    const stop = AbortSignal.timeout(100);
    await expect(client.waitForJob('j-1', { pollMs: 10, signal: stop })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    server.script(
      progress(at(0)),
      stream((response) => response.write(': still here\n\n')),
    );
    const signal = AbortSignal.timeout(100);
    await expect(client.waitForJob('j-1', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
