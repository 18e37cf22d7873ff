import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { decide } from './claims';

const recipient = (position: number) => ({
  position,
  messageId: `m${position}`,
  person: `p${position}`,
  userId: null,
  parameters: [],
  own: null,
});
const positions = (recipients: readonly { position: number }[]) => recipients.map(({ position }) => position);
const ALL = [true, true, true, true];

describe('The decision on a claim of first attempts', () => {
  const open = [2, 3, 5, 6].map(recipient);
  const decided = (optedOut: string[], granted: boolean[]) => {
    const out = new Set(open.filter(({ person }) => optedOut.includes(person)));
    const { toSend, skipped, cursor } = decide(open, out, granted, 9);
    return { toSend: positions(toSend), skipped: positions(skipped), cursor };
  };

  it('sends to all and moves the cursor to the end of the range', () => {
    expect(decided([], ALL)).toEqual({ toSend: [2, 3, 5, 6], skipped: [], cursor: 9 });
    expect(decide([], new Set(), [], 9)).toEqual({ toSend: [], skipped: [], cursor: 9 });
  });

  it('skips recipients that have opted out', () => {
    expect(decided(['p2', 'p6'], ALL)).toEqual({ toSend: [3, 5], skipped: [2, 6], cursor: 9 });
  });

  it('stops at the first recipient without room in the messaging tier, and skips none after it', () => {
    expect(decided([], [true, true, false, false])).toEqual({ toSend: [2, 3], skipped: [], cursor: 5 });
    expect(decided(['p2', 'p6'], [true, false])).toEqual({ toSend: [3], skipped: [2], cursor: 5 });
    expect(decided(['p6'], [false, false, false])).toEqual({ toSend: [], skipped: [], cursor: 2 });
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

  /** A person in the window of the messaging tier, for this many milliseconds. */
  function takeRoom(people: number, forMs: number): void {
    const at = engine.clock.now().getTime() - DAY_MS + forMs;
    const { portfolioId } = engine.sender;
    for (let n = 0; n < people; n++) {
      const person = `${forMs} ${n}`;
      const row = { portfolioId, person, at, messageId: null };
      engine.database.server.conversations.put(`${portfolioId} ${person}`, row);
    }
  }

  it('wait at the first recipient without room, and continue when a person leaves the window', async () => {
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

  it('take turns as room becomes free', async () => {
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
