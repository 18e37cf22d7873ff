import type { Benchmark } from './support/benchmark';
import { inProduction, jobRate } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const SMALL = 10_000;
const LARGE = 100_000;

/** Whether the memory of a worker depends on the size of its job. */
export const memoryBenchmark: Benchmark = {
  name: 'memory',
  question: `the most memory of a fresh worker for a job of ${LARGE} and one of ${SMALL}, platform at 50 ms`,
  async run(place) {
    const settings = { platform: { messagesPerSecond: 0, statuses: false, latencyMs: 50 }, pace: 100_000 };
    const peaks = await inProduction(place, settings, async (production) => {
      const peakOf = async (recipients: number): Promise<number> => {
        const worker = await production.worker();
        try {
          const list = writeRecipientList(place.folder, 'csv', recipients);
          const { jobId } = await upload(production.api, list, recipients);
          await jobRate(production.api, jobId, recipients);
          return worker.peakMegabytes();
        } finally {
          await worker.stop();
        }
      };
      return { small: await peakOf(SMALL), large: await peakOf(LARGE) };
    });
    if (!peaks) return [];
    const { small, large } = peaks;
    return [
      {
        what: `peak with ${LARGE} recipients`,
        unit: 'MB',
        ours: [large],
        limits: [{ of: 'ours', bound: 'at most', value: 180 }],
      },
      {
        what: `more than with ${SMALL}`,
        unit: 'MB',
        ours: [large - small],
        limits: [{ of: 'ours', bound: 'at most', value: 40 }],
      },
    ];
  },
};
