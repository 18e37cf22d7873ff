import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { MISSED_SCHEDULE } from '../domain/job-stop';
import type { LaneJob, OutcomeCounts } from '../domain/lane-job-store.port';
import { LaneMetrics } from './lane-metrics';
import { LogLaneTelemetry } from './log-lane-telemetry';

const JOB = { id: 'job', accountId: 'account' };

describe('LogLaneTelemetry', () => {
  let clock: FakeClock;
  let registry: Registry;
  let log: jest.SpyInstance;
  let telemetry: LogLaneTelemetry;
  const figures = () => registry.metrics();
  const outage = { reason: 'platform_outage' as const, until: new Date() };

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    clock = new FakeClock();
    registry = new Registry();
    telemetry = new LogLaneTelemetry(new LaneMetrics(registry, clock));
  });

  afterEach(() => jest.restoreAllMocks());

  it('exposes every counter at 0 before its first event', async () => {
    expect(await figures()).toContain('messaging_jobs_total{event="repaired"} 0');
    expect(await figures()).toContain('messaging_lane_changes_total{event="lost"} 0');
  });

  it('counts events', async () => {
    telemetry.taken('sender', '1');
    telemetry.held(JOB, new Date(), 'messaging_limit_reached');
    telemetry.waitsForUnknown(JOB, new Date());
    telemetry.stopped(JOB, { final: false, problem: 'token_invalid', reason: 'why' });
    telemetry.stopped(JOB, { final: true, problem: 'template_disabled', reason: 'why' });
    telemetry.stopped(JOB, MISSED_SCHEDULE);
    telemetry.resumed(JOB);
    telemetry.ended({} as LaneJob);
    telemetry.repaired({} as LaneJob, {} as OutcomeCounts);
    telemetry.recorded(40, 25);
    telemetry.notRecorded(new Error('away'));
    telemetry.failed(null, new Error('broken'));
    telemetry.left('sender', true);
    const text = await figures();
    for (const line of [
      'messaging_lane_changes_total{event="taken"} 1',
      'messaging_lane_changes_total{event="lost"} 1',
      'messaging_lane_changes_total{event="given_back"} 0',
      'messaging_jobs_total{event="ended"} 1',
      'messaging_jobs_total{event="held"} 1',
      'messaging_jobs_total{event="failed"} 2',
      'messaging_jobs_total{event="schedule_missed"} 1',
      'messaging_jobs_total{event="paused"} 1',
      'messaging_jobs_total{event="resumed"} 1',
      'messaging_jobs_total{event="repaired"} 1',
      'messaging_recorder_batch_answers_sum 40',
      'messaging_recorder_batch_seconds_sum 0.025',
      'messaging_recorder_failures_total 1',
      'messaging_engine_failures_total 1',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('counts the seconds of a throttle while it lasts, and none after it', async () => {
    telemetry.throttled('one', outage, []);
    await clock.advance(3000);
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 3');
    await clock.advance(1000);
    telemetry.throttled('one', { ...outage, until: new Date(1) }, []);
    await clock.advance(1000);
    telemetry.throttled('one', null, []);
    await clock.advance(60_000);
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 5');
  });

  it('counts no throttle of a released lane', async () => {
    telemetry.throttled('one', outage, []);
    await clock.advance(2000);
    telemetry.left('one', false);
    await clock.advance(60_000);
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 2');
  });

  it('logs the counts of a job that ended', () => {
    const counts = { totalRecipients: 5, successfullySent: 3, failed: 2 };
    telemetry.ended({ id: 'j1', accountId: 'a1', ...counts } as LaneJob);
    const fields = { jobId: 'j1', accountId: 'a1', recipients: 5, successfullySent: 3, failed: 2 };
    expect(log.mock.calls).toEqual([[{ ...fields, message: 'Job j1 ended: 3 of 5 sent, 2 failed' }]]);
  });
});
