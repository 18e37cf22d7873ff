import { Logger } from '@nestjs/common';
import { createLogger } from '../../../infra/logging/logger';
import { NestLogger } from '../../../infra/logging/nest-logger';
import { LogLaneTelemetry } from './log-lane-telemetry';

const JOB = { id: 'job', accountId: 'account' };
const OTHER = { id: 'other', accountId: 'account' };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

describe('The log of lanes', () => {
  let telemetry: LogLaneTelemetry;
  let lines: Record<string, unknown>[];
  const texts = () => lines.map(({ msg }) => msg as string);

  beforeEach(() => {
    lines = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    Logger.overrideLogger(new NestLogger(createLogger('info', { write })));
    telemetry = new LogLaneTelemetry();
  });
  afterEach(() => void Logger.overrideLogger(false));

  it('has one line for each pause, with job, account and reason', () => {
    telemetry.stopped(JOB, { final: false, problem: 'payment_problem', reason: 'No money.' });
    expect(lines).toMatchObject([
      { level: 40, jobId: 'job', accountId: 'account', reason: 'payment_problem', msg: 'Job job paused: No money.' },
    ]);
  });

  it('has one line for each job at the beginning of a wait, however long, and one when the platform is back', () => {
    const outage = (seconds: number) => ({ reason: 'platform_outage' as const, until: inSeconds(seconds) });
    telemetry.throttled('sender', outage(1), [JOB]);
    telemetry.throttled('sender', outage(2), [JOB]);
    telemetry.throttled('sender', outage(60), [JOB, OTHER]);
    telemetry.throttled('sender', null, [JOB, OTHER]);
    telemetry.throttled('sender', null, [JOB]);
    expect(lines).toMatchObject([
      { jobId: 'job', accountId: 'account', senderId: 'sender', reason: 'platform_outage' },
      { jobId: 'other', accountId: 'account', senderId: 'sender', reason: 'platform_outage' },
      { senderId: 'sender', reason: 'platform_outage', msg: 'Sender sender sends again' },
    ]);
    expect(texts()[0]).toMatch(/^Job job waits: The platform fails or does not answer\. Next attempt at \d{4}-/);

    telemetry.throttled('sender', { reason: 'account_rate_limited', until: inSeconds(60) }, []);
    telemetry.throttled('sender', outage(1), [JOB]);
    expect(texts().slice(3)).toEqual([
      expect.stringMatching(/^Sender sender waits: /),
      expect.stringMatching(/^Job job waits: /),
    ]);
  });

  it('has a line for what a job waits for, if that takes more than a minute', () => {
    telemetry.held(JOB, inSeconds(30));
    telemetry.waitsForUnknown(JOB, inSeconds(30));
    expect(lines).toEqual([]);
    const until = inSeconds(900);
    telemetry.held(JOB, until);
    telemetry.waitsForUnknown(JOB, until);
    const fields = { jobId: 'job', accountId: 'account', until: until.toISOString() };
    expect(lines).toMatchObject([
      { ...fields, reason: 'messaging_limit_reached' },
      { ...fields, reason: 'unknown_outcomes' },
    ]);
    expect(texts()[1]).toMatch(/^Job job waits until \d{4}-\S+: Of some messages it is not known/);
  });
});
