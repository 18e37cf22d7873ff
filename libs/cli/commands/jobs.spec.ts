import { Readable } from 'node:stream';
import { ForbiddenError } from '../../client/errors';
import { leavingText } from '../exit-codes';
import { Output } from '../output';
import { ProgressBar } from '../progress-bar';
import type { Session } from '../session';
import { list, report, retry, show, watch } from './jobs';

/** What a command writes about `jobs`. */
async function written(
  run: (session: Session) => Promise<unknown>,
  jobs: object[] = [],
  { json = false, failures = [] as object[] } = {},
): Promise<string> {
  let text = '';
  for (const stream of ['stdout', 'stderr'] as const) {
    jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((text += String(piece))));
  }
  const client = { job: () => Promise.resolve(jobs[0]), call: () => Promise.resolve({ items: failures }) };
  const waitForJob = (_: string, { onProgress }: { onProgress: (progress: unknown) => void }) => {
    // Events do not have this figure.
    onProgress({ ...jobs[0], invalidRows: undefined });
    return Promise.resolve(jobs[0]);
  };
  const all = { ...client, jobs: () => Readable.from(jobs), waitForJob };
  await run({
    client: () => Promise.resolve(all),
    out: new Output({ json }),
    signal: new AbortController().signal,
  } as unknown as Session);
  return text;
}

afterEach(() => jest.restoreAllMocks());

describe('People who opted out', () => {
  const job = { jobId: 'j-1', status: 'Completed', totalRecipients: 10, successfullySent: 6, failed: 4, skipped: 3 };
  const times = { undelivered: 0, delivered: 6, read: 2, pending: 0, createdAt: '2026-11-01T09:00:00.000Z' };
  const failure = { message: 'No.', undelivered: 0, retryable: false, firstRows: [2] };
  const failures = [
    { ...failure, errorCode: 'opted_out', failed: 2 },
    { ...failure, errorCode: 'recipient_erased', failed: 1 },
    { ...failure, errorCode: 'recipient_unreachable', failed: 1 },
  ];

  it('are not among the failures of a job', async () => {
    const text = await written((session) => show(session, 'j-1'), [{ ...job, ...times }], { failures });
    expect(text).toMatch(/^failed +1$/m);
    expect(text).toMatch(/^opted out +3$/m);
    expect(text).toContain('recipient_unreachable');
    expect(text).not.toMatch(/opted_out|recipient_erased/);
  });

  it('are in the JSON of a job as the API counts them', async () => {
    const text = await written((session) => show(session, 'j-1'), [{ ...job, ...times }], { json: true, failures });
    expect(JSON.parse(text)).toMatchObject({ failed: 4, skipped: 3, failures });
  });

  it('have their own column in the list of jobs, with 0 for a job without any', async () => {
    const without = { ...job, skipped: undefined };
    const text = await written((session) => list(session, { limit: 5 }), [job, without]);
    const [heads, ...rows] = text.split('\n').map((line) => line.split('\t'));
    const cells = rows.slice(0, 2).map((row) => ['failed', 'opted out'].map((head) => row[heads!.indexOf(head)]));
    expect(cells).toEqual([
      ['1', '3'],
      ['4', '0'],
    ]);
  });

  it('are named beside the failures while a job runs, as its events count both', async () => {
    const text = await written(async ({ out }) => {
      const bar = await ProgressBar.start(out);
      bar.show({ ...job, progressPercentage: 100, throttled: null, invalidRows: 0 } as never);
    });
    expect(text).toBe('Completed: 100 % (6 sent, 4 failed or opted out of 10)\n');
  });
});

describe('Invalid rows', () => {
  const queued = { jobId: 'j-1', status: 'Queued', totalRecipients: 7, successfullySent: 0, failed: 1, pending: 6 };
  const job = { ...queued, invalidRows: 1, progressPercentage: 14.2, undelivered: 0, delivered: 0 };

  /** The cells of these columns in the list of jobs. */
  async function cells(columns: string[], row: object): Promise<(string | undefined)[]> {
    const text = await written((session) => list(session, { limit: 5 }), [row]);
    const [heads, first] = text.split('\n').map((line) => line.split('\t'));
    return columns.map((head) => first![heads!.indexOf(head)]);
  }

  it('are neither progress nor failures while a job is followed', async () => {
    const text = await written((session) => watch(session, 'j-1'), [job]);
    expect(text).toMatch(/^Queued: 0 % \(0 sent, 0 failed or opted out of 6; 1 invalid\)$/m);
  });

  it('are counted apart in a job', async () => {
    const text = await written((session) => show(session, 'j-1'), [job]);
    expect(text).toMatch(/^failed +0$/m);
    expect(text).toMatch(/^invalid +1$/m);
  });

  it('are counted apart in the list of jobs, with progress as in the console', async () => {
    const columns = ['done', 'failed', 'opted out', 'invalid'];
    expect(await cells(columns, job)).toEqual(['0 %', '0', '0', '1']);
    expect(await cells(columns, { ...job, successfullySent: 1, failed: 4, skipped: 1 })).toEqual([
      ...['66.7 %', '2', '1', '1'],
    ]);
    const almost = { ...job, totalRecipients: 10_001, successfullySent: 9_999 };
    expect(await cells(columns, almost)).toEqual(['99.9 %', '0', '0', '1']);
  });
});

describe('A job that was cut short', () => {
  const counts = { totalRecipients: 40, successfullySent: 20, failed: 17, pending: 3, skipped: 2, invalidRows: 1 };
  const times = { undelivered: 0, delivered: 20, read: 0, createdAt: '2026-11-01T09:00:00.000Z' };
  const job = { jobId: 'j-1', status: 'Cancelled', ...counts, ...times, unknown: 4, progressPercentage: 92.5 };
  const failure = { message: 'No.', undelivered: 0, retryable: true, firstRows: [2] };
  const failures = [
    { ...failure, errorCode: 'cancelled', failed: 8 },
    { ...failure, errorCode: 'recipient_unreachable', failed: 3 },
    { ...failure, errorCode: 'opted_out', failed: 2 },
    { ...failure, errorCode: 'outcome_unknown', failed: 3 },
    { ...failure, errorCode: 'phone_invalid', failed: 1 },
  ];

  it('counts each recipient once, as the console does', async () => {
    const text = await written((session) => show(session, 'j-1'), [job], { failures });
    const figures = ['sent', 'failed', 'opted out', 'unconfirmed', 'not sent', 'invalid', 'pending'].map((name) =>
      Number(new RegExp(`^${name} +(\\d+)$`, 'm').exec(text)?.[1]),
    );
    expect(figures).toEqual([20, 3, 2, 3, 8, 1, 3]);
    expect(figures.reduce((sum, figure) => sum + figure)).toBe(40);
    expect(text).toMatch(/^  not confirmed yet +1$/m);
    expect(text).not.toMatch(/cancelled\t/);
  });

  it('lists unconfirmed recipients among the reasons, with the scope of their retry, and not as unsent', async () => {
    const text = await written((session) => show(session, 'j-1'), [job], { failures });
    expect(text).toMatch(/^code\tunsent\tundelivered\tunconfirmed\tretry\tfirst rows$/m);
    expect(text).toMatch(/^recipient_unreachable\t3\t0\t0\tyes\t2$/m);
    expect(text).toMatch(/^outcome_unknown\t0\t0\t3\t--scope unknown\t2$/m);
  });

  it('has the same figures in the list, in which what was not sent is not done', async () => {
    const text = await written((session) => list(session, { limit: 5 }), [job], { failures });
    const [heads, cells] = text.split('\n').map((line) => line.split('\t'));
    const columns = ['done', 'sent', 'failed', 'opted out', 'unconfirmed', 'not sent', 'invalid'];
    expect(columns.map((head) => cells![heads!.indexOf(head)])).toEqual(['71.8 %', '20', '3', '2', '3', '8', '1']);
  });

  it('does not continue when it is left', () => {
    expect(leavingText('j-1', true)).toBe(
      'Interrupted. Job j-1 sends nothing more; `messaging jobs show j-1` shows outcomes that are still to come.',
    );
    expect(leavingText('j-1', false)).toContain('continues at the service: `messaging jobs watch j-1`');
  });

  it('is not called failed at the end of its progress', async () => {
    const text = await written(async ({ out }) =>
      (await ProgressBar.start(out)).show({ ...job, throttled: null } as never),
    );
    expect(text).toBe('Cancelled: 92.3 % (20 sent, 16 failed, opted out or not sent of 39; 1 invalid)\n');
  });
});

describe('A retry', () => {
  const check = { recipients: 2, byErrorCode: [], unreachable: [], warnings: [] };
  const items = [{ errorCode: 'outcome_unknown', failed: 3, retryable: true }];
  const hint = '  3 × outcome_unknown: left out because they may have been sent; --scope unknown includes them\n';

  async function shown(flags: object, call: () => Promise<unknown>): Promise<string> {
    return written((session) => {
      const client = { checkRetry: () => Promise.resolve(check), call };
      const asking = { ...session, client: () => Promise.resolve(client), confirmed: () => Promise.resolve(false) };
      return retry(asking as unknown as Session, 'j-1', { scope: 'failed', wait: false, ...flags });
    });
  }

  it.each([
    ['by default', {}, true],
    ['before it asks', { dryRun: false }, true],
    ['with their code', { codes: ['outcome_unknown'] }, true],
    ['not with other codes', { codes: ['expired'] }, false],
    ['not in their scope', { scope: 'unknown' }, false],
    ['not with all', { scope: 'all' }, false],
  ])('names unconfirmed recipients that it leaves out: %s', async (_, flags, isNamed) => {
    const text = await shown({ dryRun: true, ...flags }, () => Promise.resolve({ items }));
    expect(text).toBe(`A retry would reach 2 recipients.\n${isNamed ? hint : ''}`);
  });

  it('needs no right to read jobs', async () => {
    const text = await shown({}, () => Promise.reject(new ForbiddenError('missing_scope', 'No.', {})));
    expect(text).toBe('A retry would reach 2 recipients.\n');
  });
});

describe('A scheduled job', () => {
  const job = { jobId: 'j-1', status: 'Scheduled', totalRecipients: 6, successfullySent: 0, failed: 0, pending: 6 };
  const window = { from: '09:00', until: '18:00', days: [1, 2, 3, 4, 5], timeZone: 'Europe/Berlin' };
  const times = { startsAt: '2999-12-02T08:00:00.000Z', estimatedCompletionAt: '2999-12-02T08:30:00.000Z' };
  const scheduled = { ...job, ...times, sendWindow: window };

  it('shows its start, its window and its end in one zone', async () => {
    const text = await written((session) => show(session, 'j-1'), [scheduled]);
    expect(text).toMatch(/^starts +Mon 2 Dec 2999 09:00 Europe\/Berlin$/m);
    expect(text).toMatch(/^send window +mon-fri 09:00-18:00 Europe\/Berlin$/m);
    expect(text).toMatch(/^expected end +Mon 2 Dec 2999 09:30 Europe\/Berlin$/m);
  });

  it('shows until when it waits in the zone of its window, also while it is followed', async () => {
    const throttled = { reason: 'send_window', until: times.startsAt };
    const waiting = [{ ...scheduled, status: 'Queued', throttled, invalidRows: 0 }];
    const until = 'waits until Mon 2 Dec 2999 09:00 Europe/Berlin: outside its send window';
    expect(await written((session) => show(session, 'j-1'), waiting)).toContain(`Queued: ${until}`);
    expect(await written((session) => watch(session, 'j-1'), waiting)).toContain(`The job ${until}`);
  });

  it('says when it starts while it is followed', async () => {
    const text = await written((session) => watch(session, 'j-1'), [scheduled]);
    expect(text).toMatch(/^The job starts Mon 2 Dec 2999 09:00 Europe\/Berlin\.$/m);
  });

  it('shows neither without them', async () => {
    const text = await written((session) => show(session, 'j-1'), [{ ...job, sendWindow: null }]);
    expect(text).not.toMatch(/^(starts|send window|expected end)/m);
  });
});

describe('Delivery reports at the end of a job', () => {
  const ended = { jobId: 'j-1', status: 'Completed', totalRecipients: 6, successfullySent: 6, failed: 0, pending: 0 };

  it.each([
    ['outstanding', { delivered: 1, undelivered: 1 }, '4'],
    ['outstanding, one', { delivered: 5, undelivered: 0 }, '1'],
    ['complete', { delivered: 5, undelivered: 1 }, undefined],
  ])('are %s', async (_, reported, count) => {
    const text = await written((session) => watch(session, 'j-1'), [{ ...ended, ...reported }]);
    expect(/^  reports outstanding +(\d+)$/m.exec(text)?.[1]).toBe(count);
    const note = /^(\d+) reports? outstanding: `messaging jobs show j-1` shows what has arrived\.$/m;
    expect(note.exec(text)?.[1]).toBe(count);
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
    const out = new Output({ json: false });
    await expect(report({ client, out } as unknown as Session, 'j-1', { format })).rejects.toThrow('--output');
    expect(client).not.toHaveBeenCalled();
  });
});
