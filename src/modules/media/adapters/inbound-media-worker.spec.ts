import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { SystemClock } from '../../../infra/system-clock';
import type { ClaimedFile } from '../domain/inbound-file';
import type { InboundMedia } from '../domain/inbound-media';
import type { FetchOutcome, MediaFetches } from '../domain/media-fetches';
import { InboundMediaWorker } from './inbound-media-worker';

describe('InboundMediaWorker', () => {
  let due: string[];
  let inFlight: string[];
  let maxInFlight: number;
  let finish: Map<string, (outcome: FetchOutcome) => void>;
  let warnings: string[];
  let announce: () => void;
  let worker: InboundMediaWorker | null;
  let claims: number;

  beforeEach(() => {
    [due, inFlight, warnings, maxInFlight, claims] = [[], [], [], 0, 0];
    finish = new Map();
    announce = () => undefined;
    worker = null;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: string) => void warnings.push(text));
  });

  afterEach(async () => {
    await worker?.onModuleDestroy();
    jest.restoreAllMocks();
  });

  function start(processesFiles = true, claim?: () => Promise<ClaimedFile[]>): void {
    const fetches = {
      claim:
        claim ??
        ((limit: number) => {
          claims++;
          return Promise.resolve(due.splice(0, limit).map((messageId) => ({ messageId }) as ClaimedFile));
        }),
      work: ({ messageId }: ClaimedFile, signal: AbortSignal) => {
        inFlight.push(messageId);
        maxInFlight = Math.max(maxInFlight, inFlight.length);
        return new Promise<FetchOutcome>((resolve) => {
          const end = (outcome: FetchOutcome) => {
            inFlight.splice(inFlight.indexOf(messageId), 1);
            resolve(outcome);
          };
          finish.set(messageId, end);
          signal.addEventListener('abort', () => end({ result: 'failed', problem: 'aborted' }));
        });
      },
    } as unknown as MediaFetches;
    worker = new InboundMediaWorker(
      { onWork: (handler: () => void) => (announce = handler) } as unknown as InboundMedia,
      fetches,
      { processesFiles },
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

  it('processes four files at once and starts the next as soon as one is done', async () => {
    due = ['1', '2', '3', '4', '5', '6'];
    start();
    await settle();
    expect(inFlight).toEqual(['1', '2', '3', '4']);
    await end('2');
    expect(inFlight).toEqual(['1', '3', '4', '5']);
    for (const id of ['1', '3', '4', '5', '6']) await end(id);
    expect([inFlight, maxInFlight]).toEqual([[], 4]);
  });

  it('starts immediately when work is announced', async () => {
    start();
    await settle();
    due = ['1'];
    announce();
    await settle();
    expect(inFlight).toEqual(['1']);
  });

  it('does nothing in a process with another role', async () => {
    due = ['1'];
    start(false);
    announce();
    await settle();
    expect([inFlight, claims]).toEqual([[], 0]);
  });

  it('aborts the files in flight when the process stops, and starts no others', async () => {
    due = ['1', '2', '3', '4', '5'];
    start();
    await settle();
    await worker!.onModuleDestroy();
    expect([inFlight, due]).toEqual([[], ['5']]);
    announce();
    await settle();
    expect(due).toEqual(['5']);
  });

  it('logs a failure that affects many files once, and each file that is gone', async () => {
    due = ['1', '2', '3', '4'];
    start();
    await settle();
    for (const id of ['1', '2']) await end(id, { result: 'failed', problem: 'ENOSPC: no space left' });
    for (const id of ['3', '4']) await end(id, { result: 'gone', problem: 'unknown' });
    expect(warnings).toEqual([
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
    expect(warnings).toEqual([expect.stringContaining('Connection terminated')]);
    unavailable = false;
    due = ['1'];
    announce();
    await settle();
    expect(inFlight).toEqual(['1']);
  });
});
