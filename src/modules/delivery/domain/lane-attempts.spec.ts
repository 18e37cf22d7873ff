import { knownSenders } from '../../../../test/fakes/known-senders';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { platformTemplate } from '../../../../test/fakes/templates-in-memory';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import type { TemplateStore } from '../../templates/domain/template-store.port';
import { TemplatesService } from '../../templates/domain/templates.service';
import { type ClaimedAttempt, InFlightLimit, LaneAttempts, type ReservedPace } from './lane-attempts';
import { type LaneParts, PlatformConnections } from './lane-parts';
import type { Lease } from './lease';

const NO_SENDERS = knownSenders(() => []);

/** Ends `times` consecutive requests, each after `ms`. */
function answer(limit: InFlightLimit, ms: number | null, times = 100): void {
  limit.started(times);
  for (let n = 0; n < times; n++) limit.ended(ms);
}

describe('The limit of requests in flight', () => {
  it('is two seconds of its pace, and at least 8', () => {
    const limit = new InFlightLimit(new PlatformConnections(10_000));
    expect(limit.max(80)).toBe(160);
    expect(limit.max(1)).toBe(8);
    expect(limit.max(1000)).toBe(2000);
  });

  it('grows if answers take longer than that, so that the pace holds', () => {
    const limit = new InFlightLimit(new PlatformConnections(10_000));
    answer(limit, 3000);
    expect(limit.max(80)).toBeGreaterThan(3 * 80);
    expect(limit.max(80)).toBeLessThanOrEqual(3 * 1.25 * 80);
    answer(limit, 200);
    expect(limit.max(80)).toBe(160);
  });

  it('does not grow without answers', () => {
    const limit = new InFlightLimit(new PlatformConnections(10_000));
    answer(limit, null);
    expect(limit.max(80)).toBe(160);
  });

  it('is the number of connections left by other lanes, and at least a fair share', () => {
    const connections = new PlatformConnections(100);
    const [first, second] = [new InFlightLimit(connections), new InFlightLimit(connections)];
    expect(first.max(80)).toBe(100);
    first.started(100);
    expect(first.max(80)).toBe(100);
    expect(second.max(80)).toBe(50);
    second.started(50);
    // The first lane has more than its share and gets no more until it is below.
    expect(first.max(80)).toBe(50);
    for (let n = 0; n < 50; n++) first.ended(10);
    expect([first.max(80), second.max(80)]).toEqual([50, 50]);
    for (let n = 0; n < 50; n++) second.ended(10);
    expect(first.max(80)).toBe(100);
  });

  it('is never 0, with any number of lanes', () => {
    const connections = new PlatformConnections(2);
    const limits = Array.from({ length: 5 }, () => new InFlightLimit(connections));
    for (const limit of limits) limit.started(1);
    expect(limits.map((limit) => limit.max(80))).toEqual([1, 1, 1, 1, 1]);
  });

  it('allows 12 lanes of 80/s to send 960/s at a latency of 3 s with enough connections', () => {
    expect(sentPerSecond(12, 3584)).toEqual(Array(12).fill(80));
  });

  it('shares scarce connections among the lanes', () => {
    const rates = sentPerSecond(12, 448);
    const fair = 448 / 3 / 12;
    expect(Math.min(...rates)).toBeGreaterThan(0.9 * fair);
    expect(Math.max(...rates)).toBeLessThan(1.1 * fair);
  });
});

describe('A lane without room', () => {
  const sender = { id: 'sender', messagesPerSecond: 1000 } as Sender;
  const attempt: ClaimedAttempt = {
    recipient: '1',
    to: '4915112345678',
    content: { kind: 'freeForm', type: 'Text', content: 'Hello' } as unknown as ClaimedAttempt['content'],
    callbackData: '',
    record: () => Promise.resolve(),
  };
  const clock = new FakeClock();
  const inFlight: ((answer: Answer) => void)[] = [];
  const attempts = new LaneAttempts(
    {
      clock,
      limits: { connections: new PlatformConnections(40) },
      senders: { ofLane: () => Promise.resolve({ ...sender, sendingPaused: false }) },
      sendGateway: {
        reserve: () => Promise.resolve({ waitMs: 0, intervalMs: 0 }),
        send: () => new Promise<Answer>((resolve) => inFlight.push(resolve)),
      },
    } as unknown as LaneParts,
    { maySend: () => true } as Lease,
  );
  const answers = async (count: number): Promise<void> => {
    for (const answer of inFlight.splice(0, count)) answer({ kind: 'accepted', platformMessageId: 'wamid' });
    await clock.advance(0);
  };

  it('wakes up when a quarter is free, not at each answer, and after 50 ms at the latest', async () => {
    let reserved: ReservedPace | null | undefined;
    const reserve = async (): Promise<void> => {
      reserved = undefined;
      void attempts.reserve(sender, 'job', new AbortController().signal).then((pace) => (reserved = pace));
      await clock.advance(0);
    };
    const fill = async (): Promise<void> => {
      await reserve();
      await reserved!.send(Array<ClaimedAttempt>(reserved!.left).fill(attempt));
      await clock.advance(40);
      expect(inFlight).toHaveLength(40);
    };
    await fill();

    await reserve();
    await answers(9);
    expect(reserved).toBeUndefined();
    await answers(1);
    expect(reserved).toBeNull();

    await fill();
    await reserve();
    await clock.advance(49);
    expect(reserved).toBeUndefined();
    await clock.advance(1);
    expect(reserved).toBeNull();
  });
});

describe('A recorded template', () => {
  const sender = { id: 'sender', messagesPerSecond: 1000 } as Sender;
  const template = { ...platformTemplate('promo'), revisionId: 'r1' };
  const store = { byRevision: () => Promise.resolve(template) } as unknown as TemplateStore;
  const clock = new FakeClock();

  async function sendWith(parameters: string[]): Promise<{ sent: unknown[]; answers: Answer[] }> {
    const sent: unknown[] = [];
    const answers: Answer[] = [];
    const attempts = new LaneAttempts(
      {
        clock,
        limits: { connections: new PlatformConnections(40) },
        senders: { ofLane: () => Promise.resolve({ ...sender, sendingPaused: false }) },
        templates: new TemplatesService(store, NO_SENDERS, clock),
        sendGateway: {
          reserve: () => Promise.resolve({ waitMs: 0, intervalMs: 0 }),
          send: (_: Sender, message: unknown) => {
            sent.push(message);
            return Promise.resolve<Answer>({ kind: 'accepted', platformMessageId: 'wamid' });
          },
        },
      } as unknown as LaneParts,
      { maySend: () => true } as Lease,
    );
    const attempt: ClaimedAttempt = {
      ...{ recipient: '1', to: '4915112345678', callbackData: '' },
      content: { messageId: '1', revisionId: 'r1', parameters, extras: null },
      record: (answer) => Promise.resolve(void answers.push(answer)),
    };
    const reserving = attempts.reserve(sender, 'job', new AbortController().signal);
    await clock.advance(0);
    await (await reserving)!.send([attempt]);
    await clock.advance(100);
    await attempts.settled();
    return { sent, answers };
  }

  it('is sent with valid values, and refused by the lane with others, even if they were recorded', async () => {
    const fits = await sendWith(['Mira']);
    expect([fits.sent.length, fits.answers]).toMatchObject([1, [{ kind: 'accepted' }]]);
    const fails = await sendWith(['x'.repeat(1024)]);
    expect(fails.sent).toEqual([]);
    expect(fails.answers).toMatchObject([{ kind: 'refused', scope: 'message', problem: 'text_too_long' }]);
  });
});

/** The number of messages each lane of 80/s sends per second at a latency of 3 s, after 60 s. */
function sentPerSecond(lanes: number, total: number): number[] {
  const connections = new PlatformConnections(total);
  const all = Array.from({ length: lanes }, () => ({
    limit: new InFlightLimit(connections),
    startedAt: [] as number[],
    sent: 0,
  }));
  for (let tick = 0; tick < 80 * 80; tick++) {
    for (const lane of all) {
      while (lane.startedAt[0] !== undefined && lane.startedAt[0] <= tick - 3 * 80) {
        lane.startedAt.shift();
        lane.limit.ended(3000);
      }
      if (lane.limit.count >= lane.limit.max(80)) continue;
      lane.limit.started(1);
      lane.startedAt.push(tick);
      if (tick >= 60 * 80) lane.sent++;
    }
  }
  return all.map(({ sent }) => sent / 20);
}
