import { FakeClock } from '../../../../test/fakes/fake-clock';
import { platformTemplate } from '../../../../test/fakes/templates-in-memory';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import { SendableTemplate } from '../../templates/domain/sendable-template';
import { type Flight, FlightRoom, LaneFlights } from './lane-flights';
import { type LaneParts, PlatformConnections } from './lane-parts';
import type { Lease } from './lease';

/** Lets the platform answer as many requests one after the other, each in that time. */
function answer(room: FlightRoom, ms: number | null, times = 100): void {
  room.started(times);
  for (let n = 0; n < times; n++) room.ended(ms);
}

describe('The room of a lane', () => {
  it('is two seconds of its pace, and at least 8', () => {
    const room = new FlightRoom(new PlatformConnections(10_000));
    expect(room.most(80)).toBe(160);
    expect(room.most(1)).toBe(8);
    expect(room.most(1000)).toBe(2000);
  });

  it('grows where answers take longer than that, so that the pace holds', () => {
    const room = new FlightRoom(new PlatformConnections(10_000));
    answer(room, 3000);
    expect(room.most(80)).toBeGreaterThan(3 * 80);
    expect(room.most(80)).toBeLessThanOrEqual(3 * 1.25 * 80);
    answer(room, 200);
    expect(room.most(80)).toBe(160);
  });

  it('does not grow where no answer comes', () => {
    const room = new FlightRoom(new PlatformConnections(10_000));
    answer(room, null);
    expect(room.most(80)).toBe(160);
  });

  it('is what other lanes leave of the connections, and at least a fair share of them', () => {
    const connections = new PlatformConnections(100);
    const [first, second] = [new FlightRoom(connections), new FlightRoom(connections)];
    expect(first.most(80)).toBe(100);
    first.started(100);
    expect(first.most(80)).toBe(100);
    expect(second.most(80)).toBe(50);
    second.started(50);
    // The first one has more than its share and takes no more until it has not.
    expect(first.most(80)).toBe(50);
    for (let n = 0; n < 50; n++) first.ended(10);
    expect([first.most(80), second.most(80)]).toEqual([50, 50]);
    for (let n = 0; n < 50; n++) second.ended(10);
    expect(first.most(80)).toBe(100);
  });

  it('is never nothing, however many lanes there are', () => {
    const connections = new PlatformConnections(2);
    const rooms = Array.from({ length: 5 }, () => new FlightRoom(connections));
    for (const room of rooms) room.started(1);
    expect(rooms.map((room) => room.most(80))).toEqual([1, 1, 1, 1, 1]);
  });

  it('lets 12 lanes of 80/s send 960/s at a platform that takes 3 s, if there are connections', () => {
    expect(sentPerSecond(12, 3584)).toEqual(Array(12).fill(80));
  });

  it('shares connections that are too few among the lanes', () => {
    const rates = sentPerSecond(12, 448);
    const fair = 448 / 3 / 12;
    expect(Math.min(...rates)).toBeGreaterThan(0.9 * fair);
    expect(Math.max(...rates)).toBeLessThan(1.1 * fair);
  });
});

describe('A lane without room', () => {
  const sender = { id: 'sender', messagesPerSecond: 1000 } as Sender;
  const flight: Flight = {
    recipient: '1',
    to: '4915112345678',
    content: { kind: 'freeForm', type: 'Text', content: 'Hello' } as unknown as Flight['content'],
    callbackData: '',
    record: () => Promise.resolve(),
  };
  const clock = new FakeClock();
  const underWay: ((answer: Answer) => void)[] = [];
  const flights = new LaneFlights(
    {
      clock,
      limits: { connections: new PlatformConnections(40) },
      senders: { byId: () => Promise.resolve({ ...sender, sendingPaused: false }) },
      sendGateway: {
        reserve: () => Promise.resolve({ waitMs: 0, intervalMs: 0 }),
        send: () => new Promise<Answer>((resolve) => underWay.push(resolve)),
      },
    } as unknown as LaneParts,
    { maySend: () => true } as Lease,
  );
  const answers = async (count: number): Promise<void> => {
    for (const answer of underWay.splice(0, count)) answer({ kind: 'accepted', platformMessageId: 'wamid' });
    await clock.advance(0);
  };

  it('wakes up when a quarter of it is free again, not at each answer, and after 50 ms at the latest', async () => {
    const reserving = flights.reserve(sender, 40, 'job', new AbortController().signal);
    await clock.advance(0);
    await (await reserving)!.send(Array<Flight>(40).fill(flight));
    await clock.advance(40);
    expect([underWay.length, flights.free(sender)]).toEqual([40, 0]);

    let awake = false;
    void flights.moreRoom(sender).then(() => (awake = true));
    await answers(9);
    expect(awake).toBe(false);
    await answers(1);
    expect([awake, flights.free(sender)]).toEqual([true, 10]);

    awake = false;
    void flights.moreRoom(sender).then(() => (awake = true));
    await clock.advance(49);
    expect(awake).toBe(false);
    await clock.advance(1);
    expect(awake).toBe(true);
  });
});

describe('A recorded template', () => {
  const sender = { id: 'sender', messagesPerSecond: 1000 } as Sender;
  const sendable = new SendableTemplate({ ...platformTemplate('promo'), revisionId: 'r1' });
  const clock = new FakeClock();

  async function sendWith(parameters: string[]): Promise<{ sent: unknown[]; answers: Answer[] }> {
    const sent: unknown[] = [];
    const answers: Answer[] = [];
    const flights = new LaneFlights(
      {
        clock,
        limits: { connections: new PlatformConnections(40) },
        senders: { byId: () => Promise.resolve({ ...sender, sendingPaused: false }) },
        templates: { revision: () => Promise.resolve(sendable) },
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
    const flight: Flight = {
      ...{ recipient: '1', to: '4915112345678', callbackData: '' },
      content: { revisionId: 'r1', parameters, extras: null },
      record: (answer) => Promise.resolve(void answers.push(answer)),
    };
    const reserving = flights.reserve(sender, 1, 'job', new AbortController().signal);
    await clock.advance(0);
    await (await reserving)!.send([flight]);
    await clock.advance(100);
    await flights.settled();
    return { sent, answers };
  }

  it('leaves with values that fit it, and is refused here with others, however they were recorded', async () => {
    const fits = await sendWith(['Mira']);
    expect([fits.sent.length, fits.answers]).toMatchObject([1, [{ kind: 'accepted' }]]);
    const fails = await sendWith(['x'.repeat(1024)]);
    expect(fails.sent).toEqual([]);
    expect(fails.answers).toMatchObject([{ kind: 'refused', scope: 'message', problem: 'text_too_long' }]);
  });
});

/** What each of so many lanes of 80/s sends in a second at a platform that takes 3 s, after 60 s of it. */
function sentPerSecond(lanes: number, total: number): number[] {
  const connections = new PlatformConnections(total);
  const all = Array.from({ length: lanes }, () => ({
    room: new FlightRoom(connections),
    startedAt: [] as number[],
    sent: 0,
  }));
  for (let tick = 0; tick < 80 * 80; tick++) {
    for (const lane of all) {
      while (lane.startedAt[0] !== undefined && lane.startedAt[0] <= tick - 3 * 80) {
        lane.startedAt.shift();
        lane.room.ended(3000);
      }
      if (lane.room.count >= lane.room.most(80)) continue;
      lane.room.started(1);
      lane.startedAt.push(tick);
      if (tick >= 60 * 80) lane.sent++;
    }
  }
  return all.map(({ sent }) => sent / 20);
}
