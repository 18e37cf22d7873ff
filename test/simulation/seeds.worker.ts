import 'reflect-metadata';
import { runHistory } from './history';
import { PLANTED_BUGS } from './planted-bugs';
import { optionsOf } from './planted-history';
import type { SeedRange, SeedsReport } from './seeds';

/** Runs the histories that the parent process requests. */
async function run({ from, count, bug, maxBroken: mostBroken }: SeedRange): Promise<SeedsReport> {
  const report: SeedsReport = { histories: 0, events: 0, accepted: 0, unknown: 0, broken: [] };
  const planted = PLANTED_BUGS.find((one) => one.bug === bug);
  for (let seed = from; seed < from + count && report.broken.length < mostBroken; seed++) {
    const { broken, events, accepted, unknown } = await runHistory(seed, optionsOf(planted));
    report.histories++;
    report.events += events;
    report.accepted += accepted;
    report.unknown += unknown;
    if (broken) report.broken.push({ seed, promise: broken.promise, seen: broken.seen.slice(0, 500) });
  }
  return report;
}

process.on('message', (range: SeedRange) => void run(range).then((report) => process.send!(report)));
