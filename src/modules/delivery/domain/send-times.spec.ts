import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { SendTimes } from './send-times';

describe('The send times of a sender', () => {
  it('keep their order after a late request, so that a lower pace counts from the last one', () => {
    const times = new SendTimes();
    const late = times.next(0, 2);
    times.next(0, 2);
    late.at = 900;
    expect([times.next(900, 2).at, times.next(900, 2).at]).toEqual([1904, 1904]);
    expect(times.next(900, 1).at).toBe(2908);
  });
});

describe('A delayed lane', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(() => engine.stop());

  it('never exceeds its pace in any second, after any delay', async () => {
    engine.sender = { ...engine.sender, messagesPerSecond: 200 };
    const job = await engine.addJob(600);
    const process = engine.start();
    const times: number[] = [];
    engine.platform.answer = () => {
      times.push(process.clock.monotonic());
      return accepted();
    };
    while (!engine.isDone(job)) {
      await engine.advance(700);
      process.frozen = true;
      await engine.advance(40);
      process.frozen = false;
    }
    times.sort((a, b) => a - b);

    const apart = times.slice(200).map((at, index) => at - times[index]!);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(1000);
    expect(600 / ((times.at(-1)! - times[0]!) / 1000)).toBeGreaterThanOrEqual(200 * 0.985);
  });

  it('counts from the time a request was actually sent, after it waited for a connection', async () => {
    engine.sender = { ...engine.sender, messagesPerSecond: 80 };
    const job = await engine.addJob(240);
    const process = engine.start();
    const times: number[] = [];
    engine.platform.answer = () => {
      times.push(process.clock.monotonic());
      return accepted();
    };
    engine.platform.departureMs = 40;
    await engine.advance(1000);
    engine.platform.departureMs = 0;
    await engine.advance(6000);

    expect(engine.isDone(job)).toBe(true);
    times.sort((a, b) => a - b);
    const apart = times.slice(80).map((at, index) => at - times[index]!);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(1000);
  });
});
