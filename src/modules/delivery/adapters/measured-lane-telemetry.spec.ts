import { Registry } from 'prom-client';
import { LaneTelemetry } from '../domain/lane-telemetry';
import { MeasuredLaneTelemetry } from './measured-lane-telemetry';

const JOB = { id: 'job', accountId: 'account' };

/** Records which of its methods were called. */
class Witness extends LaneTelemetry {
  readonly told: string[] = [];
  taken = () => void this.told.push('taken');
  left = () => void this.told.push('left');
  throttled = () => void this.told.push('throttled');
  held = () => void this.told.push('held');
  closed = () => void this.told.push('closed');
  due = () => void this.told.push('due');
  waitsForUnknown = () => void this.told.push('waitsForUnknown');
  stopped = () => void this.told.push('stopped');
  resumed = () => void this.told.push('resumed');
  ended = () => void this.told.push('ended');
  repaired = () => void this.told.push('repaired');
  recorded = () => void this.told.push('recorded');
  notRecorded = () => void this.told.push('notRecorded');
  lostTransactions = () => void this.told.push('lostTransactions');
  failed = () => void this.told.push('failed');
}

describe('MeasuredLaneTelemetry', () => {
  let now: number;
  let registry: Registry;
  let witness: Witness;
  let telemetry: MeasuredLaneTelemetry;
  const figures = () => registry.metrics();
  const outage = { reason: 'platform_outage' as const, until: new Date() };

  beforeEach(() => {
    now = 5000;
    registry = new Registry();
    witness = new Witness();
    telemetry = new MeasuredLaneTelemetry(witness, { monotonic: () => now }, registry);
  });

  it('exposes every counter at 0 before its first event', async () => {
    expect(await figures()).toContain('messaging_jobs_total{event="repaired"} 0');
    expect(await figures()).toContain('messaging_lane_changes_total{event="lost"} 0');
  });

  it('counts events and forwards them', async () => {
    telemetry.taken('sender', '1');
    telemetry.held(JOB, new Date(), 'messaging_limit_reached');
    telemetry.waitsForUnknown(JOB, new Date());
    telemetry.stopped(JOB, { final: false, problem: 'token_invalid', reason: 'why' });
    telemetry.stopped(JOB, { final: true, problem: 'template_disabled', reason: 'why' });
    telemetry.resumed(JOB);
    telemetry.ended({} as never);
    telemetry.repaired({} as never, {} as never);
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
      'messaging_jobs_total{event="failed"} 1',
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
    expect(witness.told).toEqual([
      'taken',
      'held',
      'waitsForUnknown',
      'stopped',
      'stopped',
      'resumed',
      'ended',
      'repaired',
      'recorded',
      'notRecorded',
      'failed',
      'left',
    ]);
  });

  it('counts the seconds of a throttle while it lasts, and none after it', async () => {
    telemetry.throttled('one', outage, []);
    now += 3000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 3');
    now += 1000;
    telemetry.throttled('one', { ...outage, until: new Date(1) }, []);
    now += 1000;
    telemetry.throttled('one', null, []);
    now += 60_000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 5');
  });

  it('counts no throttle of a released lane', async () => {
    telemetry.throttled('one', outage, []);
    now += 2000;
    telemetry.left('one', false);
    now += 60_000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 2');
  });
});
