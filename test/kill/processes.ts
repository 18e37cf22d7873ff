import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../libs/platform-sandbox/traffic/seeded-random';
import { type Service, type ServiceOptions, startService, type Store } from '../support/process/service';

/** Repeatable randomness: the seed is printed, and KILL_SEED sets it. */
export function newRandom(name: string): SeededRandom {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
  process.stdout.write(`${name}: KILL_SEED=${seed}\n`);
  return new SeededRandom(seed);
}

/** A separate data directory, regardless of DATABASE_URL. */
export async function embeddedStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'mta-kill-'));
  return { dataDir: join(folder, 'data'), drop: () => rm(folder, { recursive: true, force: true }) };
}

/** A service that is killed and restarted. */
export class KillableService {
  private service: Service | null = null;
  /** The log lines of all runs, by run. */
  private readonly logs: string[][] = [];

  constructor(private readonly options: ServiceOptions) {}

  get running(): Service {
    if (!this.service) throw new Error('The service is not running');
    return this.service;
  }

  /** Whether it was started and has not ended since. */
  get alive(): boolean {
    return this.service !== null;
  }

  /** The log lines of all runs. */
  get log(): string[] {
    return this.logs.flat();
  }

  /** Starts it; `dist`: another build than this tree's. */
  async start(dist?: string): Promise<void> {
    const service = await startService({ ...this.options, dist });
    this.logs.push(service.log);
    this.service = service;
  }

  async kill(): Promise<void> {
    const { running } = this;
    this.service = null;
    await running.kill();
  }

  /** Freezes it until `resume`. */
  suspend(): void {
    process.kill(this.running.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.running.pid, 'SIGCONT');
  }

  /** Removes its data from disk. */
  async drop(): Promise<void> {
    await this.options.store?.drop();
  }

  /** Stops it like an operator; returns the exit code, null if it was not running. */
  async stop(): Promise<number | null> {
    const { service } = this;
    this.service = null;
    return service ? service.stop() : null;
  }
}

/** Resolves after this many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
