import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { SyncSignal } from '../domain/sync-signal';
import type { SyncResult, TemplateSync } from '../domain/template-sync.service';
import { SyncInProgressError } from '../domain/templates.errors';
import { PromptedTemplateSyncs } from './prompted-template-syncs';

describe('PromptedTemplateSyncs', () => {
  let clock: FakeClock;
  let signal: SyncSignal;
  let syncs: PromptedTemplateSyncs;
  let synced: string[];
  let answer: () => Promise<SyncResult>;

  beforeEach(() => {
    Logger.overrideLogger(false);
    clock = new FakeClock();
    signal = new SyncSignal();
    synced = [];
    answer = () => Promise.resolve({ added: 0, updated: 1, removed: 0 } as SyncResult);
    const templateSync = { sync: (accountId: string) => (synced.push(accountId), answer()) };
    syncs = new PromptedTemplateSyncs(signal, templateSync as unknown as TemplateSync, clock);
    syncs.onApplicationBootstrap();
  });

  afterEach(() => syncs.onApplicationShutdown());

  it('syncs once for a bunch of signals, each account for itself', async () => {
    for (let count = 0; count < 100; count++) signal.wanted('a');
    signal.wanted('b');
    await clock.advance(10_000);
    expect(synced).toEqual(['a', 'b']);
  });

  it('syncs once more, seconds later, for what came while it synced', async () => {
    let goOn = (): void => undefined;
    answer = () => new Promise((resolve) => (goOn = () => resolve({} as SyncResult)));
    signal.wanted('a');
    await clock.advance(300);
    signal.wanted('a');
    signal.wanted('a');
    goOn();
    await clock.advance(4_900);
    expect(synced).toEqual(['a']);
    await clock.advance(100);
    expect(synced).toEqual(['a', 'a']);
    goOn();
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a']);
  });

  it('reads no account more often than every 5 seconds, however long the signals go on', async () => {
    for (let second = 0; second < 30; second++) {
      signal.wanted('a');
      await clock.advance(1_000);
    }
    expect(synced.length).toBeGreaterThanOrEqual(5);
    expect(synced.length).toBeLessThanOrEqual(7);
  });

  it('waits for a sync that somebody else runs, and then syncs itself', async () => {
    const done = answer;
    answer = () => Promise.reject(new SyncInProgressError());
    signal.wanted('a');
    await clock.advance(12_000);
    answer = done;
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a', 'a', 'a']);
  });

  it('gives up on a sync that fails, until the next signal', async () => {
    answer = () => Promise.reject(new Error('database away'));
    signal.wanted('a');
    await clock.advance(60_000);
    signal.wanted('a');
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a']);
  });

  it('begins nothing once it is stopped', async () => {
    signal.wanted('a');
    await syncs.onApplicationShutdown();
    signal.wanted('b');
    await clock.advance(60_000);
    expect(synced).toEqual([]);
  });
});
