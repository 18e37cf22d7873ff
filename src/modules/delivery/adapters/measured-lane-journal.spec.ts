import { Registry } from 'prom-client';
import { LaneJournal } from '../domain/lane-journal';
import { MeasuredLaneJournal } from './measured-lane-journal';

/** Remembers which of its methods were called. */
class Witness extends LaneJournal {
  readonly told: string[] = [];
  taken = () => void this.told.push('taken');
  left = () => void this.told.push('left');
  throttled = () => void this.told.push('throttled');
  held = () => void this.told.push('held');
  stopped = () => void this.told.push('stopped');
  resumed = () => void this.told.push('resumed');
  ended = () => void this.told.push('ended');
  repaired = () => void this.told.push('repaired');
  recorded = () => void this.told.push('recorded');
  notRecorded = () => void this.told.push('notRecorded');
  failed = () => void this.told.push('failed');
}

describe('MeasuredLaneJournal', () => {
  let now: number;
  let registry: Registry;
  let witness: Witness;
  let journal: MeasuredLaneJournal;
  const figures = () => registry.metrics();
  const outage = { reason: 'platform_outage', until: new Date() };

  beforeEach(() => {
    now = 5000;
    registry = new Registry();
    witness = new Witness();
    journal = new MeasuredLaneJournal(witness, { monotonic: () => now }, registry);
  });

  it('shows what must be seen at its first time before it has happened', async () => {
    expect(await figures()).toContain('messaging_jobs_total{event="repaired"} 0');
    expect(await figures()).toContain('messaging_lane_changes_total{event="lost"} 0');
  });

  it('counts what it is told and tells it on', async () => {
    journal.taken('sender', '1');
    journal.held('job', new Date());
    journal.stopped('job', { final: false, problem: 'token_invalid', reason: 'why' });
    journal.stopped('other', { final: true, problem: 'template_disabled', reason: 'why' });
    journal.resumed('job');
    journal.ended('job');
    journal.repaired({} as never, {} as never);
    journal.recorded(40, 25);
    journal.notRecorded(new Error('away'));
    journal.failed(null, new Error('broken'));
    journal.left('sender', true);
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

  it('counts the seconds of a throttle while it lasts, and no more after it', async () => {
    journal.throttled('one', outage);
    now += 3000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 3');
    now += 1000;
    journal.throttled('one', { ...outage, until: new Date(1) });
    now += 1000;
    journal.throttled('one', null);
    now += 60_000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 5');
  });

  it('counts no throttle of a lane that it has left', async () => {
    journal.throttled('one', outage);
    now += 2000;
    journal.left('one', false);
    now += 60_000;
    expect(await figures()).toContain('messaging_lane_throttled_seconds_total{reason="platform_outage"} 2');
  });
});
