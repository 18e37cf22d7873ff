import { platformTemplate } from '../../../../test/fakes/templates-in-memory';
import { planSync } from './sync-plan';
import type { PlatformTemplate, Template } from './template';

const AT = new Date('2026-05-01T10:00:00Z');
const STARTED = new Date('2026-05-01T09:59:58Z');
const EARLIER = new Date('2026-04-01T10:00:00Z');

function found(name: string, changes: Partial<PlatformTemplate> = {}, bodyText = 'Hello {{1}}'): PlatformTemplate {
  const { components } = platformTemplate(name);
  return platformTemplate(name, { components: { ...components, bodyText }, ...changes });
}

function known(name: string, changes: Partial<PlatformTemplate> = {}): Template {
  const ids = { id: `id-${name}`, accountId: 'a', businessAccountId: 'b', revisionId: `r-${name}` };
  return {
    ...found(name, changes),
    ...ids,
    statusAt: EARLIER,
    createdAt: EARLIER,
    updatedAt: EARLIER,
    lastSyncedAt: EARLIER,
  };
}

const plan = (before: Template[], templates: PlatformTemplate[], rest: object = {}) =>
  planSync(
    { accountId: 'a', businessAccountId: 'b' },
    before,
    { startedAt: STARTED, templates, failed: [], complete: true, ...rest },
    AT,
  );
const names = (templates: Template[]) => templates.map(({ name }) => name);

describe('planSync', () => {
  it('adds new templates so that the first on the platform is the newest', () => {
    const { added } = plan([], [found('newest'), found('older')]);
    expect(names(added)).toEqual(['older', 'newest']);
    expect(added[0]!.id < added[1]!.id).toBe(true);
    expect(added[0]).toMatchObject({ accountId: 'a', createdAt: AT, lastSyncedAt: AT });
  });

  it('keeps the explanation of a rejection, of which the list has only the code', () => {
    const rejected = { status: 'Rejected', rejectionReason: 'INVALID_FORMAT' } as const;
    const explained = known('a', { ...rejected, rejectionReason: 'INVALID_FORMAT: Put words between the parameters.' });
    expect(plan([explained], [found('a', rejected)])).toMatchObject({ updated: [], unchanged: [explained] });
    expect(plan([explained], [found('a', { ...rejected, rejectionReason: 'SCAM' })])).toMatchObject({
      updated: [{ rejectionReason: 'SCAM' }],
    });
  });

  it('leaves equal templates unchanged', () => {
    const result = plan([known('a')], [found('a')]);
    expect(result).toMatchObject({ added: [], updated: [], removed: [] });
    expect(names(result.unchanged)).toEqual(['a']);
  });

  it.each<Partial<PlatformTemplate>>([
    { status: 'Paused' },
    { category: 'Marketing' },
    { qualityRating: 'Red' },
    { rejectionReason: 'SCAM' },
    { platformTemplateId: 'p-2' },
  ])('keeps the revision when only %j changed', (change) => {
    const [updated] = plan([known('a')], [found('a', change)]).updated;
    expect(updated).toMatchObject({ ...change, id: 'id-a', revisionId: 'r-a', createdAt: EARLIER, updatedAt: AT });
  });

  it('creates a revision when the contents changed', () => {
    const [updated] = plan([known('a')], [found('a', {}, 'Other {{1}}')]).updated;
    expect(updated?.revisionId).not.toBe('r-a');
    expect(updated?.components.bodyText).toBe('Other {{1}}');
  });

  it('ignores the order of fields in contents', () => {
    const before = known('a');
    const { bodyText, ...rest } = before.components;
    expect(plan([{ ...before, components: { bodyText, ...rest } }], [found('a')]).unchanged).toHaveLength(1);
  });

  it('keeps languages of one name apart', () => {
    const result = plan([known('a')], [found('a'), found('a', { languageCode: 'en_US' })]);
    expect(result.added.map(({ languageCode }) => languageCode)).toEqual(['en_US']);
  });

  it('marks missing templates as deleted, once', () => {
    const { removed } = plan([known('a'), known('b', { status: 'Deleted' })], []);
    expect(removed).toMatchObject([{ name: 'a', status: 'Deleted', updatedAt: AT }]);
  });

  it('restores a deleted template when the platform lists it again', () => {
    expect(plan([known('a', { status: 'Deleted' })], [found('a')]).updated).toMatchObject([{ status: 'Approved' }]);
  });

  it('removes nothing if the list was not read completely', () => {
    expect(plan([known('a'), known('b')], [found('b')], { complete: false }).removed).toEqual([]);
  });

  it('does not remove a template whose entry could not be read', () => {
    const failed = [{ name: 'a', languageCode: 'de', reason: 'unknown status' }];
    expect(names(plan([known('a'), known('b')], [], { failed }).removed)).toEqual(['b']);
  });

  it('removes nothing when an entry without a name could not be read', () => {
    const failed = [{ name: null, languageCode: null, reason: 'entry: not understood' }];
    expect(plan([known('a')], [], { failed }).removed).toEqual([]);
  });

  it('prefers the entry that is not deleted of two with the same name and language', () => {
    const dead = found('a', { status: 'Deleted', platformTemplateId: 'old' });
    for (const list of [
      [dead, found('a')],
      [found('a'), dead],
    ]) {
      expect(plan([], list).added).toMatchObject([{ status: 'Approved', platformTemplateId: 'p-a' }]);
    }
  });

  it('ignores deleted templates that are not stored', () => {
    expect(plan([], [found('a', { status: 'Deleted' })]).added).toEqual([]);
  });
});
