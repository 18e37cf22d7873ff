import type { Benchmark } from './support/benchmark';
import { embeddedStore, startMeasured } from './support/measured-service';

const STARTS = 3;

/** How long somebody waits who starts the service with the embedded database. */
export const startBenchmark: Benchmark = {
  name: 'start',
  question: 'how long until /health/ready, embedded database',
  async run({ folder }) {
    const first: number[] = [];
    const again: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      const store = await embeddedStore(folder);
      for (const times of [first, again]) {
        const service = await startMeasured(store);
        times.push(service.startMs / 1000);
        await service.stop();
      }
      await store.drop();
    }
    return [
      { what: 'first start', unit: 's', ours: first, limits: [{ of: 'ours', bound: 'at most', value: 10 }] },
      { what: 'later start', unit: 's', ours: again, limits: [{ of: 'ours', bound: 'at most', value: 3 }] },
    ];
  },
};
