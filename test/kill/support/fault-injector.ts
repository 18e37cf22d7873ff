import type { SeededRandom } from '../../../libs/platform-sandbox/traffic/seeded-random';
import type { SandboxConfigChange } from '../../../libs/platform-sandbox/config';
import type { Platform } from '../../support/process/platform';
import { type KillableService, pause } from '../processes';
import type { Deployment } from './deployment';

/** Faults, with their number per deck. The first group kills; `stop` is a SIGTERM, `flush` empties Redis. */
const KILLS = { worker: 8, api: 3, redis: 2, postgres: 3 } as const;
const DISTURBANCES = { stop: 2, flush: 1, freeze: 2, hang: 1, reset: 1, slowness: 1 } as const;
/** With `ownLinks`: the link of a process is cut, delayed, or muted and later cut. */
const LINK_FAULTS = { cutLink: 4, holdLink: 3, muteLink: 3 } as const;
export type Fault = keyof typeof KILLS | keyof typeof DISTURBANCES | keyof typeof LINK_FAULTS;

/** The platform's usual behaviour: some of every fault. */
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
const DEGRADED: Record<'hang' | 'reset' | 'slowness', SandboxConfigChange> = {
  hang: { faults: { hang: 0.7, hangAfterAccept: 0.2 } },
  reset: { faults: { cutBefore: 0.5, cutAfterAccept: 0.3 } },
  slowness: { latencyMs: 1200, latencyJitterMs: 800 },
};
const LOST_ANSWERS = ['cutBefore', 'cutAfterAccept', 'html502AfterAccept', 'hang', 'hangAfterAccept'];
/** The share of link faults that affect PostgreSQL; the others affect Redis. */
const POSTGRES_SHARE = 0.7;
export const LONGEST_LINK_FAULT_MS = 8000;
/** Attempts that may be claimed between a fault and its count. */
const SLACK = 10;
/** How long a supervisor tries to restart a process. */
const START_MS = 120_000;

/** Injects random faults, and recovers from each after a while. */
export class FaultInjector {
  kills = 0;
  /** Claimed, unanswered attempts at the faults: only those may become unknown. */
  claimed = 0;
  private readonly affected = new Set<unknown>();
  private readonly recoveries = new Set<Promise<void>>();
  private failure: Error | null = null;

  constructor(
    private readonly deployment: Deployment,
    private readonly platform: Platform,
    private readonly random: SeededRandom,
  ) {}

  /** Every kind of fault as often as planned, in random order. */
  deck(): Fault[] {
    const linkFaults = this.deployment.links.size > 0 ? LINK_FAULTS : {};
    const kinds = Object.entries({ ...KILLS, ...DISTURBANCES, ...linkFaults }) as [Fault, number][];
    const deck = kinds.flatMap(([kind, times]) =>
      Array.from({ length: times }, () => ({ kind, at: this.random.next() })),
    );
    return deck.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
  }

  between(min: number, max: number): number {
    return min + Math.floor(this.random.next() * (max - min));
  }

  /** Resolves once the fault is injected; recovery follows automatically. Throws if an earlier recovery failed. */
  async inject(fault: Fault): Promise<void> {
    const { apis, workers, postgres, redis } = this.deployment;
    switch (fault) {
      case 'worker':
        return this.kill(await this.oneOf(workers), 4000);
      case 'api':
        return this.kill(await this.oneOf(apis), 2000);
      case 'redis':
        await this.oneOf([redis]);
        this.kills++;
        await redis.kill();
        return this.recoverAfter(redis, this.between(0, 4000), () => redis.start());
      case 'postgres':
        await this.oneOf([postgres]);
        await this.count();
        this.kills++;
        await postgres.crash();
        return this.recoverAfter(postgres, this.between(0, 3000), () => postgres.restart());
      case 'stop': {
        const process = await this.oneOf(this.deployment.all);
        await process.stop();
        return this.recoverAfter(process, this.between(0, 2000), () => restart(process));
      }
      case 'flush':
        await this.oneOf([redis]);
        await redis.flush();
        return this.recoverAfter(redis, 0, () => Promise.resolve());
      case 'freeze': {
        const worker = await this.oneOf(workers);
        worker.suspend();
        this.recoverAfter(worker, this.between(5000, 7000), () => Promise.resolve(worker.resume()));
        return this.count(worker.running.pid);
      }
      case 'cutLink':
      case 'holdLink':
      case 'muteLink':
        return this.disturb(await this.oneOf(this.deployment.all), fault);
      case 'hang':
      case 'reset':
      case 'slowness':
        await this.oneOf([this.platform]);
        await this.platform.configure(DEGRADED[fault]);
        return this.recoverAfter(this.platform, this.between(1000, 3000), () => this.platform.configure(USUAL));
    }
  }

  /** Resolves when no recovery is pending. */
  async settled(): Promise<void> {
    while (this.recoveries.size > 0) await Promise.all(this.recoveries);
  }

  /** Resolves when everything has recovered; throws if a recovery failed. */
  async recovered(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure;
  }

  /** The maximum of unknown outcomes: attempts claimed at the faults, and those that the platform left unanswered. */
  async maxUnknown(): Promise<number> {
    const { faults } = await this.platform.stats();
    return LOST_ANSWERS.reduce((sum, fault) => sum + (faults[fault] ?? 0), this.claimed);
  }

  private async kill(service: KillableService, maxDownMs: number): Promise<void> {
    const { pid } = service.running;
    this.kills++;
    await service.kill();
    this.recoverAfter(service, this.between(0, maxDownMs), () => restart(service));
    await this.count(pid);
  }

  private disturb(service: KillableService, fault: keyof typeof LINK_FAULTS): Promise<void> {
    const link = this.deployment.links.get(service)![this.random.next() < POSTGRES_SHARE ? 0 : 1];
    const back = { cutLink: () => undefined, holdLink: () => link.release(), muteLink: () => link.cut() }[fault];
    if (fault === 'cutLink') link.cut();
    else if (fault === 'holdLink') link.hold();
    else link.blackhole();
    this.recoverAfter(service, fault === 'cutLink' ? 0 : this.between(1000, LONGEST_LINK_FAULT_MS), () =>
      Promise.resolve(back()),
    );
    return this.count(service.running.pid);
  }

  /** While PostgreSQL is down nothing is claimed; earlier claims were counted when it was killed. */
  private async count(pid?: number): Promise<void> {
    this.claimed += (await this.deployment.claimed(pid).catch(() => 0)) + SLACK;
  }

  /** A random one that is not affected by a fault; it counts as affected until it recovers. */
  private async oneOf<T extends object>(all: readonly T[]): Promise<T> {
    for (;;) {
      if (this.failure) throw this.failure;
      const unaffected = all.filter((one) => !this.affected.has(one));
      const one = unaffected[this.between(0, unaffected.length)];
      if (one) {
        this.affected.add(one);
        return one;
      }
      await pause(50);
    }
  }

  private recoverAfter(one: object, afterMs: number, back: () => Promise<void>): void {
    const recovery = pause(afterMs)
      .then(back)
      .catch((error: unknown) => (this.failure ??= error as Error))
      .then(() => {
        this.affected.delete(one);
        this.recoveries.delete(recovery);
      });
    this.recoveries.add(recovery);
  }
}

/** Like a supervisor: restarts a process that ended because the database was unavailable. */
async function restart(service: KillableService): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      return await service.start();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
    }
  }
}
