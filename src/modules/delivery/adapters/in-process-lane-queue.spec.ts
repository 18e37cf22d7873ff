import { AsyncLocalStorage } from 'node:async_hooks';
import { InProcessLaneQueue } from './in-process-lane-queue';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('Knocks inside one process', () => {
  it('reach whoever listens, after the one who knocked has gone on', async () => {
    const queue = new InProcessLaneQueue();
    const heard: string[] = [];
    queue.onKnock((senderId) => heard.push(senderId));
    queue.knock('a');
    expect(heard).toEqual([]);
    await turn();

    expect(heard).toEqual(['a']);
  });

  it('do not carry the transaction of the one who knocked into the lane', async () => {
    const transaction = new AsyncLocalStorage<string>();
    const queue = new InProcessLaneQueue();
    const seen: unknown[] = [];
    queue.onKnock(() => seen.push(transaction.getStore()));
    transaction.run('open', () => queue.knock('a'));
    await turn();

    expect(seen).toEqual([undefined]);
  });

  it('are nothing while nobody listens, and after the end', async () => {
    const queue = new InProcessLaneQueue();
    const heard: string[] = [];
    queue.knock('a');
    queue.onKnock((senderId) => heard.push(senderId));
    await queue.close();
    queue.knock('b');
    await turn();

    expect(heard).toEqual([]);
  });
});
