import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../libs/platform-sandbox/traffic/seeded-random';
import { type Service, type ServiceOptions, startService, type Store } from '../support/process/service';

/** Chance that can be repeated: the seed is printed, and KILL_SEED sets it. */
export function newRandom(name: string): SeededRandom {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
  process.stdout.write(`${name}: KILL_SEED=${seed}\n`);
  return new SeededRandom(seed);
}

/** A data directory of its own, whatever DATABASE_URL says. */
export async function embeddedStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'mta-kill-'));
  return { dataDir: join(folder, 'data'), drop: () => rm(folder, { recursive: true, force: true }) };
}

/** A service that is killed and started again. */
export class Mortal {
  private service: Service | null = null;
  /** What each of its lives wrote. */
  private readonly logs: string[][] = [];

  constructor(private readonly options: ServiceOptions) {}

  get running(): Service {
    if (!this.service) throw new Error('The service is not running');
    return this.service;
  }

  /** It was started, and not ended since. */
  get alive(): boolean {
    return this.service !== null;
  }

  /** Everything that it wrote in all its lives. */
  get log(): string[] {
    return this.logs.flat();
  }

  async start(): Promise<void> {
    const service = await startService(this.options);
    this.logs.push(service.log);
    this.service = service;
  }

  async kill(): Promise<void> {
    const { running } = this;
    this.service = null;
    await running.kill();
  }

  /** It stands still until `resume`, which goes on as if nothing had happened. */
  suspend(): void {
    process.kill(this.running.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.running.pid, 'SIGCONT');
  }

  /** Removes what it kept on disk. */
  async drop(): Promise<void> {
    await this.options.store?.drop();
  }

  /** Ends it as an operator would; the exit code, null where it was not running. */
  async stop(): Promise<number | null> {
    const { service } = this;
    this.service = null;
    return service ? service.stop() : null;
  }
}

/** Resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
