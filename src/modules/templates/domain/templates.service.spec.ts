import { knownSenders } from '../../../../test/fakes/known-senders';
import { BUSINESS_ACCOUNT, platformTemplate, TemplatesInMemory } from '../../../../test/fakes/templates-in-memory';
import { Clock } from '../../../kernel/clock';
import type { Sender } from '../../accounts/domain/sender';
import type { Template, TemplateStatus } from './template';
import { TemplatesService } from './templates.service';

class StoppedClock extends Clock {
  time = 0;
  now = () => new Date(this.time);
  monotonic = () => this.time;
  sleep = () => Promise.resolve();
}

const ACCOUNT = 'a';
const OWNER = { accountId: ACCOUNT, businessAccountId: BUSINESS_ACCOUNT };

describe('TemplatesService', () => {
  let store: TemplatesInMemory;
  let senders: Sender[];
  let clock: StoppedClock;
  let templates: TemplatesService;

  function add(
    name: string,
    languageCode: string,
    status: TemplateStatus = 'Approved',
    unsupported: string[] = [],
  ): Template {
    const { components } = platformTemplate(name);
    const template = { languageCode, status, components: { ...components, unsupported } };
    return store.put(ACCOUNT, platformTemplate(name, template));
  }

  beforeEach(() => {
    store = new TemplatesInMemory();
    clock = new StoppedClock();
    senders = [];
    templates = new TemplatesService(
      store,
      knownSenders(() => senders),
      clock,
    );
  });

  it('returns an approved template with its values', async () => {
    add('promo', 'en_US');
    expect(await templates.sendable(OWNER, 'promo', 'en_US')).toMatchObject({ name: 'promo', valueCount: 1 });
  });

  it('suggests a name that differs only in case or spaces, or in a few letters', async () => {
    add('order_update', 'en_US');
    add('order_update', 'de');
    const sendable = (name: string) => templates.sendable(OWNER, name, 'en_US');
    for (const name of ['Order_Update', ' order update ']) {
      await expect(sendable(name)).rejects.toThrow('Did you mean "order_update"');
    }
    await expect(sendable('ordr_update')).rejects.toThrow(
      /Did you mean "order_update"\? If it was created .*, sync the templates first\.$/,
    );
    await expect(sendable('order')).rejects.toThrow(/^There is no template "order"\. If it was created /);
    expect(store.wholeReads).toBe(0);
  });

  it('does not find an unknown name, another account, or a name in other case', async () => {
    add('promo', 'en_US');
    for (const [account, name] of [
      ['a', 'unknown'],
      ['b', 'promo'],
      ['a', 'Promo'],
    ] as const) {
      const owner = { ...OWNER, accountId: account };
      await expect(templates.sendable(owner, name, 'en_US')).rejects.toMatchObject({
        code: 'template_not_found',
      });
    }
  });

  it('finds only templates of the business account of the sender, and says if another one has it', async () => {
    const own = add('promo', 'en_US');
    const other = { ...own, id: 'other', businessAccountId: '9' };
    await store.save(other);
    const sender = { ...OWNER, businessAccountId: '9' };
    expect((await templates.sendable(OWNER, 'promo', 'en_US')).revisionId).toBe(own.revisionId);
    expect(await templates.sendable(sender, 'promo', 'en_US')).toMatchObject({ name: 'promo' });
    add('sale', 'en_US');
    senders = [OWNER, sender] as Sender[];
    await expect(templates.sendable(sender, 'sale', 'en_US')).rejects.toMatchObject({
      code: 'template_of_other_sender',
      message: expect.stringContaining('senderId') as string,
    });
    // That of a deleted sender.
    senders = [sender] as Sender[];
    await expect(templates.sendable(sender, 'sale', 'en_US')).rejects.toMatchObject({
      code: 'template_not_found',
    });
    await store.saveState([{ ...other, status: 'Deleted' }]);
    clock.time += 1000;
    await expect(templates.sendable(sender, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_approved',
    });
  });

  it('names the available languages', async () => {
    add('promo', 'fr');
    add('promo', 'de', 'Paused');
    add('promo', 'es', 'Deleted');
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_language_not_found',
      extra: { availableLanguages: ['de', 'fr'] },
    });
  });

  it('does not find a name whose languages are all deleted', async () => {
    add('promo', 'de', 'Deleted');
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_found',
    });
  });

  it.each<TemplateStatus>(['Draft', 'Pending', 'Rejected', 'Paused', 'Disabled', 'Archived', 'Deleted'])(
    'rejects a template that is %s',
    async (status) => {
      add('promo', 'en_US', status);
      await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
        code: 'template_not_approved',
        extra: { templateStatus: status },
      });
    },
  );

  it('rejects a template that needs more than values', async () => {
    add('promo', 'en_US', 'Approved', ['carousel']);
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_supported',
    });
  });

  it('returns changes after a second and reads at most once a second', async () => {
    add('promo', 'en_US');
    await templates.sendable(OWNER, 'promo', 'en_US');
    add('promo', 'en_US', 'Paused');
    clock.time = 999;
    await Promise.allSettled([
      templates.sendable(OWNER, 'promo', 'en_US'),
      templates.sendable(OWNER, 'promo', 'en_US'),
    ]);
    expect(store.reads).toBe(1);
    clock.time = 1000;
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_approved',
    });
  });

  it('returns changes immediately after the cache is cleared', async () => {
    add('promo', 'en_US');
    await templates.sendable(OWNER, 'promo', 'en_US');
    add('promo', 'en_US', 'Paused');
    const reads = store.reads;
    templates.forgetCurrent('another account');
    await templates.sendable(OWNER, 'promo', 'en_US');
    expect(store.reads).toBe(reads);
    templates.forgetCurrent(ACCOUNT);
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_approved',
    });
  });

  it('returns a changed category although the contents are the same', async () => {
    const before = add('promo', 'en_US');
    expect((await templates.sendable(OWNER, 'promo', 'en_US')).category).toBe(before.category);
    store.put(ACCOUNT, { ...before, category: 'Authentication' }, before.revisionId);
    clock.time = 1000;
    expect((await templates.sendable(OWNER, 'promo', 'en_US')).category).toBe('Authentication');
    expect(await templates.categoryOf(before.revisionId)).toBe('Authentication');
    await expect(templates.categoryOf('unknown')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('does not cache unknown templates', async () => {
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_not_found',
    });
    add('promo', 'en_US');
    expect(await templates.sendable(OWNER, 'promo', 'en_US')).toMatchObject({ name: 'promo' });
  });

  it('reads again after a failure', async () => {
    const { revisionId } = add('promo', 'en_US');
    store.failure = new Error('database unavailable');
    await expect(templates.sendable(OWNER, 'promo', 'en_US')).rejects.toThrow('database unavailable');
    await expect(templates.revision(revisionId)).rejects.toThrow('database unavailable');
    store.failure = null;
    expect(await templates.sendable(OWNER, 'promo', 'en_US')).toMatchObject({ name: 'promo' });
    expect(await templates.revision(revisionId)).toMatchObject({ name: 'promo' });
  });

  it('reads a revision once a minute, even of a deleted template', async () => {
    const { revisionId } = add('promo', 'en_US', 'Deleted');
    const first = await templates.revision(revisionId);
    clock.time = 59_999;
    expect(await templates.revision(revisionId)).toBe(first);
    expect(store.reads).toBe(1);
    await expect(templates.revision('unknown')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('returns a changed category of a revision within a minute', async () => {
    const before = add('promo', 'en_US');
    await templates.revision(before.revisionId);
    store.put(ACCOUNT, { ...before, category: 'Marketing' }, before.revisionId);
    clock.time = 60_000;
    expect((await templates.revision(before.revisionId)).category).toBe('Marketing');
  });

  it('finds a template by its id, in its own account only', async () => {
    add('promo', 'en_US');
    expect(await templates.get('a', 'promo-en_US')).toMatchObject({ name: 'promo' });
    await expect(templates.get('b', 'promo-en_US')).rejects.toMatchObject({ code: 'template_not_found' });
  });
});
