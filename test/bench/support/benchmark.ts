import type { Figure } from './figures';

/** Where a benchmark may leave files, and the PostgreSQL that it may make databases on. */
export interface BenchmarkPlace {
  /** Emptied and removed after the run. */
  folder: string;
  /** Absent: only the embedded database is measured. */
  postgresUrl: string | undefined;
  /** Absent: what needs several processes is left out. */
  redisUrl: string | undefined;
}

/** One question about speed or memory, answered with figures. */
export interface Benchmark {
  name: string;
  question: string;
  run(place: BenchmarkPlace): Promise<Figure[]>;
}
