import { Logger } from '@nestjs/common';
import {
  platformTemplate,
  SyncLeasesInMemory,
  TemplatesInMemory,
  templateSyncWith,
} from '../../../../test/fakes/templates-in-memory';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import type { AccountStore } from '../../accounts/domain/account-store.port';
import { isTaskDue, type Sender, type SenderDueTimes, type SenderTaskTime } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { type DirectoryPage, DirectoryUnavailableError, TemplateDirectory } from '../domain/template-directory.port';
import { TemplatesService } from '../domain/templates.service';
import { TemplateSyncSchedule } from './template-sync-schedule';

const MINUTE = 60_000;
const UNSYNCED = {
  templatesSyncedAt: null,
  lastAcceptedAt: null,
  lastReportedAt: null,
  accessToken: null,
  appSecret: null,
};

/** A clock that the test advances; sleepers wake when they are due or aborted. */
class SteppedClock extends Clock {
  private time = Date.UTC(2026, 4, 1);
  private sleepers: { until: number; wake: () => void }[] = [];

  /** The share of the maximum jitter added to each pause. */
  jitterShare = 0.5;

  now = () => new Date(this.time);
  monotonic = () => this.time;

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.sleepers.push({ until: this.time + ms, wake });
      signal?.addEventListener('abort', wake);
    });
  }

  override jitter(ms: number): number {
    return ms * this.jitterShare;
  }

  async advance(ms: number): Promise<void> {
    for (const end = this.time + ms; this.time < end;) {
      this.time += 10_000;
      const due = this.sleepers.filter(({ until }) => until <= this.time);
      this.sleepers = this.sleepers.filter(({ until }) => until > this.time);
      due.forEach(({ wake }) => wake());
      await settled();
    }
  }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The platform: records which accounts were read; can hang or fail. */
class FakeDirectory extends TemplateDirectory {
  readonly read: string[] = [];
  unavailable = false;
  hangs = false;

  async *pages({ accountId }: Sender): AsyncGenerator<DirectoryPage> {
    this.read.push(accountId);
    if (this.hangs) await new Promise(() => undefined);
    if (this.unavailable) throw new DirectoryUnavailableError('unavailable');
    yield { templates: [platformTemplate('promo')], unreadable: [] };
  }
}

describe('TemplateSyncSchedule', () => {
  let clock: SteppedClock;
  let directory: FakeDirectory;
  let senders: Sender[];
  let unreadable: boolean;
  let store: TemplatesInMemory;
  let ofAccounts: SendersService;
  let schedule: TemplateSyncSchedule;

  beforeEach(() => {
    Logger.overrideLogger(false);
    clock = new SteppedClock();
    directory = new FakeDirectory();
    unreadable = false;
    senders = [{ ...UNSYNCED, id: 's1', accountId: 'a1' } as unknown as Sender];
    const accounts = {
      sendersDue: (task: SenderTaskTime, due: SenderDueTimes) => {
        if (unreadable) return Promise.reject(new Error('unreadable'));
        return Promise.resolve(senders.filter((one) => isTaskDue(one[task], one, due)).map(({ id }) => id));
      },
      sendersOf: (accountId: string) => Promise.resolve(senders.filter((sender) => sender.accountId === accountId)),
      sender: (id: string) => Promise.resolve(senders.find((sender) => sender.id === id) ?? null),
      markTemplatesSynced: (id: string, at: Date) => {
        senders = senders.map((sender) => (sender.id === id ? { ...sender, templatesSyncedAt: at } : sender));
        return Promise.resolve();
      },
    };
    const leases = new SyncLeasesInMemory();
    store = new TemplatesInMemory(leases);
    ofAccounts = new SendersService(accounts as unknown as AccountStore, clock);
    const templates = new TemplatesService(store, ofAccounts, clock);
    const templateSync = templateSyncWith({ senders: ofAccounts, directory, store, leases, templates, clock });
    schedule = new TemplateSyncSchedule(ofAccounts, templateSync, clock);
  });

  afterEach(() => Promise.race([schedule.onApplicationShutdown(), clock.advance(MINUTE)]));

  it('has synced the templates when the first start completes', async () => {
    await schedule.onApplicationBootstrap();
    expect((await store.all('a1')).map(({ name }) => name)).toEqual(['promo']);
  });

  it.each([0, 0.99])('syncs again every 15 minutes, with %s of its jitter', async (jitterShare) => {
    clock.jitterShare = jitterShare;
    await schedule.onApplicationBootstrap();
    await clock.advance(14 * MINUTE);
    expect(directory.read).toHaveLength(1);
    await clock.advance(3 * MINUTE);
    expect(directory.read).toHaveLength(2);
    await clock.advance(17 * MINUTE);
    expect(directory.read).toHaveLength(3);
  });

  it('syncs again every hour while the platform reports on the sender', async () => {
    await schedule.onApplicationBootstrap();
    for (let n = 0; n < 5; n++) {
      senders = [{ ...senders[0]!, lastReportedAt: clock.now() }];
      await clock.advance(10 * MINUTE);
    }
    expect(directory.read).toHaveLength(1);
    await clock.advance(15 * MINUTE);
    expect(directory.read).toHaveLength(2);
  });

  it('syncs daily while a sender is neither used nor reported on, and soon after it is used again', async () => {
    clock.jitterShare = 0;
    senders = [{ ...senders[0]!, id: uuidV7(clock.now().getTime()) }];
    await schedule.onApplicationBootstrap();
    await clock.advance(24 * 60 * MINUTE);
    const ofFirstDay = directory.read.length;
    expect(ofFirstDay).toBeGreaterThan(90);
    await clock.advance(72 * 60 * MINUTE);
    expect(directory.read.length - ofFirstDay).toBe(3);
    await clock.advance(60 * MINUTE);
    const before = directory.read.length;
    senders = [{ ...senders[0]!, lastAcceptedAt: clock.now() }];
    await clock.advance(2 * MINUTE);
    expect(directory.read.length - before).toBe(1);
  });

  it('skips accounts that another process has synced recently', async () => {
    senders = [{ ...senders[0]!, templatesSyncedAt: clock.now() }];
    await schedule.onApplicationBootstrap();
    expect(directory.read).toEqual([]);
  });

  it('includes a new account within two minutes', async () => {
    await schedule.onApplicationBootstrap();
    senders = [...senders, { ...UNSYNCED, id: 's2', accountId: 'a2' } as unknown as Sender];
    await clock.advance(2 * MINUTE);
    expect(directory.read).toEqual(['a1', 'a2']);
  });

  it('does not log refusals of a token that has its own warning', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    directory.unavailable = true;
    await schedule.onApplicationBootstrap();
    expect(warnings).toHaveBeenCalledTimes(1);
    ofAccounts.recordRefusal(senders[0]!, { code: 'platform_credentials_invalid', message: 'No.' });
    await clock.advance(40 * MINUTE);
    expect(directory.read.length).toBeGreaterThan(1);
    expect(warnings).toHaveBeenCalledTimes(1);
    warnings.mockRestore();
  });

  it('starts while the platform is unavailable, without retrying more often', async () => {
    directory.unavailable = true;
    await schedule.onApplicationBootstrap();
    await clock.advance(10 * MINUTE);
    expect(directory.read).toHaveLength(1);
    directory.unavailable = false;
    await clock.advance(7 * MINUTE);
    expect(await store.all('a1')).toHaveLength(1);
  });

  it('delays neither start nor stop while the platform hangs', async () => {
    directory.hangs = true;
    const started = schedule.onApplicationBootstrap();
    await settled();
    await clock.advance(10_000);
    await started;
    const stopped = schedule.onApplicationShutdown();
    await clock.advance(10_000);
    await stopped;
  });

  it('reads nothing after the stop', async () => {
    await schedule.onApplicationBootstrap();
    await schedule.onApplicationShutdown();
    await clock.advance(60 * MINUTE);
    expect(directory.read).toHaveLength(1);
  });

  it('continues after the senders could not be read', async () => {
    unreadable = true;
    await schedule.onApplicationBootstrap();
    unreadable = false;
    await clock.advance(2 * MINUTE);
    expect(directory.read).toHaveLength(1);
  });
});
