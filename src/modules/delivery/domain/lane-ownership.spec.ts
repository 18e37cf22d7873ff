import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { decide } from './lane-ownership';

const recipient = (position: number) => ({
  position,
  messageId: `m${position}`,
  phone: `p${position}`,
  parameters: [],
});
const positions = (recipients: readonly { position: number }[]) => recipients.map(({ position }) => position);
const ALL = [true, true, true, true];

describe('The decision on a claim of first attempts', () => {
  const open = [2, 3, 5, 6].map(recipient);
  const decided = (optedOut: string[], granted: boolean[]) => {
    const { leaving, skipped, cursor } = decide(open, new Set(optedOut), granted, 9);
    return { leaving: positions(leaving), skipped: positions(skipped), cursor };
  };

  it('lets everybody leave and moves the cursor to the end of what it looked at', () => {
    expect(decided([], ALL)).toEqual({ leaving: [2, 3, 5, 6], skipped: [], cursor: 9 });
    expect(decide([], new Set(), [], 9)).toEqual({ leaving: [], skipped: [], cursor: 9 });
  });

  it('skips whoever has opted out', () => {
    expect(decided(['p2', 'p6'], ALL)).toEqual({ leaving: [3, 5], skipped: [2, 6], cursor: 9 });
  });

  it('stops at the first one without room in the messaging tier, and decides nothing behind', () => {
    expect(decided([], [true, true, false, false])).toEqual({ leaving: [2, 3], skipped: [], cursor: 5 });
    expect(decided(['p2', 'p6'], [true, false])).toEqual({ leaving: [3], skipped: [2], cursor: 5 });
    expect(decided(['p6'], [false, false, false])).toEqual({ leaving: [], skipped: [], cursor: 2 });
  });
});

describe('Jobs under a messaging tier', () => {
  const DAY_MS = 86_400_000;
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
    engine.sender = { ...engine.sender, messagingTier: '250' };
  });

  afterEach(() => engine.stop());

  /** Somebody whom the portfolio has written to, until so many milliseconds from now. */
  function takeRoom(people: number, forMs: number): void {
    const at = new Date(engine.clock.now().getTime() - DAY_MS + forMs);
    const { portfolioId } = engine.sender;
    for (let n = 0; n < people; n++) {
      engine.database.tables.conversations.push({ portfolioId, person: `${forMs} ${n}`, at, messageId: null });
    }
  }

  it('wait at the first recipient without room, and go on when somebody leaves the window', async () => {
    takeRoom(240, 20_000);
    const job = await engine.addJob(15);
    const process = engine.start();
    await engine.advance(3000);
    expect(engine.platform.arrivals).toHaveLength(10);
    expect(engine.job(job)).toMatchObject({ cursor: 11, throttledReason: 'messaging_limit_reached' });
    expect(process.telemetry).toContain('held');

    await engine.until(() => engine.isDone(job), 25_000);
    expect(engine.job(job)).toMatchObject({ successfullySent: 15, failed: 0 });
  });

  it('take turns at the room that becomes free little by little', async () => {
    takeRoom(244, 600_000);
    for (let n = 1; n <= 6; n++) takeRoom(1, n * 2000);
    const phones = (from: number) =>
      Object.fromEntries([1, 2, 3].map((position) => [position, { phone: String(491_520_000_000 + from + position) }]));
    const jobs = [await engine.addJob(3, {}, phones(0)), await engine.addJob(3, {}, phones(10))];
    engine.start();
    await engine.advance(9000);

    const tried = jobs.map((job) => engine.job(job).cursor - 1);
    expect(Math.abs(tried[0]! - tried[1]!)).toBeLessThanOrEqual(1);
    expect(tried[0]! + tried[1]!).toBe(4);
  });
});
