import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { SystemClock } from '../../../infra/system-clock';
import type { ClaimedFile } from '../domain/inbound-file';
import type { InboundMedia } from '../domain/inbound-media.service';
import type { FetchOutcome, MediaFetches } from '../domain/media-fetches.service';
import { InboundMediaWorker } from './inbound-media-worker';

describe('A worker on inbound media', () => {
  let due: string[];
  let underWay: string[];
  let most: number;
  let finish: Map<string, (outcome: FetchOutcome) => void>;
  let said: string[];
  let announce: () => void;
  let worker: InboundMediaWorker | null;
  let claims: number;

  beforeEach(() => {
    [due, underWay, said, most, claims] = [[], [], [], 0, 0];
    finish = new Map();
    announce = () => undefined;
    worker = null;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: string) => void said.push(text));
  });

  afterEach(async () => {
    await worker?.onModuleDestroy();
    jest.restoreAllMocks();
  });

  function start(worksOnFiles = true, claim?: () => Promise<ClaimedFile[]>): void {
    const fetches = {
      claim:
        claim ??
        ((limit: number) => {
          claims++;
          return Promise.resolve(due.splice(0, limit).map((messageId) => ({ messageId }) as ClaimedFile));
        }),
      work: ({ messageId }: ClaimedFile, signal: AbortSignal) => {
        underWay.push(messageId);
        most = Math.max(most, underWay.length);
        return new Promise<FetchOutcome>((resolve) => {
          const end = (outcome: FetchOutcome) => {
            underWay.splice(underWay.indexOf(messageId), 1);
            resolve(outcome);
          };
          finish.set(messageId, end);
          signal.addEventListener('abort', () => end({ result: 'failed', problem: 'cut off' }));
        });
      },
    } as unknown as MediaFetches;
    worker = new InboundMediaWorker(
      { onWork: (handler: () => void) => (announce = handler) } as unknown as InboundMedia,
      fetches,
      { worksOnFiles },
      new SystemClock(),
      new Registry(),
    );
    worker.onApplicationBootstrap();
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  const end = async (messageId: string, outcome: Partial<FetchOutcome> = {}) => {
    finish.get(messageId)!({ result: 'kept', problem: null, ...outcome });
    await settle();
  };

  it('works on four files at once, and begins the next as soon as one is done', async () => {
    due = ['1', '2', '3', '4', '5', '6'];
    start();
    await settle();
    expect(underWay).toEqual(['1', '2', '3', '4']);
    await end('2');
    expect(underWay).toEqual(['1', '3', '4', '5']);
    for (const id of ['1', '3', '4', '5', '6']) await end(id);
    expect([underWay, most]).toEqual([[], 4]);
  });

  it('begins at once when work is announced', async () => {
    start();
    await settle();
    due = ['1'];
    announce();
    await settle();
    expect(underWay).toEqual(['1']);
  });

  it('does nothing in a process with another role', async () => {
    due = ['1'];
    start(false);
    announce();
    await settle();
    expect([underWay, claims]).toEqual([[], 0]);
  });

  it('aborts the files under way when the process stops, and begins no others', async () => {
    due = ['1', '2', '3', '4', '5'];
    start();
    await settle();
    await worker!.onModuleDestroy();
    expect([underWay, due]).toEqual([[], ['5']]);
    announce();
    await settle();
    expect(due).toEqual(['5']);
  });

  it('logs a failure that affects many files once, and each file that is lost', async () => {
    due = ['1', '2', '3', '4'];
    start();
    await settle();
    for (const id of ['1', '2']) await end(id, { result: 'failed', problem: 'ENOSPC: no space left' });
    for (const id of ['3', '4']) await end(id, { result: 'gone', problem: 'unknown' });
    expect(said).toEqual([
      expect.stringContaining('ENOSPC: no space left'),
      'The media of message 3 cannot be fetched from the platform: unknown',
      'The media of message 4 cannot be fetched from the platform: unknown',
    ]);
  });

  it('continues once the database is available again', async () => {
    let unavailable = true;
    start(true, () => {
      if (unavailable) return Promise.reject(new Error('Connection terminated'));
      return Promise.resolve(due.splice(0, 1).map((messageId) => ({ messageId }) as ClaimedFile));
    });
    await settle();
    expect(said).toEqual([expect.stringContaining('Connection terminated')]);
    unavailable = false;
    due = ['1'];
    announce();
    await settle();
    expect(underWay).toEqual(['1']);
  });
});
