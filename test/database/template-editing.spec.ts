import { uuidV7 } from '../../src/kernel/uuid';
import { callerOf } from '../support/contact-book-api';
import { TemplateAuthoringParts } from '../support/template-authoring-parts';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('Templates are changed', (open) => {
  const bench = new TemplateAuthoringParts();

  beforeAll(async () => bench.open(await open()));
  afterAll(() => bench.close());
  beforeEach(() => bench.begin());

  describe('in place', () => {
    it('and reviewed again with their new contents, which replace the old ones completely', async () => {
      const { id, revisionId } = await bench.create({ footer: { text: 'Bye' } });
      await bench.review('parcel');
      bench.wanted = [];
      const edited = await bench.authoring.edit(bench.caller, id, {
        body: { text: 'It is here.' },
        messageTtlSeconds: 60,
      });
      expect(edited).toMatchObject({ status: 'Pending', components: { bodyText: 'It is here.', footerText: null } });
      expect(edited.revisionId).not.toBe(revisionId);
      expect(bench.changes).toEqual(['parcel Approved Pending']);
      expect(bench.wanted).toEqual([bench.accountId]);
      expect(await bench.onPlatform('parcel')).toMatchObject([
        { status: 'PENDING', components: [{ type: 'BODY', text: 'It is here.' }], message_send_ttl_seconds: 60 },
      ]);
      await bench.sync();
      expect(await bench.store.byId(bench.accountId, id)).toMatchObject({
        status: 'Pending',
        revisionId: edited.revisionId,
      });
    });

    it('without a review if only the time to live changes', async () => {
      const { id, revisionId } = await bench.create();
      await bench.review('parcel');
      const edited = await bench.authoring.edit(bench.caller, id, { messageTtlSeconds: 60 });
      expect(edited).toMatchObject({ status: 'Approved', revisionId });
      expect(await bench.onPlatform('parcel')).toMatchObject([{ status: 'APPROVED', message_send_ttl_seconds: 60 }]);
    });

    it('with another category only while not Approved', async () => {
      const { id } = await bench.create();
      await bench.review('parcel');
      const edit = { category: 'Marketing' } as const;
      await expect(bench.authoring.edit(bench.caller, id, edit)).rejects.toMatchObject({
        ...{ code: 'invalid_template_state', extra: { templateStatus: 'Approved' } },
      });
      await bench.review('parcel', 'REJECTED');
      expect(await bench.authoring.edit(bench.caller, id, edit)).toMatchObject({
        category: 'Marketing',
        status: 'Pending',
      });
    });

    it('not while they are reviewed', async () => {
      const { id } = await bench.create();
      await expect(bench.authoring.edit(bench.caller, id, { body: { text: 'New' } })).rejects.toMatchObject({
        ...{ kind: 'conflict', code: 'invalid_template_state', extra: { templateStatus: 'Pending' } },
      });
    });

    it('not beyond the daily limit, whose error code the platform shares with another status', async () => {
      await bench.control('config', { templateEditsPerDay: 1 });
      const { id } = await bench.create();
      await bench.review('parcel');
      await bench.authoring.edit(bench.caller, id, { body: { text: 'New' } });
      await bench.review('parcel');
      await expect(bench.authoring.edit(bench.caller, id, { body: { text: 'Newer' } })).rejects.toMatchObject({
        ...{ kind: 'rate_limited', code: 'template_edit_limit' },
      });
      await bench.control('templates', { name: 'parcel', status: 'DISABLED' });
      await expect(bench.authoring.edit(bench.caller, id, { body: { text: 'Newer' } })).rejects.toMatchObject({
        ...{ code: 'invalid_template_state', extra: { templateStatus: 'Disabled' } },
      });
    });

    it('not with errors, with nothing at all, or under another account', async () => {
      const { id } = await bench.create();
      await bench.review('parcel');
      await expect(bench.authoring.edit(bench.caller, id, {})).rejects.toMatchObject({ code: 'validation_failed' });
      await expect(bench.authoring.edit(bench.caller, id, { footer: { text: 'Bye' } })).rejects.toMatchObject({
        errors: [{ field: 'body', code: 'required' }],
      });
      await expect(bench.authoring.edit(bench.caller, id, { messageTtlSeconds: 1 })).rejects.toMatchObject({
        errors: [{ field: 'messageTtlSeconds' }],
      });
      await expect(bench.authoring.edit(callerOf(uuidV7()), id, { messageTtlSeconds: 60 })).rejects.toMatchObject({
        code: 'template_not_found',
      });
    });

    it('and checked in the list after a lost response', async () => {
      const { id } = await bench.create();
      await bench.review('parcel');
      bench.fault = 'lose the answer';
      await expect(bench.authoring.edit(bench.caller, id, { body: { text: 'New' } })).rejects.toMatchObject({
        code: 'template_outcome_unknown',
      });
      expect(bench.wanted).toContain(bench.accountId);
    });
  });

  it('from paused to sendable, on request', async () => {
    const { id } = await bench.create();
    await bench.review('parcel', 'PAUSED');
    bench.changes = [];
    expect(await bench.authoring.unpause(bench.caller, id)).toMatchObject({ status: 'Approved' });
    expect(bench.changes).toEqual(['parcel Paused Approved']);
    expect(await bench.onPlatform('parcel')).toMatchObject([{ status: 'APPROVED' }]);
    await expect(bench.authoring.unpause(bench.caller, id)).rejects.toMatchObject({
      ...{ code: 'invalid_template_state', extra: { templateStatus: 'Approved' } },
    });
    await bench.control('templates', { name: 'parcel', status: 'PAUSED' });
    await bench.sync();
    await bench.control('templates', { name: 'parcel', status: 'DISABLED' });
    await expect(bench.authoring.unpause(bench.caller, id)).rejects.toMatchObject({ code: 'template_refused' });
  });

  it('together with their audit entries, or not at all', async () => {
    bench.auditFails = true;
    await expect(bench.create({ name: 'lost' })).rejects.toThrow('No audit entry.');
    expect(await bench.store.byName(bench.accountId, 'lost')).toEqual([]);
    bench.auditFails = false;
    const { id } = await bench.create({ body: { text: 'Good morning.' } });
    await bench.review('parcel');
    await bench.authoring.edit(bench.caller, id, { messageTtlSeconds: 60 });
    await bench.review('parcel', 'PAUSED');
    const changes = [
      () => bench.authoring.edit(bench.caller, id, { body: { text: 'New' }, footer: undefined }),
      () => bench.authoring.unpause(bench.caller, id),
      () => bench.authoring.remove(bench.caller, id),
    ];
    for (const [index, change] of changes.entries()) {
      await bench.review('parcel', 'PAUSED');
      const before = await bench.store.byId(bench.accountId, id);
      bench.auditFails = true;
      await expect(change()).rejects.toThrow('No audit entry.');
      expect(await bench.store.byId(bench.accountId, id)).toEqual(before);
      bench.auditFails = false;
      // The platform has made the change; it deletes a template only once.
      if (index < 2) await bench.review('parcel', 'PAUSED');
      await change();
    }
    expect(await bench.audited()).toEqual([
      ['template.created', id, []],
      ['template.changed', id, ['messageTtlSeconds']],
      ['template.changed', id, ['body']],
      ['template.unpaused', id, []],
      ['template.deleted', id, []],
    ]);
  });

  describe('away', () => {
    it('one language at a time', async () => {
      await bench.sync();
      const languages = await bench.store.byName(bench.accountId, 'appointment_reminder');
      const german = languages.find(({ languageCode }) => languageCode === 'de')!;
      await bench.authoring.remove(bench.caller, german.id);
      expect(await bench.onPlatform('appointment_reminder')).toMatchObject([{ language: 'en_US' }]);
      expect(await bench.store.byId(bench.accountId, german.id)).toMatchObject({ status: 'Deleted' });
      expect(bench.changes).toEqual(['appointment_reminder Approved Deleted']);
      const again = bench.authoring.remove(bench.caller, german.id);
      await expect(again).rejects.toMatchObject({ code: 'template_not_found' });
    });

    it('also if someone else was faster', async () => {
      const { id } = await bench.create();
      await bench.control('templates', { name: 'parcel', status: 'DELETED' });
      await bench.authoring.remove(bench.caller, id);
      expect(await bench.store.byId(bench.accountId, id)).toMatchObject({ status: 'Deleted' });
    });

    it('not while they are disabled, or their platform id is unknown', async () => {
      await bench.sync();
      const [disabled] = await bench.store.byName(bench.accountId, 'disabled_notice');
      await expect(bench.authoring.remove(bench.caller, disabled!.id)).rejects.toMatchObject({
        code: 'invalid_template_state',
      });
      const [order] = await bench.store.byName(bench.accountId, 'order_update');
      await bench.store.save({ ...order!, platformTemplateId: null });
      await expect(bench.authoring.remove(bench.caller, order!.id)).rejects.toMatchObject({
        code: 'invalid_template_state',
      });
      expect(await bench.onPlatform('order_update')).toHaveLength(1);
    });

    it('with an unknown outcome after a lost response', async () => {
      const { id } = await bench.create();
      bench.fault = 'lose the answer';
      await expect(bench.authoring.remove(bench.caller, id)).rejects.toMatchObject({
        code: 'template_outcome_unknown',
      });
      expect(bench.wanted).toEqual([bench.accountId]);
      bench.fault = 'none';
      await bench.authoring.remove(bench.caller, id);
      expect(await bench.store.byId(bench.accountId, id)).toMatchObject({ status: 'Deleted' });
    });
  });
});
