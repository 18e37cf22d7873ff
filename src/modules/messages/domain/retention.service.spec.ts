import { FakeClock } from '../../../../test/fakes/fake-clock';
import { HistoryTerms } from '../../accounts/domain/history-terms.service';
import { HistoryTermStore } from '../../accounts/domain/history-term-store.port';
import { HistoryPartitions } from './history-partitions.port';
import type { Expiry, RetentionPart, RetentionStep } from './retention';
import { RetentionTelemetry } from './retention-telemetry';
import { Retention } from './retention.service';
import { RetentionTurns } from './retention-turns.port';

class OneTurn extends RetentionTurns {
  held = true;
  readonly dueIn: number[] = [];

  take(): Promise<boolean> {
    return Promise.resolve(true);
  }

  renew(): Promise<boolean> {
    return Promise.resolve(this.held);
  }

  end(_owner: string, dueInSeconds: number): Promise<void> {
    this.dueIn.push(dueInSeconds);
    return Promise.resolve();
  }
}

class Terms extends HistoryTermStore {
  constructor(private readonly days: Record<string, number>) {
    super();
  }

  find(accountId: string): Promise<number | null> {
    return Promise.resolve(this.days[accountId] ?? null);
  }

  set(): Promise<boolean> {
    return Promise.resolve(true);
  }

  all() {
    return Promise.resolve(
      Object.entries(this.days).map(([accountId, retentionDays]) => ({ accountId, retentionDays })),
    );
  }
}

class Partitions extends HistoryPartitions {
  readonly asked: Date[] = [];

  dropOlderThan(before: Date): Promise<number> {
    this.asked.push(before);
    return Promise.resolve(0);
  }
}

class Telemetry extends RetentionTelemetry {
  readonly said: unknown[] = [];

  deleted(): void {
    return;
  }

  finished(counts: ReadonlyMap<string, number>, seconds: number, failures: number): void {
    this.said.push({ counts: Object.fromEntries(counts), seconds, failures });
  }

  failed(kind: string | null, accountId: string | null): void {
    this.said.push(`${kind} of ${accountId} failed`);
  }
}

/** So many things an account, deleted two a step, each step taking its time. */
class Things implements RetentionPart {
  readonly steps: { expiry: Expiry; at: number }[] = [];
  failing = new Set<string>();

  constructor(
    readonly kind: string,
    private readonly clock: FakeClock,
    private readonly left: Record<string, number> = {},
    private readonly stepMs = 0,
  ) {}

  step(expiry: Expiry): Promise<RetentionStep> {
    this.steps.push({ expiry, at: this.clock.monotonic() });
    if (this.failing.has(expiry.accountId)) return Promise.reject(new Error('deadlock'));
    const left = this.left[expiry.accountId] ?? 0;
    const deleted = Math.min(2, left);
    this.left[expiry.accountId] = left - deleted;
    this.clock.jump(this.stepMs);
    return Promise.resolve({ deleted, next: left > deleted ? 'on' : null });
  }
}

describe('A round of retention', () => {
  const clock = new FakeClock();
  const DAY_MS = 86_400_000;

  function set(days: Record<string, number> = { a: 30, b: 7 }) {
    const turns = new OneTurn();
    const partitions = new Partitions();
    const telemetry = new Telemetry();
    const stopping = new AbortController();
    const retention = new Retention(new HistoryTerms(new Terms(days)), turns, partitions, telemetry, clock);
    /** Runs a round as long as it takes. */
    const round = async (): Promise<boolean> => {
      let done = false;
      const running = retention.round(stopping.signal).finally(() => (done = true));
      while (!done) await clock.advance(10);
      return running;
    };
    return { retention, turns, partitions, telemetry, stopping, round };
  }

  it('deletes every part of every account by its own term, and reports the counts', async () => {
    const { retention, telemetry, turns, partitions, round } = set();
    const [first, second] = [new Things('first', clock, { a: 5 }), new Things('second', clock, { a: 1, b: 2 })];
    retention.add(first);
    retention.add(second);
    const now = clock.now().getTime();
    expect(await round()).toBe(true);
    expect(first.steps.map(({ expiry }) => expiry.accountId)).toEqual(['a', 'a', 'a', 'b']);
    expect(second.steps.map(({ expiry }) => (now - expiry.before.getTime()) / DAY_MS)).toEqual([30, 7]);
    expect(telemetry.said).toMatchObject([{ counts: { first: 5, second: 3 }, failures: 0 }]);
    expect(turns.dueIn).toEqual([3600]);
    expect(partitions.asked.map((before) => (now - before.getTime()) / DAY_MS)).toEqual([30]);
  });

  it('pauses after each step for as long as the step took, and at least for 50 ms', async () => {
    const { retention, round } = set({ a: 1 });
    const [quick, slow] = [new Things('quick', clock, { a: 4 }), new Things('slow', clock, { a: 4 }, 200)];
    retention.add(quick);
    retention.add(slow);
    await round();
    expect(quick.steps[1]!.at - quick.steps[0]!.at).toBe(50);
    expect(slow.steps[1]!.at - slow.steps[0]!.at).toBe(400);
  });

  it('continues with the other accounts when one fails', async () => {
    const { retention, telemetry, turns, round } = set();
    const things = new Things('things', clock, { a: 1, b: 1 });
    things.failing.add('a');
    retention.add(things);
    expect(await round()).toBe(true);
    expect(telemetry.said).toMatchObject(['things of a failed', { counts: { things: 1 }, failures: 1 }]);
    expect(turns.dueIn).toEqual([3600]);
  });

  it('stops, and is due again at once, when everything fails', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `account ${index}`);
    const { retention, turns, round } = set(Object.fromEntries(names.map((name) => [name, 1])));
    const things = new Things('things', clock);
    things.failing = new Set(names);
    retention.add(things);
    expect(await round()).toBe(false);
    expect(things.steps).toHaveLength(10);
    expect(turns.dueIn).toEqual([0]);
  });

  it('stops when another process has taken its lease', async () => {
    const { retention, turns, telemetry, round } = set({ a: 1 });
    const things = new Things('things', clock, { a: 1_000 }, 1_000);
    retention.add(things);
    turns.held = false;
    expect(await round()).toBe(false);
    expect(things.steps.length).toBeLessThan(15);
    expect(telemetry.said).toEqual([]);
  });

  it('stops between two steps when the process stops, and is due at once', async () => {
    const { retention, turns, stopping, round } = set({ a: 1 });
    const things = new Things('things', clock, { a: 10 });
    retention.add({
      kind: 'things',
      step: (expiry) => {
        if (things.steps.length === 1) stopping.abort();
        return things.step(expiry);
      },
    });
    expect(await round()).toBe(false);
    expect(things.steps).toHaveLength(2);
    expect(turns.dueIn).toEqual([0]);
  });
});
