import type { Figure } from './figures';

/** Where a benchmark may write files, and the PostgreSQL on which it may create databases. */
export interface BenchmarkPlace {
  /** Emptied and removed after the run. */
  folder: string;
  /** Absent: only the embedded database is measured. */
  postgresUrl: string | undefined;
  /** Absent: benchmarks with several processes are skipped. */
  redisUrl: string | undefined;
}

/** One question about speed or memory, answered with figures. */
export interface Benchmark {
  name: string;
  question: string;
  run(place: BenchmarkPlace): Promise<Figure[]>;
}
