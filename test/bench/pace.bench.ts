import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure, Limit } from './support/figures';
import { heldRate } from './support/ledger';
import { inProduction, jobRate } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const HARDLY_REFUSED: Limit = { of: 'ours', bound: 'at most', value: 0.2 };

interface Course {
  pace: number;
  /** The limits that the rate must keep. */
  seconds: number;
  rate: Limit[];
  peak: Limit[];
}

const COURSES: Course[] = [
  {
    pace: 80,
    seconds: 20,
    rate: [
      { of: 'ours', bound: 'at least', value: 79 },
      { of: 'ours', bound: 'at most', value: 80 },
    ],
    peak: [{ of: 'ours', bound: 'at most', value: 88 }],
  },
  { pace: 1000, seconds: 10, rate: [{ of: 'ours', bound: 'at least', value: 985 }], peak: [] },
];

/** Whether a job keeps its sender's pace, on a platform that accepts everything and on one that counts strictly. */
export const paceBenchmark: Benchmark = {
  name: 'pace',
  question: 'a job at the pace of its sender; strict: the platform refuses what is above it in any sliding second',
  async run(place) {
    const figures: Figure[] = [];
    for (const { pace, seconds, rate, peak } of COURSES) {
      const free = await runCourse(place, pace, seconds, 0);
      const strict = free && (await runCourse(place, pace, seconds, pace));
      if (!strict) continue;
      figures.push(
        { what: `accepted at ${pace}/s over ${seconds} s`, unit: 'messages/s', ours: [free.held], limits: rate },
        { what: 'most arrivals in a second', unit: 'messages', ours: [free.most], limits: peak },
        { what: 'strict: accepted', unit: 'messages/s', ours: [strict.held], limits: rate },
        { what: 'strict: refused as too fast', unit: '%', ours: [strict.refused], limits: [HARDLY_REFUSED] },
      );
    }
    return figures;
  },
};

/** One job; `limit` is what the platform accepts per second, 0: everything. */
function runCourse(place: BenchmarkPlace, pace: number, seconds: number, limit: number) {
  const settings = { platform: { messagesPerSecond: limit, statuses: false, latencyMs: 50 }, pace };
  return inProduction(place, settings, async (production, sandbox) => {
    const worker = await production.worker();
    try {
      const messages = pace * (seconds + 2);
      const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', messages), messages);
      await jobRate(production.api, jobId, messages);
    } finally {
      await worker.stop();
    }
    const stats = (await (await fetch(`${sandbox.url}/sandbox/stats`)).json()) as Stats;
    const { arrivals, refused, maxArrivalsPerSecond } = stats;
    return {
      held: await heldRate(sandbox.url, 1, seconds),
      most: maxArrivalsPerSecond,
      refused: (100 * (refused['130429'] ?? 0)) / arrivals,
    };
  });
}

interface Stats {
  arrivals: number;
  refused: Record<string, number>;
  maxArrivalsPerSecond: number;
}
