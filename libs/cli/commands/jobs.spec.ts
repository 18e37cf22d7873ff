import { Readable } from 'node:stream';
import { Output } from '../output';
import { ProgressBar } from '../progress-bar';
import type { Session } from '../session';
import { list, report, show } from './jobs';

describe('People who opted out', () => {
  const job = { jobId: 'j-1', status: 'Completed', totalRecipients: 10, successfullySent: 6, failed: 4, skipped: 3 };
  const times = { undelivered: 0, delivered: 6, read: 2, pending: 0, createdAt: '2026-11-01T09:00:00.000Z' };
  const failure = { message: 'No.', undelivered: 0, retryable: false, firstRows: [2] };
  const failures = [
    { ...failure, errorCode: 'opted_out', failed: 2 },
    { ...failure, errorCode: 'recipient_erased', failed: 1 },
    { ...failure, errorCode: 'recipient_unreachable', failed: 1 },
  ];

  afterEach(() => jest.restoreAllMocks());

  /** What a command writes about `jobs`. */
  async function written(run: (session: Session) => Promise<unknown>, jobs: object[] = [], json = false) {
    let text = '';
    for (const stream of ['stdout', 'stderr'] as const) {
      jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((text += String(piece))));
    }
    const client = { job: () => Promise.resolve(jobs[0]), call: () => Promise.resolve({ items: failures }) };
    const all = { ...client, jobs: () => Readable.from(jobs) };
    await run({ client: () => Promise.resolve(all), out: new Output({ json }) } as unknown as Session);
    return text;
  }

  it('are not among the failures of a job', async () => {
    const text = await written((session) => show(session, 'j-1'), [{ ...job, ...times }]);
    expect(text).toMatch(/^failed +1$/m);
    expect(text).toMatch(/^opted out +3$/m);
    expect(text).toContain('recipient_unreachable');
    expect(text).not.toMatch(/opted_out|recipient_erased/);
  });

  it('are in the JSON of a job as the API counts them', async () => {
    const text = await written((session) => show(session, 'j-1'), [{ ...job, ...times }], true);
    expect(JSON.parse(text)).toMatchObject({ failed: 4, skipped: 3, failures });
  });

  it('have their own column in the list of jobs, empty for a job without any', async () => {
    const without = { ...job, skipped: undefined };
    const text = await written((session) => list(session, { limit: 5 }), [job, without]);
    const [heads, ...rows] = text.split('\n').map((line) => line.split('\t'));
    const cells = rows.slice(0, 2).map((row) => ['failed', 'opted out'].map((head) => row[heads!.indexOf(head)]));
    expect(cells).toEqual([
      ['1', '3'],
      ['4', ''],
    ]);
  });

  it('are named beside the failures while a job runs, as its events count both', async () => {
    const text = await written(async ({ out }) => {
      const bar = await ProgressBar.start(out);
      bar.show({ ...job, progressPercentage: 100, throttled: null } as never);
    });
    expect(text).toBe('Completed: 100 % (6 sent, 4 failed or opted out of 10)\n');
  });
});

describe('A report without a file to write to', () => {
  const { isTTY } = process.stdout;

  afterEach(() => {
    Object.assign(process.stdout, { isTTY });
  });

  it.each(['csv', 'xlsx'] as const)('is not poured into a terminal: %s', async (format) => {
    Object.assign(process.stdout, { isTTY: true });
    const client = jest.fn();
    await expect(report({ client } as unknown as Session, 'j-1', { format })).rejects.toThrow('--output');
    expect(client).not.toHaveBeenCalled();
  });
});
