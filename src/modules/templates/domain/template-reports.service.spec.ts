import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { platformTemplate, TemplatesInMemory } from '../../../../test/fakes/templates-in-memory';
import { SyncSignal } from './sync-signal';
import type { PlatformTemplate, Template } from './template';
import { TemplateChanges, type TemplateStatusChange } from './template-changes';
import type { ReportedChange, TemplateReport } from './template-report';
import { TemplateReports } from './template-reports.service';
import { TemplatesService } from './templates.service';

const KNOWN_AT = new Date('2026-05-01T10:00:00.500Z');
const SECOND = 1000;

describe('TemplateReports', () => {
  let store: TemplatesInMemory;
  let reports: TemplateReports;
  let templates: TemplatesService;
  let changes: TemplateStatusChange[];
  let wanted: string[];

  beforeEach(() => {
    changes = [];
    wanted = [];
    store = new TemplatesInMemory();
    const clock = new ManualClock();
    templates = new TemplatesService(store, clock);
    const announced = new TemplateChanges();
    announced.onStatusChanged((heard) => Promise.resolve(void changes.push(...heard)));
    const syncSignal = new SyncSignal();
    syncSignal.onWanted((accountId) => wanted.push(accountId));
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

  it('takes a status over at once and announces it', async () => {
    const { id: templateId } = await known();
    await expect(templates.sendable('a', 'promo', 'en_US')).resolves.toBeDefined();
    await reports.take('a', [status('Paused')]);
    expect(await promo()).toMatchObject({ status: 'Paused', rejectionReason: null });
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_approved' });
    expect(changes).toEqual([
      { accountId: 'a', templateId, name: 'promo', languageCode: 'en_US', before: 'Approved', after: 'Paused' },
    ]);
    expect(wanted).toEqual([]);
  });

  it('knows a language with a hyphen, and a template by the id alone', async () => {
    await known();
    await reports.take('a', [status('Paused', { languageCode: 'en-US' })]);
    expect((await promo()).status).toBe('Paused');
    await reports.take('a', [status('Approved', { name: null, languageCode: null })]);
    expect((await promo()).status).toBe('Approved');
  });

  it('keeps the reason of a rejection, but none that says NONE', async () => {
    await known({ status: 'Pending' });
    await reports.take('a', [report({ kind: 'status', status: 'Rejected', reason: 'SCAM\0' })]);
    expect(await promo()).toMatchObject({ status: 'Rejected', rejectionReason: 'SCAM\ufffd' });
    await reports.take('a', [report({ kind: 'status', status: 'Paused', reason: 'NONE' })]);
    expect((await promo()).rejectionReason).toBeNull();
  });

  it('takes quality and category over without announcing a status', async () => {
    await known();
    await reports.take('a', [
      report({ kind: 'quality', rating: 'Red' }),
      report({ kind: 'category', category: 'Marketing' }),
    ]);
    expect(await promo()).toMatchObject({ qualityRating: 'Red', category: 'Marketing', status: 'Approved' });
    expect(changes).toEqual([]);
    expect(wanted).toEqual([]);
  });

  it('applies several reports in the order of their times, and announces what came of them', async () => {
    await known();
    const at = (seconds: number) => ({ at: new Date(KNOWN_AT.getTime() + seconds * SECOND) });
    await reports.take('a', [status('Approved', at(30)), status('Paused', at(10)), status('Disabled', at(40))]);
    expect(changes.map(({ before, after }) => `${before} ${after}`)).toEqual(['Approved Disabled']);
    expect(await promo()).toMatchObject({ status: 'Disabled', statusAt: at(40).at });
  });

  it.each<ReportedChange>([
    { kind: 'status', status: 'Paused', reason: null },
    { kind: 'quality', rating: 'Red' },
    { kind: 'category', category: 'Marketing' },
  ])('asks the list when an older report contradicts what is known: %j', async (change) => {
    const before = await known();
    await reports.take('a', [report(change, { at: new Date(KNOWN_AT.getTime() - 2 * SECOND) })]);
    expect(await promo()).toEqual(before);
    expect(wanted).toEqual(['a']);
  });

  it('needs no list for an older report that says what is known', async () => {
    await known();
    await reports.take('a', [status('Approved', { at: new Date(KNOWN_AT.getTime() - 2 * SECOND) })]);
    expect(wanted).toEqual([]);
  });

  it('believes a report of the same second, which may be newer, and asks the list all the same', async () => {
    await known();
    await reports.take('a', [status('Paused', { at: new Date('2026-05-01T10:00:00Z') })]);
    expect(await promo()).toMatchObject({ status: 'Paused', statusAt: KNOWN_AT });
    expect(wanted).toEqual(['a']);
  });

  it('asks the list for new contents, and when a template went to review again', async () => {
    await known();
    await reports.take('a', [report({ kind: 'contents' })]);
    await reports.take('a', [status('Pending')]);
    expect(wanted).toEqual(['a', 'a']);
  });

  it('asks the list once for templates that nobody knows, unless they are deleted', async () => {
    await reports.take('a', [status('Deleted')]);
    expect(wanted).toEqual([]);
    await reports.take('a', [status('Approved'), status('Paused', { name: 'other' })]);
    expect(wanted).toEqual(['a']);
    expect(await store.all('a')).toEqual([]);
  });

  it('does not take a report on a deleted template for one on its successor of the same name', async () => {
    const before = await known({ platformTemplateId: 'p-new' });
    await reports.take('a', [status('Deleted', { platformTemplateId: 'p-old' })]);
    expect(await promo()).toEqual(before);
  });

  it('leaves the templates of other accounts alone', async () => {
    await known();
    await reports.take('b', [status('Paused')]);
    expect((await promo()).status).toBe('Approved');
    expect(wanted).toEqual(['b']);
  });
});
