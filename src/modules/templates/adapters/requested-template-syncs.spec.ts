import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { SyncSignal } from '../domain/sync-signal';
import type { SyncResult, TemplateSync } from '../domain/template-sync';
import { SyncInProgressError } from '../domain/templates.errors';
import { RequestedTemplateSyncs } from './requested-template-syncs';

describe('RequestedTemplateSyncs', () => {
  let clock: FakeClock;
  let signal: SyncSignal;
  let syncs: RequestedTemplateSyncs;
  let synced: string[];
  let answer: () => Promise<SyncResult>;

  beforeEach(() => {
    Logger.overrideLogger(false);
    clock = new FakeClock();
    signal = new SyncSignal();
    synced = [];
    answer = () => Promise.resolve({ added: 0, updated: 1, removed: 0 } as SyncResult);
    const templateSync = { sync: (accountId: string) => (synced.push(accountId), answer()) };
    syncs = new RequestedTemplateSyncs(signal, templateSync as unknown as TemplateSync, clock);
    syncs.onApplicationBootstrap();
  });

  afterEach(() => syncs.onApplicationShutdown());

  it('syncs once for a burst of signals, each account separately', async () => {
    for (let count = 0; count < 100; count++) signal.request('a');
    signal.request('b');
    await clock.advance(10_000);
    expect(synced).toEqual(['a', 'b']);
  });

  it('syncs once more, seconds later, for signals during a sync', async () => {
    let finish = (): void => undefined;
    answer = () => new Promise((resolve) => (finish = () => resolve({} as SyncResult)));
    signal.request('a');
    await clock.advance(300);
    signal.request('a');
    signal.request('a');
    finish();
    await clock.advance(4_900);
    expect(synced).toEqual(['a']);
    await clock.advance(100);
    expect(synced).toEqual(['a', 'a']);
    finish();
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a']);
  });

  it('syncs an account at most every 5 seconds while signals continue', async () => {
    for (let second = 0; second < 30; second++) {
      signal.request('a');
      await clock.advance(1_000);
    }
    expect(synced.length).toBeGreaterThanOrEqual(5);
    expect(synced.length).toBeLessThanOrEqual(7);
  });

  it('retries while another sync is running', async () => {
    const done = answer;
    answer = () => Promise.reject(new SyncInProgressError());
    signal.request('a');
    await clock.advance(12_000);
    answer = done;
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a', 'a', 'a']);
  });

  it('does not retry a failed sync until the next signal', async () => {
    answer = () => Promise.reject(new Error('database unavailable'));
    signal.request('a');
    await clock.advance(60_000);
    signal.request('a');
    await clock.advance(60_000);
    expect(synced).toEqual(['a', 'a']);
  });

  it('starts nothing after the stop', async () => {
    signal.request('a');
    await syncs.onApplicationShutdown();
    signal.request('b');
    await clock.advance(60_000);
    expect(synced).toEqual([]);
  });
});
