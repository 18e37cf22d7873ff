import { opensAt } from '../../src/modules/bulk-jobs/domain/send-window';
import { windowOf } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import type { ProcessDatabase } from './process-database';
import { SimulatedJobWindowStore } from './simulated-job-window-store';
import type { PlantedBug, Sabotage } from './world';

const withWindows =
  (Windows: typeof SimulatedJobWindowStore): Sabotage =>
  (_parts, { link, terms }) => ({ jobWindowStore: new Windows(link as ProcessDatabase, terms) });

/** Nothing marks a closed window. */
class NothingMarked extends SimulatedJobWindowStore {
  override markClosed(): Promise<number> {
    return Promise.resolve(0);
  }
}

/** A job rests although answers are missing. */
class RestsInFlight extends SimulatedJobWindowStore {
  protected override needsNoLane(): boolean {
    return true;
  }
}

/** A job at rest waits for the end of its validity alone. */
class SleepsOn extends SimulatedJobWindowStore {
  protected override isDue(job: JobRow): boolean {
    return super.isDue({ ...job, windowOpensAt: null });
  }
}

/** A process computes by its own clock when a window opens. */
const marksByItsOwnClock: Sabotage = ({ clock }, { link, terms }) => {
  class OwnClock extends SimulatedJobWindowStore {
    protected override opensAt(job: JobRow): Date {
      return opensAt(windowOf(job)!, clock.now());
    }
  }
  return { jobWindowStore: new OwnClock(link as ProcessDatabase, terms) };
};

/** Every process marks what it finds closed, whatever mark is there. */
class MarksAgain extends SimulatedJobWindowStore {
  protected override mark(job: JobRow): Partial<JobRow> {
    return { ...super.mark(job), windowOpensAt: new Date(this.now() + 1000) };
  }
}

/** Bugs of the marks of closed windows. */
export const WINDOW_BUGS: readonly PlantedBug[] = [
  {
    bug: 'closed windows are not marked',
    sabotage: withWindows(NothingMarked),
    breaks: ['a closed window is marked'],
  },
  {
    bug: 'a closed window is marked in every round',
    sabotage: withWindows(MarksAgain),
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
    breaks: ['what rests needs no lane'],
  },
  {
    bug: 'a job at rest is not woken when its window opens',
    sabotage: withWindows(SleepsOn),
    breaks: ['every job ends once'],
  },
].map((planted) => ({ ...planted, scale: { timed: 1 } }));
