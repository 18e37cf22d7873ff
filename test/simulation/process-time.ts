import { DatabaseClock } from '../../src/infra/database/database-clock';
import type { ProcessClock } from './life';

/** The database's time as one process reads it, whose own clock may be wrong. */
export class ProcessTime {
  readonly clock: DatabaseClock;
  /** Whether it has read the database's time, as a service does before it serves. */
  isRead = false;

  constructor(readTime: () => Promise<number>, machine: ProcessClock) {
    const rows = async (): Promise<never[]> => {
      const ms = await readTime();
      this.isRead = true;
      return [{ ms }] as never[];
    };
    this.clock = new DatabaseClock({ rows }, machine);
  }

  start(): void {
    this.clock.onModuleInit();
  }

  stop(): Promise<void> {
    return this.clock.onModuleDestroy();
  }
}
