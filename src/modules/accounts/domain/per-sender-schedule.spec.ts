import { FakeClock } from '../../../../test/fakes/fake-clock';
import { PerSenderSchedule } from './per-sender-schedule';
import type { SendersService } from './senders.service';

describe('A task that is repeated for every sender', () => {
  it.each([
    ['reports a failed round', false, ['Driver not Connected']],
    ['does not report a round that fails after a stop, which closes the database', true, []],
  ])('%s', async (_, isStopped, expected) => {
    const failures: string[] = [];
    let fail!: (error: Error) => void;
    const due = new Promise<string[]>((_found, failed) => (fail = failed));
    const schedule = new PerSenderSchedule({ due: () => due } as unknown as SendersService, new FakeClock(), {
      name: 'sender_task',
      recordedAs: 'limitsReadAt',
      due: () => ({}) as never,
      run: () => Promise.resolve(true),
      failed: ({ message }) => failures.push(message),
    });
    const started = schedule.start(1_000);
    const stopped = isStopped ? schedule.stop() : null;
    fail(new Error('Driver not Connected'));
    await Promise.all([started, stopped]);
    await schedule.stop();
    expect(failures).toEqual(expected);
  });
});
