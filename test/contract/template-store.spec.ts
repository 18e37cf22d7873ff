import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresSyncLeases } from '../../src/modules/templates/adapters/postgres-sync-leases';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import type { SyncPlan } from '../../src/modules/templates/domain/sync-plan';
import type { Template } from '../../src/modules/templates/domain/template';
import type { SyncLeases } from '../../src/modules/templates/domain/sync-leases.port';
import type { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { describeOnDatabase } from '../support/databases';

const AT = new Date('2026-05-01T10:00:00.123Z');
const LATER = new Date('2026-05-02T10:00:00Z');

function template(accountId: string, name: string, changes: Partial<Template> = {}): Template {
  return {
    ...{
      id: uuidV7(),
      accountId,
      revisionId: uuidV7(),
      platformTemplateId: '771000000000001',
      name,
      languageCode: 'de',
    },
    ...{ category: 'Utility', status: 'Approved', qualityRating: 'Green', rejectionReason: null },
    components: {
      ...{
        parameterFormat: 'Positional',
        headerFormat: 'Text',
        headerText: 'Größe "1"',
        bodyText: `Hello {{1}} of ${name}`,
      },
      ...{ footerText: null, beyondValues: [] },
      buttons: [{ type: 'Url', text: 'Go', url: 'https://x.test/{{1}}', phoneNumber: null }],
    },
    ...{ statusAt: AT, createdAt: AT, updatedAt: AT, lastSyncedAt: AT },
    ...changes,
  };
}

const planOf = (parts: Partial<SyncPlan>): SyncPlan => ({
  // Read to the end in an instant, unless a test says otherwise.
  ...{ at: AT, readFrom: parts.at ?? AT, added: [], updated: [], removed: [], unchanged: [], statusChanges: [] },
  ...parts,
});

describeOnDatabase('TemplateStore', (open) => {
  let database: Database;
  let store: TemplateStore;
  let leases: SyncLeases;
  let accountId: string;
  let owner: string;

  beforeAll(async () => {
    database = await open();
    store = new PostgresTemplateStore(database);
    leases = new PostgresSyncLeases(database);
  });

  const newAccount = async () => {
    const id = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'a', 'Free')`, [id]);
    return id;
  };

  beforeEach(async () => {
    accountId = await newAccount();
    owner = uuidV7();
    await leases.take(accountId, owner, 60);
  });

  const record = (parts: Partial<SyncPlan>) => store.record(accountId, owner, planOf(parts));
  const list = (filter: object, page = 1, pageSize = 20) => store.page(accountId, filter, { page, pageSize });
  const namesOf = (templates: Template[]) => templates.map(({ name }) => name);

  it('gives back exactly what was added', async () => {
    const promo = template(accountId, 'promo');
    expect(await record({ added: [promo] })).toEqual([]);
    expect(await store.byId(accountId, promo.id)).toEqual(promo);
    expect(await store.byName(accountId, 'promo')).toEqual([promo]);
    expect(await store.all(accountId)).toEqual([promo]);
    expect(await store.byRevision(promo.revisionId)).toEqual(promo);
  });

  it('keeps accounts apart', async () => {
    const promo = template(accountId, 'promo');
    await record({ added: [promo] });
    const other = await newAccount();
    expect(await store.byId(other, promo.id)).toBeNull();
    expect(await store.byName(other, 'promo')).toEqual([]);
    expect(await store.all(other)).toEqual([]);
    expect(await store.page(other, {}, { page: 1, pageSize: 20 })).toMatchObject({ items: [], totalCount: 0 });
  });

  it('finds what says the same in a language, without deleted templates', async () => {
    const saying = (name: string, footerText: string | null, changes: Partial<Template> = {}): Template => {
      const made = template(accountId, name, { platformTemplateId: null, ...changes });
      return { ...made, components: { ...made.components, bodyText: 'Hello {{1}}', footerText } };
    };
    await record({
      added: [
        saying('plain', null),
        saying('footer', 'Bye'),
        saying('english', null, { languageCode: 'en' }),
        saying('gone', null, { status: 'Deleted' }),
        template(accountId, 'other'),
      ],
    });
    const names = async (footerText: string | null, account = accountId) =>
      (await store.saying(account, 'de', { bodyText: 'Hello {{1}}', footerText })).map(({ name }) => name);
    expect(await names(null)).toEqual(['plain']);
    expect(await names('Bye')).toEqual(['footer']);
    expect(await names('Ciao')).toEqual([]);
    expect(await names(null, await newAccount())).toEqual([]);
  });

  it('keeps the contents of an earlier revision when a template changes', async () => {
    const before = template(accountId, 'promo');
    await record({ added: [before] });
    const components = { ...before.components, bodyText: 'New' };
    const times = { statusAt: LATER, updatedAt: LATER, lastSyncedAt: LATER };
    const after = { ...before, revisionId: uuidV7(), components, ...times };
    await record({ at: LATER, updated: [after] });
    expect(await store.byId(accountId, before.id)).toEqual(after);
    expect((await store.byRevision(before.revisionId))?.components).toEqual(before.components);
    expect((await store.byRevision(after.revisionId))?.components.bodyText).toBe('New');
  });

  it('writes every field that the platform decides', async () => {
    const before = template(accountId, 'promo');
    await record({ added: [before] });
    const after: Template = {
      ...before,
      ...{
        category: 'Marketing',
        status: 'Rejected',
        qualityRating: null,
        rejectionReason: 'SCAM',
        platformTemplateId: null,
      },
      ...{ statusAt: LATER, updatedAt: LATER, lastSyncedAt: LATER },
    };
    await record({ at: LATER, updated: [after] });
    expect(await store.byId(accountId, before.id)).toEqual(after);
    expect(await database.rows('SELECT id FROM template_revisions WHERE template_id = $1', [before.id])).toHaveLength(
      1,
    );
  });

  it('marks templates as deleted and the others as synced', async () => {
    const [gone, same] = [template(accountId, 'gone'), template(accountId, 'same')];
    await record({ added: [gone, same] });
    await record({ at: LATER, removed: [gone], unchanged: [same] });
    expect(await store.byId(accountId, gone.id)).toMatchObject({ status: 'Deleted', updatedAt: LATER });
    expect(await store.byId(accountId, same.id)).toMatchObject({
      status: 'Approved',
      updatedAt: AT,
      lastSyncedAt: LATER,
    });
  });

  it('leaves what changed here since the reading began as it is, and names it', async () => {
    const [changed, gone, same, other] = ['changed', 'gone', 'same', 'other'].map((name) => template(accountId, name));
    await record({ added: [changed!, gone!, same!, other!], at: LATER });
    const before = await store.all(accountId);
    const plan = { at: LATER, readFrom: AT, removed: [gone!], unchanged: [same!] };
    const kept = await record({ ...plan, updated: [{ ...changed!, status: 'Paused' }] });
    expect(kept?.sort()).toEqual([changed!.id, gone!.id, same!.id].sort());
    expect(await store.all(accountId)).toEqual(before);
  });

  it('locks what reports speak of, by name or by the id of the platform', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name, index) =>
      template(accountId, name, { platformTemplateId: `77${index}` }),
    );
    await record({ added: [one!, two!, three!] });
    const identities = [
      { platformTemplateId: null, name: 'one', languageCode: 'de' },
      { platformTemplateId: '772', name: null, languageCode: null },
    ];
    expect(await store.lock(accountId, identities)).toEqual([one, three]);
    expect(await store.lock(await newAccount(), identities)).toEqual([]);
  });

  it('keeps a new template with its contents, and a new state of it with new contents', async () => {
    const promo = template(accountId, 'promo');
    await store.save(promo);
    expect(await store.byId(accountId, promo.id)).toEqual(promo);
    const components = { ...promo.components, bodyText: 'New' };
    const edited: Template = {
      ...{ ...promo, components, revisionId: uuidV7(), platformTemplateId: '772', lastSyncedAt: null },
      ...{ status: 'Pending', category: 'Marketing', qualityRating: null, rejectionReason: 'SCAM' },
      ...{ statusAt: LATER, updatedAt: LATER },
    };
    await store.save(edited);
    expect(await store.byId(accountId, promo.id)).toEqual(edited);
    expect((await store.byRevision(promo.revisionId))?.components).toEqual(promo.components);
  });

  it('leaves a template of the same name alone that appeared first', async () => {
    const first = template(accountId, 'promo');
    await store.save(first);
    await store.save(template(accountId, 'promo', { status: 'Paused' }));
    expect(await store.byName(accountId, 'promo')).toEqual([first]);
  });

  it('writes what reports changed, and nothing else', async () => {
    const promo = template(accountId, 'promo');
    await record({ added: [promo] });
    const reported: Template = {
      ...promo,
      ...{ status: 'Rejected', qualityRating: 'Red', category: 'Marketing', rejectionReason: 'SCAM' },
      ...{ statusAt: LATER, updatedAt: LATER },
    };
    await store.saveState([{ ...reported, revisionId: uuidV7(), platformTemplateId: 'other' }]);
    expect(await store.byId(accountId, promo.id)).toEqual(reported);
  });

  it('writes nothing for an owner whose lease is lost or over', async () => {
    const added = [template(accountId, 'promo')];
    expect(await store.record(accountId, uuidV7(), planOf({ added }))).toBeNull();
    await leases.renew(accountId, owner, -1);
    expect(await record({ added })).toBeNull();
    expect(await store.all(accountId)).toEqual([]);
  });

  it('writes all or nothing', async () => {
    const broken = template(accountId, 'broken', { status: null as never });
    await expect(record({ added: [template(accountId, 'promo'), broken] })).rejects.toThrow();
    expect(await store.all(accountId)).toEqual([]);
  });

  it('leaves a template alone that somebody else added first', async () => {
    const first = template(accountId, 'promo');
    await record({ added: [first] });
    const late = template(accountId, 'promo');
    expect(await record({ added: [late, template(accountId, 'other')] })).toEqual([late.id]);
    expect((await store.byName(accountId, 'promo')).map(({ id }) => id)).toEqual([first.id]);
    expect(await store.byName(accountId, 'other')).toHaveLength(1);
  });

  it('lists the newest first, page by page', async () => {
    const added = ['a', 'b', 'c', 'd', 'e'].map((name) => template(accountId, name));
    await record({ added });
    await record({ added: [template(accountId, 'z', { createdAt: LATER })], at: LATER });
    expect(await list({}, 1, 4)).toMatchObject({ page: 1, pageSize: 4, totalCount: 6 });
    expect(namesOf((await list({}, 1, 4)).items)).toEqual(['z', 'e', 'd', 'c']);
    expect(namesOf((await list({}, 2, 4)).items)).toEqual(['b', 'a']);
    expect(await list({}, 3, 4)).toMatchObject({ items: [], totalCount: 6 });
  });

  it('filters by status, language and category, all at once', async () => {
    await record({
      added: [
        template(accountId, 'a'),
        template(accountId, 'b', { status: 'Paused' }),
        template(accountId, 'c', { languageCode: 'en_US' }),
        template(accountId, 'd', { category: 'Marketing', languageCode: 'en_US' }),
      ],
    });
    expect(namesOf((await list({ status: 'Paused' })).items)).toEqual(['b']);
    expect(namesOf((await list({ languageCode: 'en_US' })).items)).toEqual(['d', 'c']);
    expect(namesOf((await list({ category: 'Marketing' })).items)).toEqual(['d']);
    expect(await list({ category: 'Marketing', status: 'Paused' })).toMatchObject({ items: [], totalCount: 0 });
  });

  it('searches name and body as they are written, whatever their case', async () => {
    await record({ added: [template(accountId, 'order_update'), template(accountId, 'orderxupdate')] });
    expect(namesOf((await list({ search: 'ORDER_U' })).items)).toEqual(['order_update']);
    expect(await list({ search: 'hello {{1}} OF' })).toMatchObject({ totalCount: 2 });
    for (const search of ['%', '\\', "'; DROP"]) expect(await list({ search })).toMatchObject({ totalCount: 0 });
  });

  it('takes thousands of templates in one sync', async () => {
    const added = Array.from({ length: 2500 }, (_, n) => template(accountId, `t${n}`));
    await record({ added });
    const updated = added.map((one) => ({ ...one, revisionId: uuidV7(), status: 'Paused' as const }));
    await record({ at: LATER, updated });
    const all = await store.all(accountId);
    expect(new Set(all.map(({ revisionId }) => revisionId))).toEqual(new Set(updated.map((one) => one.revisionId)));
    expect(await list({ status: 'Paused' })).toMatchObject({ totalCount: 2500 });
  });

  it('forgets everything with the account', async () => {
    const promo = template(accountId, 'promo');
    await record({ added: [promo] });
    await database.execute('DELETE FROM accounts WHERE id = $1', [accountId]);
    expect(await store.byRevision(promo.revisionId)).toBeNull();
  });
});

describeOnDatabase('SyncLeases', (open) => {
  let database: Database;
  let leases: SyncLeases;
  let accountId: string;
  const [one, other] = [uuidV7(), uuidV7()];

  beforeAll(async () => {
    database = await open();
    leases = new PostgresSyncLeases(database);
  });

  beforeEach(async () => {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'a', 'Free')`, [accountId]);
  });

  it('has one owner at a time', async () => {
    const taken = await Promise.all([leases.take(accountId, one, 60), leases.take(accountId, other, 60)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('can be taken again after it was given back, by its owner only', async () => {
    await leases.take(accountId, one, 60);
    await leases.release(accountId, other);
    expect(await leases.take(accountId, other, 60)).toBe(false);
    await leases.release(accountId, one);
    expect(await leases.take(accountId, other, 60)).toBe(true);
  });

  it('can be taken when it is over, and is lost to its first owner then', async () => {
    await leases.take(accountId, one, -1);
    expect(await leases.take(accountId, other, 60)).toBe(true);
    expect(await leases.renew(accountId, one, 60)).toBe(false);
    expect(await leases.renew(accountId, other, 60)).toBe(true);
  });
});
