import { knownSenders } from '../../../../test/fakes/known-senders';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { BUSINESS_ACCOUNT, platformTemplate, TemplatesInMemory } from '../../../../test/fakes/templates-in-memory';
import { SyncSignal } from './sync-signal';
import type { PlatformTemplate, Template } from './template';
import { TemplateChanges, type TemplateStatusChange } from './template-changes';
import type { ReportedChange, TemplateReport } from './template-report';
import { TemplateReports } from './template-reports';
import { TemplatesService } from './templates.service';

const NO_SENDERS = knownSenders(() => []);

const KNOWN_AT = new Date('2026-05-01T10:00:00.500Z');
const SECOND = 1000;
const OWNER = { accountId: 'a', businessAccountId: BUSINESS_ACCOUNT };

describe('TemplateReports', () => {
  let store: TemplatesInMemory;
  let reports: TemplateReports;
  let templates: TemplatesService;
  let changes: TemplateStatusChange[];
  let requested: string[];

  beforeEach(() => {
    changes = [];
    requested = [];
    store = new TemplatesInMemory();
    const clock = new ManualClock();
    templates = new TemplatesService(store, NO_SENDERS, clock);
    const announced = new TemplateChanges();
    announced.onStatusChanged((statusChanges) => Promise.resolve(void changes.push(...statusChanges)));
    const syncSignal = new SyncSignal();
    syncSignal.onRequest((accountId) => requested.push(accountId));
    reports = new TemplateReports(new ImmediateUnitOfWork(), store, templates, announced, syncSignal, clock);
  });

  /** A template whose status and whole state were known at KNOWN_AT. */
  async function known(changed: Partial<PlatformTemplate> = {}): Promise<Template> {
    const put = store.put(
      'a',
      platformTemplate('promo', { languageCode: 'en_US', qualityRating: 'Green', ...changed }),
    );
    const template = { ...put, statusAt: KNOWN_AT, lastSyncedAt: KNOWN_AT };
    await store.saveState([template]);
    return template;
  }

  const report = (change: ReportedChange, parts: Partial<TemplateReport> = {}): TemplateReport => ({
    ...{ platformTemplateId: 'p-promo', name: 'promo', languageCode: 'en_US' },
    at: new Date(KNOWN_AT.getTime() + 60 * SECOND),
    change,
    ...parts,
  });
  const status = (to: Template['status'], parts: Partial<TemplateReport> = {}) =>
    report({ kind: 'status', status: to, reason: null }, parts);
  const promo = async () => (await store.byName('a', 'promo'))[0]!;

  it('applies a status immediately and announces it', async () => {
    const { id: templateId } = await known();
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).resolves.toBeDefined();
    await reports.apply(OWNER, [status('Paused')]);
    expect(await promo()).toMatchObject({ status: 'Paused', rejectionReason: null });
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_approved' });
    expect(changes).toEqual([
      { accountId: 'a', templateId, name: 'promo', languageCode: 'en_US', before: 'Approved', after: 'Paused' },
    ]);
    expect(requested).toEqual([]);
  });

  it('matches a language with a hyphen, and a template by its id alone', async () => {
    await known();
    await reports.apply(OWNER, [status('Paused', { languageCode: 'en-US' })]);
    expect((await promo()).status).toBe('Paused');
    await reports.apply(OWNER, [status('Approved', { name: null, languageCode: null })]);
    expect((await promo()).status).toBe('Approved');
  });

  it('stores the reason of a rejection, except NONE', async () => {
    await known({ status: 'Pending' });
    await reports.apply(OWNER, [report({ kind: 'status', status: 'Rejected', reason: 'SCAM\0' })]);
    expect(await promo()).toMatchObject({ status: 'Rejected', rejectionReason: 'SCAM\ufffd' });
    await reports.apply(OWNER, [report({ kind: 'status', status: 'Paused', reason: 'NONE' })]);
    expect((await promo()).rejectionReason).toBeNull();
  });

  it('applies quality and category without announcing a status', async () => {
    await known();
    await reports.apply(OWNER, [
      report({ kind: 'quality', rating: 'Red' }),
      report({ kind: 'category', category: 'Marketing' }),
    ]);
    expect(await promo()).toMatchObject({ qualityRating: 'Red', category: 'Marketing', status: 'Approved' });
    expect(changes).toEqual([]);
    expect(requested).toEqual([]);
  });

  it('applies several reports in order of time and announces the result', async () => {
    await known();
    const at = (seconds: number) => ({ at: new Date(KNOWN_AT.getTime() + seconds * SECOND) });
    await reports.apply(OWNER, [status('Approved', at(30)), status('Paused', at(10)), status('Disabled', at(40))]);
    expect(changes.map(({ before, after }) => `${before} ${after}`)).toEqual(['Approved Disabled']);
    expect(await promo()).toMatchObject({ status: 'Disabled', statusAt: at(40).at });
  });

  it.each<ReportedChange>([
    { kind: 'status', status: 'Paused', reason: null },
    { kind: 'quality', rating: 'Red' },
    { kind: 'category', category: 'Marketing' },
  ])('requests a sync if an older report contradicts the stored state: %j', async (change) => {
    const before = await known();
    await reports.apply(OWNER, [report(change, { at: new Date(KNOWN_AT.getTime() - 2 * SECOND) })]);
    expect(await promo()).toEqual(before);
    expect(requested).toEqual(['a']);
  });

  it('requests no sync for an older report that matches the stored state', async () => {
    await known();
    await reports.apply(OWNER, [status('Approved', { at: new Date(KNOWN_AT.getTime() - 2 * SECOND) })]);
    expect(requested).toEqual([]);
  });

  it('applies a report of the same second, which may be newer, and requests a sync', async () => {
    await known();
    await reports.apply(OWNER, [status('Paused', { at: new Date('2026-05-01T10:00:00Z') })]);
    expect(await promo()).toMatchObject({ status: 'Paused', statusAt: KNOWN_AT });
    expect(requested).toEqual(['a']);
  });

  it('requests a sync for new contents and for a template under review again', async () => {
    await known();
    await reports.apply(OWNER, [report({ kind: 'contents' })]);
    await reports.apply(OWNER, [status('Pending')]);
    expect(requested).toEqual(['a', 'a']);
  });

  it('requests one sync for unknown templates, unless they are deleted', async () => {
    await reports.apply(OWNER, [status('Deleted')]);
    expect(requested).toEqual([]);
    await reports.apply(OWNER, [status('Approved'), status('Paused', { name: 'other' })]);
    expect(requested).toEqual(['a']);
    expect(await store.all('a')).toEqual([]);
  });

  it('does not apply a report on a deleted template to its successor of the same name', async () => {
    const before = await known({ platformTemplateId: 'p-new' });
    await reports.apply(OWNER, [status('Deleted', { platformTemplateId: 'p-old' })]);
    expect(await promo()).toEqual(before);
  });

  it('does not change templates of other accounts', async () => {
    await known();
    await reports.apply({ ...OWNER, accountId: 'b' }, [status('Paused')]);
    expect((await promo()).status).toBe('Approved');
    expect(requested).toEqual(['b']);
  });
});
