import { AsyncLocalStorage } from 'node:async_hooks';
import { InProcessLaneQueue } from './in-process-lane-queue';

async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
}

describe('Wake-ups inside one process', () => {
  it('reach the handler after the caller has continued', async () => {
    const queue = new InProcessLaneQueue();
    const heard: string[] = [];
    queue.onWake((senderId) => heard.push(senderId));
    queue.wake('a');
    expect(heard).toEqual([]);
    await turn();

    expect(heard).toEqual(['a']);
  });

  it('do not carry the transaction of the caller into the lane', async () => {
    const transaction = new AsyncLocalStorage<string>();
    const queue = new InProcessLaneQueue();
    const seen: unknown[] = [];
    queue.onWake(() => seen.push(transaction.getStore()));
    transaction.run('open', () => queue.wake('a'));
    await turn();

    expect(seen).toEqual([undefined]);
  });

  it('are ignored without a handler, and after close', async () => {
    const queue = new InProcessLaneQueue();
    const heard: string[] = [];
    queue.wake('a');
    queue.onWake((senderId) => heard.push(senderId));
    await queue.close();
    queue.wake('b');
    await turn();

    expect(heard).toEqual([]);
  });
});
