import type { SeededRandom } from '../../../libs/platform-sandbox/traffic/seeded-random';
import type { SandboxConfigChange } from '../../../libs/platform-sandbox/config';
import type { Platform } from '../../support/process/platform';
import { type Mortal, pause } from '../processes';
import type { Deployment } from './deployment';

/** What may happen, and how often in one deck. Those of the first group kill; `stop` is a SIGTERM, `flush` empties Redis. */
const KILLS = { worker: 8, api: 3, redis: 2, postgres: 3 } as const;
const TROUBLES = { stop: 2, flush: 1, freeze: 2, hang: 1, reset: 1, slowness: 1 } as const;
/** With `ownLinks`: a link of one process is cut, delays all traffic, or drops all traffic and is cut then. */
const LINK_FAULTS = { cutLink: 4, holdLink: 3, muteLink: 3 } as const;
export type Blow = keyof typeof KILLS | keyof typeof TROUBLES | keyof typeof LINK_FAULTS;

/** The platform on a good day: some of everything. */
export const USUAL: SandboxConfigChange = {
  latencyMs: 100,
  latencyJitterMs: 400,
  faults: {
    cutBefore: 0.002,
    cutAfterAccept: 0.002,
    html502AfterAccept: 0.002,
    throttle: 0.005,
    hang: 0,
    hangAfterAccept: 0,
  },
};
const BAD: Record<'hang' | 'reset' | 'slowness', SandboxConfigChange> = {
  hang: { faults: { hang: 0.7, hangAfterAccept: 0.2 } },
  reset: { faults: { cutBefore: 0.5, cutAfterAccept: 0.3 } },
  slowness: { latencyMs: 1200, latencyJitterMs: 800 },
};
const LOST_ANSWERS = ['cutBefore', 'cutAfterAccept', 'html502AfterAccept', 'hang', 'hangAfterAccept'];
/** The share of link faults that affect PostgreSQL; the others affect Redis. */
const POSTGRES_SHARE = 0.7;
export const LONGEST_LINK_FAULT_MS = 8000;
/** What may still be claimed between a blow and the count of what was claimed at it. */
const SLACK = 10;
/** How long a supervisor tries to start a process again. */
const START_MS = 120_000;

/** Strikes at random, and has what it struck come back a while later. */
export class Blows {
  kills = 0;
  /** Attempts that were claimed and not answered when something was struck: only those may become unknown. */
  claimed = 0;
  private readonly struck = new Set<unknown>();
  private readonly recoveries = new Set<Promise<void>>();
  private failure: Error | null = null;

  constructor(
    private readonly deployment: Deployment,
    private readonly platform: Platform,
    private readonly random: SeededRandom,
  ) {}

  /** Every kind as often as it is to happen, in random order. */
  deck(): Blow[] {
    const linkFaults = this.deployment.links.size > 0 ? LINK_FAULTS : {};
    const kinds = Object.entries({ ...KILLS, ...TROUBLES, ...linkFaults }) as [Blow, number][];
    const deck = kinds.flatMap(([kind, times]) =>
      Array.from({ length: times }, () => ({ kind, at: this.random.next() })),
    );
    return deck.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.random.next() * (most - least));
  }

  /** Resolves when it has struck; what was struck comes back by itself. Throws when something could not come back. */
  async strike(blow: Blow): Promise<void> {
    const { apis, workers, postgres, redis } = this.deployment;
    switch (blow) {
      case 'worker':
        return this.kill(await this.oneOf(workers), 4000);
      case 'api':
        return this.kill(await this.oneOf(apis), 2000);
      case 'redis':
        await this.oneOf([redis]);
        this.kills++;
        await redis.kill();
        return this.comeBack(redis, this.between(0, 4000), () => redis.start());
      case 'postgres':
        await this.oneOf([postgres]);
        await this.count();
        this.kills++;
        await postgres.crash();
        return this.comeBack(postgres, this.between(0, 3000), () => postgres.restart());
      case 'stop': {
        const process = await this.oneOf(this.deployment.all);
        await process.stop();
        return this.comeBack(process, this.between(0, 2000), () => started(process));
      }
      case 'flush':
        await this.oneOf([redis]);
        await redis.flush();
        return this.comeBack(redis, 0, () => Promise.resolve());
      case 'freeze': {
        const worker = await this.oneOf(workers);
        worker.suspend();
        this.comeBack(worker, this.between(5000, 7000), () => Promise.resolve(worker.resume()));
        return this.count(worker.running.pid);
      }
      case 'cutLink':
      case 'holdLink':
      case 'muteLink':
        return this.disturb(await this.oneOf(this.deployment.all), blow);
      case 'hang':
      case 'reset':
      case 'slowness':
        await this.oneOf([this.platform]);
        await this.platform.configure(BAD[blow]);
        return this.comeBack(this.platform, this.between(1000, 3000), () => this.platform.configure(USUAL));
    }
  }

  /** Resolves when nothing more comes back. */
  async settled(): Promise<void> {
    while (this.recoveries.size > 0) await Promise.all(this.recoveries);
  }

  /** Resolves when everything that was struck is back; throws when something could not be started again. */
  async recovered(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure;
  }

  /** The most that may be unknown: what was claimed at the blows, and what the platform did not answer. */
  async mostUnknown(): Promise<number> {
    const { faults } = await this.platform.stats();
    return LOST_ANSWERS.reduce((sum, fault) => sum + (faults[fault] ?? 0), this.claimed);
  }

  private async kill(mortal: Mortal, mostAwayMs: number): Promise<void> {
    const { pid } = mortal.running;
    this.kills++;
    await mortal.kill();
    this.comeBack(mortal, this.between(0, mostAwayMs), () => started(mortal));
    await this.count(pid);
  }

  private disturb(mortal: Mortal, blow: keyof typeof LINK_FAULTS): Promise<void> {
    const link = this.deployment.links.get(mortal)![this.random.next() < POSTGRES_SHARE ? 0 : 1];
    const back = { cutLink: () => undefined, holdLink: () => link.release(), muteLink: () => link.cut() }[blow];
    if (blow === 'cutLink') link.cut();
    else if (blow === 'holdLink') link.hold();
    else link.blackhole();
    this.comeBack(mortal, blow === 'cutLink' ? 0 : this.between(1000, LONGEST_LINK_FAULT_MS), () =>
      Promise.resolve(back()),
    );
    return this.count(mortal.running.pid);
  }

  /** While PostgreSQL is away nobody can claim anything: what was claimed before was counted when it went. */
  private async count(pid?: number): Promise<void> {
    this.claimed += (await this.deployment.claimed(pid).catch(() => 0)) + SLACK;
  }

  /** One of them that stands, chosen at random; it counts as struck until it is back. */
  private async oneOf<T extends object>(all: readonly T[]): Promise<T> {
    for (;;) {
      if (this.failure) throw this.failure;
      const standing = all.filter((one) => !this.struck.has(one));
      const one = standing[this.between(0, standing.length)];
      if (one) {
        this.struck.add(one);
        return one;
      }
      await pause(50);
    }
  }

  private comeBack(one: object, afterMs: number, back: () => Promise<void>): void {
    const recovery = pause(afterMs)
      .then(back)
      .catch((error: unknown) => (this.failure ??= error as Error))
      .then(() => {
        this.struck.delete(one);
        this.recoveries.delete(recovery);
      });
    this.recoveries.add(recovery);
  }
}

/** What a supervisor does: restarts a process that ended because the database was unavailable. */
async function started(mortal: Mortal): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      return await mortal.start();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
    }
  }
}
