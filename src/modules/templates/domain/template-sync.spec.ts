import {
  BUSINESS_ACCOUNT,
  platformTemplate,
  SyncLeasesInMemory,
  TemplatesInMemory,
  templateSyncWith,
} from '../../../../test/fakes/templates-in-memory';
import { SystemClock } from '../../../infra/system-clock';
import type { AccountStore } from '../../accounts/domain/account-store.port';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import {
  type DirectoryPage,
  DirectoryRefusedError,
  DirectoryUnavailableError,
  TemplateDirectory,
} from './template-directory.port';
import { SyncSignal } from './sync-signal';
import { TemplateChanges, type TemplateStatusChange } from './template-changes';
import type { TemplateSync } from './template-sync';
import { TemplatesService } from './templates.service';

/** A list of the given pages; an error in place of a page is thrown. */
class FakeDirectory extends TemplateDirectory {
  list: (Partial<DirectoryPage> | Error)[] = [];
  /** Of a business account, instead of `list`. */
  readonly lists = new Map<string, (Partial<DirectoryPage> | Error)[]>();
  readonly read: string[] = [];
  beforeEach: () => Promise<void> = () => Promise.resolve();

  async *pages({ id, businessAccountId }: Sender): AsyncGenerator<DirectoryPage> {
    this.read.push(id);
    for (const page of this.lists.get(businessAccountId) ?? this.list) {
      await this.beforeEach();
      if (page instanceof Error) throw page;
      yield { templates: [], unreadable: [], ...page };
    }
  }
}

const ACCESS = { accessToken: 'token', appSecret: 'secret' };
const SENDER = { id: 's', accountId: 'a', businessAccountId: BUSINESS_ACCOUNT, ...ACCESS } as Sender;
/** Of an account with two business accounts. */
const SEVERAL = [
  { ...SENDER, id: 's1', accountId: 'c' },
  { ...SENDER, id: 's2', accountId: 'c' },
  { ...SENDER, id: 's3', accountId: 'c', businessAccountId: '3' },
];
const OF = (name: string) => ({ name, languageCode: 'de' });

describe('TemplateSync', () => {
  let leases: SyncLeasesInMemory;
  let store: TemplatesInMemory;
  let directory: FakeDirectory;
  let templates: TemplatesService;
  let templateSync: TemplateSync;
  let synced: [string, Date][];
  let changes: TemplateStatusChange[];
  let requested: string[];

  beforeEach(() => {
    synced = [];
    const accounts = {
      sendersOf: (accountId: string) =>
        Promise.resolve([SENDER, ...SEVERAL].filter((one) => one.accountId === accountId)),
      markTemplatesSynced: (senderId: string, at: Date) => Promise.resolve(void synced.push([senderId, at])),
    };
    const clock = new SystemClock();
    leases = new SyncLeasesInMemory();
    store = new TemplatesInMemory(leases);
    directory = new FakeDirectory();
    const senders = new SendersService(accounts as unknown as AccountStore, clock);
    templates = new TemplatesService(store, senders, clock);
    changes = [];
    requested = [];
    const announced = new TemplateChanges();
    announced.onStatusChanged((statusChanges) => Promise.resolve(void changes.push(...statusChanges)));
    const syncSignal = new SyncSignal();
    syncSignal.onRequest((accountId) => requested.push(accountId));
    const parts = { senders, directory, store, leases, templates, clock };
    templateSync = templateSyncWith({ ...parts, changes: announced, syncSignal });
  });

  const statuses = async () => Object.fromEntries((await store.all('a')).map(({ name, status }) => [name, status]));

  it('applies every page and returns counts', async () => {
    store.put('a', platformTemplate('same'));
    store.put('a', platformTemplate('changed', { status: 'Pending' }));
    store.put('a', platformTemplate('gone'));
    directory.list = [
      { templates: [platformTemplate('new'), platformTemplate('same')] },
      { templates: [platformTemplate('changed')] },
    ];
    const result = await templateSync.sync('a');
    expect(result).toMatchObject({ added: 1, updated: 1, removed: 1, unchanged: 1, failed: [], complete: true });
    expect(result.finishedAt.getTime()).toBeGreaterThanOrEqual(result.startedAt.getTime());
    expect(await statuses()).toEqual({ new: 'Approved', same: 'Approved', changed: 'Approved', gone: 'Deleted' });
    expect(synced).toEqual([['s', result.finishedAt]]);
  });

  it('makes found templates sendable immediately', async () => {
    store.put('a', platformTemplate('promo', { status: 'Pending' }));
    await expect(templates.sendable(SENDER, 'promo', 'de')).rejects.toMatchObject({ code: 'template_not_approved' });
    directory.list = [{ templates: [platformTemplate('promo')] }];
    await templateSync.sync('a');
    expect(await templates.sendable(SENDER, 'promo', 'de')).toMatchObject({ name: 'promo' });
  });

  it('stores the pages it read and deletes nothing if a page fails', async () => {
    store.put('a', platformTemplate('old'));
    directory.list = [{ templates: [platformTemplate('new')] }, new DirectoryUnavailableError('Page 2: HTTP 502')];
    expect(await templateSync.sync('a')).toMatchObject({
      ...{ added: 1, removed: 0, complete: false },
      failed: [{ name: null, languageCode: null, reason: 'Page 2: HTTP 502' }],
    });
    expect(await statuses()).toEqual({ new: 'Approved', old: 'Approved' });
    expect(synced).toEqual([]);
  });

  it('reports a refused access token, unless it has read a page', async () => {
    const problem = { code: 'platform_credentials_invalid', message: 'Store a new one.' } as const;
    const refused = new DirectoryRefusedError('Page: ended (code 190)', problem, 190);
    directory.list = [refused];
    const error = { ...problem, kind: 'unprocessable', extra: { platformCode: 190 } };
    await expect(templateSync.sync('a')).rejects.toMatchObject(error);
    expect(leases.owners.size).toBe(0);
    directory.list = [{ templates: [platformTemplate('new')] }, refused];
    expect(await templateSync.sync('a')).toMatchObject({ added: 1, complete: false, failed: [{ name: null }] });
  });

  it('reports unreadable entries and is still complete', async () => {
    const odd = { name: 'odd', languageCode: 'de', reason: 'unknown status FROZEN' };
    store.put('a', platformTemplate('odd'));
    directory.list = [{ unreadable: [odd] }];
    expect(await templateSync.sync('a')).toMatchObject({ failed: [odd], complete: true, removed: 0 });
  });

  it('runs once at a time for an account', async () => {
    let proceed: () => void = () => undefined;
    directory.list = [{}];
    directory.beforeEach = () => new Promise((resolve) => (proceed = resolve));
    const first = templateSync.sync('a');
    await new Promise((resolve) => setImmediate(resolve));
    await expect(templateSync.sync('a')).rejects.toMatchObject({ code: 'sync_in_progress', kind: 'conflict' });
    proceed();
    expect(await first).toMatchObject({ complete: true });
    directory.beforeEach = () => Promise.resolve();
    expect(await templateSync.sync('a')).toMatchObject({ complete: true });
  });

  it('writes nothing when its lease was lost meanwhile', async () => {
    directory.list = [{ templates: [platformTemplate('new')] }];
    directory.beforeEach = () => Promise.resolve(leases.lose('a'));
    await expect(templateSync.sync('a')).rejects.toMatchObject({ code: 'sync_in_progress' });
    expect(await store.all('a')).toEqual([]);
  });

  it('releases the lease when it fails', async () => {
    directory.list = [new Error('a bug')];
    await expect(templateSync.sync('a')).rejects.toThrow('a bug');
    expect(leases.owners.size).toBe(0);
  });

  it('announces status changes, but not new templates', async () => {
    store.put('a', platformTemplate('same'));
    store.put('a', platformTemplate('reviewed', { status: 'Pending' }));
    store.put('a', platformTemplate('gone'));
    directory.list = [{ templates: [platformTemplate('new'), platformTemplate('same'), platformTemplate('reviewed')] }];
    await templateSync.sync('a');
    expect(changes).toEqual([
      { accountId: 'a', templateId: 'reviewed-de', ...OF('reviewed'), before: 'Pending', after: 'Approved' },
      { accountId: 'a', templateId: 'gone-de', ...OF('gone'), before: 'Approved', after: 'Deleted' },
    ]);
    expect(requested).toEqual([]);
  });

  it('keeps what a report changed while the list was read, and requests another sync', async () => {
    const known = store.put('a', platformTemplate('promo'));
    directory.list = [{ templates: [platformTemplate('promo', { qualityRating: 'Green' })] }];
    directory.beforeEach = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await store.saveState([{ ...known, status: 'Paused', updatedAt: new Date() }]);
    };
    await templateSync.sync('a');
    expect(await statuses()).toEqual({ promo: 'Paused' });
    expect(changes).toEqual([]);
    expect(requested).toEqual(['a']);
  });

  describe('of an account with several business accounts', () => {
    const refused = new DirectoryRefusedError(
      'Page: ended (code 190)',
      { code: 'platform_credentials_invalid', message: 'Store a new one.' },
      190,
    );

    it('reads each list once, and marks all senders', async () => {
      store.put('c', platformTemplate('gone'));
      directory.lists.set(BUSINESS_ACCOUNT, [{ templates: [platformTemplate('promo'), platformTemplate('own')] }]);
      directory.lists.set('3', [{ templates: [platformTemplate('promo', { category: 'Marketing' })] }]);
      expect(await templateSync.sync('c')).toMatchObject({ added: 3, removed: 1, failed: [], complete: true });
      expect(directory.read).toEqual(['s1', 's3']);
      expect(synced.map(([id]) => id)).toEqual(['s1', 's2', 's3']);
      const of = (businessAccountId: string) => ({ accountId: 'c', businessAccountId });
      expect((await templates.sendable(of('3'), 'promo', 'de')).category).toBe('Marketing');
      expect((await templates.sendable(of(BUSINESS_ACCOUNT), 'promo', 'de')).category).toBe('Utility');
    });

    it('reads the others if the platform refuses one token, and fails only if it refuses all', async () => {
      directory.lists.set(BUSINESS_ACCOUNT, [refused]);
      directory.lists.set('3', [{ templates: [platformTemplate('promo')] }]);
      expect(await templateSync.sync('c')).toMatchObject({
        ...{ added: 1, complete: false },
        failed: [{ name: null, languageCode: null, reason: 'Store a new one.' }],
      });
      expect(synced.map(([id]) => id)).toEqual(['s3']);
      directory.lists.set('3', [refused]);
      await expect(templateSync.sync('c')).rejects.toMatchObject({ code: 'platform_credentials_invalid' });
    });
  });

  it('requires a sender', async () => {
    await expect(templateSync.sync('b')).rejects.toMatchObject({ code: 'sender_missing' });
  });
});
