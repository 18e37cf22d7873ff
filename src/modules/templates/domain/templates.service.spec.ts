import { platformTemplate, TemplatesInMemory } from '../../../../test/fakes/templates-in-memory';
import { Clock } from '../../../kernel/clock';
import type { Template, TemplateStatus } from './template';
import { TemplatesService } from './templates.service';

class StoppedClock extends Clock {
  time = 0;
  now = () => new Date(this.time);
  monotonic = () => this.time;
  sleep = () => Promise.resolve();
}

const ACCOUNT = 'a';

describe('TemplatesService', () => {
  let store: TemplatesInMemory;
  let clock: StoppedClock;
  let templates: TemplatesService;

  function add(
    name: string,
    languageCode: string,
    status: TemplateStatus = 'Approved',
    beyondValues: string[] = [],
  ): Template {
    const { components } = platformTemplate(name);
    const template = { languageCode, status, components: { ...components, beyondValues } };
    return store.put(ACCOUNT, platformTemplate(name, template));
  }

  beforeEach(() => {
    store = new TemplatesInMemory();
    clock = new StoppedClock();
    templates = new TemplatesService(store, clock);
  });

  it('gives an approved template with its values', async () => {
    add('promo', 'en_US');
    expect(await templates.sendable('a', 'promo', 'en_US')).toMatchObject({ name: 'promo', valueCount: 1 });
  });

  it('hints at the one name that was meant', async () => {
    add('order_update', 'en_US');
    add('order_update', 'de');
    const asked = (name: string) => templates.sendable('a', name, 'en_US');
    for (const name of ['Order_Update', ' order update ']) {
      await expect(asked(name)).rejects.toThrow('Did you mean "order_update"');
    }
    await expect(asked('order')).rejects.toThrow('sync the templates');
    expect(store.wholeReads).toBe(0);
  });

  it('does not know a name, another account, or a name in other letters', async () => {
    add('promo', 'en_US');
    for (const [account, name] of [
      ['a', 'unknown'],
      ['b', 'promo'],
      ['a', 'Promo'],
    ] as const) {
      await expect(templates.sendable(account, name, 'en_US')).rejects.toMatchObject({ code: 'template_not_found' });
    }
  });

  it('names the languages that there are', async () => {
    add('promo', 'fr');
    add('promo', 'de', 'Paused');
    add('promo', 'es', 'Deleted');
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({
      code: 'template_language_not_found',
      extra: { availableLanguages: ['de', 'fr'] },
    });
  });

  it('does not know a name of which every language is deleted', async () => {
    add('promo', 'de', 'Deleted');
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it.each<TemplateStatus>(['Draft', 'Pending', 'Rejected', 'Paused', 'Disabled', 'Archived', 'Deleted'])(
    'refuses a template that is %s',
    async (status) => {
      add('promo', 'en_US', status);
      await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({
        code: 'template_not_approved',
        extra: { templateStatus: status },
      });
    },
  );

  it('refuses a template that needs more than values', async () => {
    add('promo', 'en_US', 'Approved', ['carousel']);
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_supported' });
  });

  it('sees a change after a second, and reads no more often', async () => {
    add('promo', 'en_US');
    await templates.sendable('a', 'promo', 'en_US');
    add('promo', 'en_US', 'Paused');
    clock.time = 999;
    await Promise.allSettled([templates.sendable('a', 'promo', 'en_US'), templates.sendable('a', 'promo', 'en_US')]);
    expect(store.reads).toBe(1);
    clock.time = 1000;
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_approved' });
  });

  it('sees a change at once when it is told', async () => {
    add('promo', 'en_US');
    await templates.sendable('a', 'promo', 'en_US');
    add('promo', 'en_US', 'Paused');
    templates.forgetCurrent();
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_approved' });
  });

  it('sees that a template has moved to another category, though its contents are the same', async () => {
    const before = add('promo', 'en_US');
    expect((await templates.sendable('a', 'promo', 'en_US')).category).toBe(before.category);
    store.put(ACCOUNT, { ...before, category: 'Authentication' }, before.revisionId);
    clock.time = 1000;
    expect((await templates.sendable('a', 'promo', 'en_US')).category).toBe('Authentication');
    expect(await templates.categoryOf(before.revisionId)).toBe('Authentication');
    await expect(templates.categoryOf('unknown')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('sees a template that was unknown a moment ago', async () => {
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toMatchObject({ code: 'template_not_found' });
    add('promo', 'en_US');
    expect(await templates.sendable('a', 'promo', 'en_US')).toMatchObject({ name: 'promo' });
  });

  it('asks again after a failure', async () => {
    const { revisionId } = add('promo', 'en_US');
    store.failure = new Error('database away');
    await expect(templates.sendable('a', 'promo', 'en_US')).rejects.toThrow('database away');
    await expect(templates.revision(revisionId)).rejects.toThrow('database away');
    store.failure = null;
    expect(await templates.sendable('a', 'promo', 'en_US')).toMatchObject({ name: 'promo' });
    expect(await templates.revision(revisionId)).toMatchObject({ name: 'promo' });
  });

  it('reads a revision once in a minute, whatever became of its template', async () => {
    const { revisionId } = add('promo', 'en_US', 'Deleted');
    const first = await templates.revision(revisionId);
    clock.time = 59_999;
    expect(await templates.revision(revisionId)).toBe(first);
    expect(store.reads).toBe(1);
    await expect(templates.revision('unknown')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('sees within a minute that the template of a revision has moved to another category', async () => {
    const before = add('promo', 'en_US');
    await templates.revision(before.revisionId);
    store.put(ACCOUNT, { ...before, category: 'Marketing' }, before.revisionId);
    clock.time = 60_000;
    expect((await templates.revision(before.revisionId)).category).toBe('Marketing');
  });

  it('finds one template by its id, in its own account only', async () => {
    add('promo', 'en_US');
    expect(await templates.get('a', 'promo-en_US')).toMatchObject({ name: 'promo' });
    await expect(templates.get('b', 'promo-en_US')).rejects.toMatchObject({ code: 'template_not_found' });
  });
});
