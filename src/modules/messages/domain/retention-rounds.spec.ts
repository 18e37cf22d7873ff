import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { unreadAuditLog } from '../../../../test/support/audit';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { AccountDeletion } from '../../accounts/domain/account-deletion';
import { HistoryTerms } from '../../accounts/domain/history-terms';
import { HistoryTermStore } from '../../accounts/domain/history-term-store.port';
import { HistoryPartitions } from './history-partitions.port';
import type { Expiry, RetentionPart, RetentionStep } from './retention';
import { RetentionTelemetry } from './retention-telemetry';
import { Retention } from './retention-rounds';
import { RetentionTurns } from './retention-turns.port';

class OneTurn extends RetentionTurns {
  held = true;
  isDue = true;
  readonly dueIn: (number | null)[] = [];

  take(_owner: string, _seconds: number, now: boolean): Promise<{ isDue: boolean } | null> {
    return Promise.resolve(this.isDue || now ? { isDue: this.isDue } : null);
  }

  renew(): Promise<boolean> {
    return Promise.resolve(this.held);
  }

  end(_owner: string, dueInSeconds: number | null): Promise<void> {
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
  readonly calls: Date[] = [];

  dropEmpty(before: Date): Promise<string[]> {
    this.calls.push(before);
    return Promise.resolve([]);
  }
}

class Telemetry extends RetentionTelemetry {
  readonly reports: unknown[] = [];

  deleted(): void {
    return;
  }

  finished(counts: ReadonlyMap<string, number>, seconds: number, failures: number): void {
    this.reports.push({ counts: Object.fromEntries(counts), seconds, failures });
  }

  failed(kind: string | null, accountId: string | null): void {
    this.reports.push(`${kind} of ${accountId} failed`);
  }
}

/** Items per account, deleted two per step. */
class Items implements RetentionPart {
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

describe('A retention round', () => {
  const clock = new FakeClock();
  const DAY_MS = 86_400_000;

  function set(days: Record<string, number> = { a: 30, b: 7 }) {
    const turns = new OneTurn();
    const partitions = new Partitions();
    const telemetry = new Telemetry();
    const stopping = new AbortController();
    const accounts = new InMemoryAccountStore();
    const deletion = new AccountDeletion(accounts);
    const retention = new Retention(
      new HistoryTerms(new Terms(days), new ImmediateUnitOfWork(), unreadAuditLog()),
      turns,
      partitions,
      telemetry,
      clock,
      deletion,
    );
    /** Runs a round to its end. */
    const round = async (): Promise<boolean> => {
      let done = false;
      const running = retention.round(stopping.signal).finally(() => (done = true));
      while (!done) await clock.advance(10);
      return running;
    };
    /** An account that was deleted an hour ago. */
    const deletedAccount = async (id: string): Promise<void> => {
      const fields = {
        plan: 'Free',
        sendingPaused: false,
        defaultCountry: null,
        businessPortfolioId: null,
        sender: null,
      };
      await accounts.add(id, { name: id, status: 'Active', ...fields });
      jest.useFakeTimers({ now: Date.now() - 3_600_000, doNotFake: ['setImmediate', 'nextTick'] });
      await accounts.beginDeletion(id);
      jest.useRealTimers();
    };
    return { retention, turns, partitions, telemetry, stopping, round, deletion, accounts, deletedAccount };
  }

  it("deletes every kind of data after each account's retention, and reports the counts", async () => {
    const { retention, telemetry, turns, partitions, round } = set();
    const [first, second] = [new Items('first', clock, { a: 5 }), new Items('second', clock, { a: 1, b: 2 })];
    retention.add(first);
    retention.add(second);
    const now = clock.now().getTime();
    expect(await round()).toBe(true);
    expect(first.steps.map(({ expiry }) => expiry.accountId)).toEqual(['a', 'a', 'a', 'b']);
    expect(second.steps.map(({ expiry }) => (now - expiry.before.getTime()) / DAY_MS)).toEqual([30, 7]);
    expect(telemetry.reports).toMatchObject([{ counts: { first: 5, second: 3 }, failures: 0 }]);
    expect(turns.dueIn).toEqual([3600]);
    expect(partitions.calls.map((before) => (now - before.getTime()) / DAY_MS)).toEqual([30]);
  });

  it('pauses after each step for as long as the step took, and at least for 50 ms', async () => {
    const { retention, round } = set({ a: 1 });
    const [quick, slow] = [new Items('quick', clock, { a: 4 }), new Items('slow', clock, { a: 4 }, 200)];
    retention.add(quick);
    retention.add(slow);
    await round();
    expect(quick.steps[1]!.at - quick.steps[0]!.at).toBe(50);
    expect(slow.steps[1]!.at - slow.steps[0]!.at).toBe(400);
  });

  it('continues with the other accounts when one fails', async () => {
    const { retention, telemetry, turns, round } = set();
    const items = new Items('items', clock, { a: 1, b: 1 });
    items.failing.add('a');
    retention.add(items);
    expect(await round()).toBe(true);
    expect(telemetry.reports).toMatchObject(['items of a failed', { counts: { items: 1 }, failures: 1 }]);
    expect(turns.dueIn).toEqual([3600]);
  });

  it('stops and is due immediately when everything fails', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `account ${index}`);
    const { retention, turns, round } = set(Object.fromEntries(names.map((name) => [name, 1])));
    const items = new Items('items', clock);
    items.failing = new Set(names);
    retention.add(items);
    expect(await round()).toBe(false);
    expect(items.steps).toHaveLength(10);
    expect(turns.dueIn).toEqual([0]);
  });

  it('stops when another process has taken its lease', async () => {
    const { retention, turns, telemetry, round } = set({ a: 1 });
    const items = new Items('items', clock, { a: 1_000 }, 1_000);
    retention.add(items);
    turns.held = false;
    expect(await round()).toBe(false);
    expect(items.steps.length).toBeLessThan(15);
    expect(telemetry.reports).toEqual([]);
  });

  it('stops between two steps when the process stops, and is due immediately', async () => {
    const { retention, turns, stopping, round } = set({ a: 1 });
    const items = new Items('items', clock, { a: 10 });
    retention.add({
      kind: 'items',
      step: (expiry) => {
        if (items.steps.length === 1) stopping.abort();
        return items.step(expiry);
      },
    });
    expect(await round()).toBe(false);
    expect(items.steps).toHaveLength(2);
    expect(turns.dueIn).toEqual([0]);
  });

  describe('with deleted accounts', () => {
    /** Rows of accounts; half a second for each. */
    const rowsOf = (left: Record<string, number>) => ({
      left,
      deleteSome: (id: string): Promise<number> => {
        const deleted = Math.min(1, left[id] ?? 0);
        left[id] = (left[id] ?? 0) - deleted;
        clock.jump(500 * deleted);
        return Promise.resolve(deleted);
      },
    });

    it('deletes what has expired first, then deleted accounts for five minutes, each for its share', async () => {
      const { retention, deletion, deletedAccount, accounts, turns, round } = set({ a: 1 });
      await deletedAccount('huge');
      await deletedAccount('small');
      const rows = rowsOf({ huge: 1_000_000, small: 3 });
      deletion.add(rows);
      const items = new Items('items', clock, { a: 3 });
      retention.add(items);
      const before = clock.monotonic();
      expect(await round()).toBe(true);
      expect(items.steps).toHaveLength(2);
      expect((clock.monotonic() - before) / 60_000).toBeCloseTo(2.5, 0);
      expect(await accounts.byId('small')).toBeNull();
      expect(rows.left.huge).toBeLessThan(1_000_000 - 100);
      expect(turns.dueIn).toEqual([3600]);
    });

    it('only continues with them until the next round is due', async () => {
      const { retention, deletion, deletedAccount, partitions, turns, round } = set({ a: 1 });
      turns.isDue = false;
      const items = new Items('items', clock, { a: 3 });
      retention.add(items);
      expect(await round()).toBe(false);
      await deletedAccount('huge');
      const rows = rowsOf({ huge: 1_000_000 });
      deletion.add(rows);
      expect(await round()).toBe(true);
      expect(rows.left.huge).toBeLessThan(1_000_000 - 200);
      expect([items.steps, partitions.calls, turns.dueIn]).toEqual([[], [], [null]]);
    });

    it('continues with the others when one fails', async () => {
      const { deletion, deletedAccount, accounts, telemetry, round } = set({});
      await deletedAccount('bad');
      await deletedAccount('good');
      deletion.add({ deleteSome: (id) => (id === 'bad' ? Promise.reject(new Error('deadlock')) : Promise.resolve(0)) });
      expect(await round()).toBe(true);
      expect(await accounts.byId('good')).toBeNull();
      expect(telemetry.reports).toMatchObject(['accounts of bad failed', { failures: 1 }]);
    });
  });
});
