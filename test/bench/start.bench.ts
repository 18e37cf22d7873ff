import type { Store } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { embeddedStore, postgresStore, startMeasured } from './support/measured-service';

const STARTS = 3;

/** The time that a person waits who starts the service. */
export const startBenchmark: Benchmark = {
  name: 'start',
  question: 'how long until /health/ready: on a new store, and on one that exists',
  async run(place) {
    const { folder, postgresUrl } = place;
    return [
      ...(await starts('embedded', () => embeddedStore(folder), place, { first: 10, later: 2 })),
      ...(postgresUrl
        ? await starts('PostgreSQL', () => postgresStore(folder, postgresUrl), place, { first: 5, later: 1.2 })
        : []),
    ];
  },
};

async function starts(
  name: string,
  newStore: () => Promise<Store>,
  { redisUrl }: BenchmarkPlace,
  longest: { first: number; later: number },
): Promise<Figure[]> {
  const times = { first: [] as number[], later: [] as number[] };
  const processor: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const store = await newStore();
    for (const which of ['first', 'later'] as const) {
      const service = await startMeasured(store, store.databaseUrl && redisUrl ? { REDIS_URL: redisUrl } : {});
      times[which].push(service.startMs / 1000);
      if (which === 'later') processor.push(service.cpuSeconds());
      await service.stop();
    }
    await store.drop();
  }
  return [
    ...(['first', 'later'] as const).map((which): Figure => {
      const limit = { of: 'ours', bound: 'at most', value: longest[which] } as const;
      return { what: `${name}, ${which} start`, unit: 's', ours: times[which], limits: [limit] };
    }),
    { what: `${name}, later start, processor time`, unit: 's', ours: processor },
  ];
}
