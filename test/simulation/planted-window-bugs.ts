import { opensAt } from '../../src/modules/bulk-jobs/domain/send-window';
import { windowOf } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import type { ProcessDatabase } from './process-database';
import { SimulatedJobWindowStore } from './simulated-job-window-store';
import type { PlantedBug, Sabotage } from './world';

const withWindows =
  (Windows: typeof SimulatedJobWindowStore): Sabotage =>
  (_parts, { link, terms }) => ({ jobWindowStore: new Windows(link as ProcessDatabase, terms) });

/** Never marks closed windows. */
class NoMarks extends SimulatedJobWindowStore {
  override markClosed(): Promise<number> {
    return Promise.resolve(0);
  }
}

/** Puts a job to rest while answers are missing. */
class RestsInFlight extends SimulatedJobWindowStore {
  protected override needsNoLane(): boolean {
    return true;
  }
}

/** Wakes a job at rest only at the end of its validity. */
class SleepsThroughOpening extends SimulatedJobWindowStore {
  protected override isDue(job: JobRow): boolean {
    return super.isDue({ ...job, windowOpensAt: null });
  }
}

/** Computes the opening of a window by the process's own clock. */
const marksByItsOwnClock: Sabotage = ({ clock }, { link, terms }) => {
  class OwnClock extends SimulatedJobWindowStore {
    protected override opensAt(job: JobRow): Date {
      return opensAt(windowOf(job)!, clock.now());
    }
  }
  return { jobWindowStore: new OwnClock(link as ProcessDatabase, terms) };
};

/** Marks every closed window, even if it is already marked. */
class MarksEveryRound extends SimulatedJobWindowStore {
  protected override mark(job: JobRow): Partial<JobRow> {
    return { ...super.mark(job), windowOpensAt: new Date(this.now() + 1000) };
  }
}

/** Planted bugs of window marks. */
export const WINDOW_BUGS: readonly PlantedBug[] = [
  {
    bug: 'closed windows are not marked',
    sabotage: withWindows(NoMarks),
    breaks: ['a closed window is marked'],
  },
  {
    bug: 'a closed window is marked in every round',
    sabotage: withWindows(MarksEveryRound),
    breaks: ['a closed window is marked once', 'a mark lasts until the window opens'],
  },
  {
    bug: 'a window is marked by the clock of the process',
    sabotage: marksByItsOwnClock,
    breaks: ['a closed window is marked once', 'a mark lasts until the window opens'],
  },
  {
    bug: 'a job whose window closes rests while its messages are in flight',
    sabotage: withWindows(RestsInFlight),
    breaks: ['jobs at rest need no lane'],
  },
  {
    bug: 'a job at rest is not woken when its window opens',
    sabotage: withWindows(SleepsThroughOpening),
    breaks: ['every job ends once'],
  },
].map((planted) => ({ ...planted, scale: { scheduled: 1 } }));
