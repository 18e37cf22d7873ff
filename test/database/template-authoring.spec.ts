import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { CloudApiTemplatePublisher } from '../../src/modules/templates/adapters/cloud-api-template-publisher';
import type { ButtonDraft, TemplateDraft } from '../../src/modules/templates/domain/template-draft';
import { TemplateAuthoringParts, DRAFT } from '../support/template-authoring-parts';
import { describeOnDatabase } from '../support/databases';

const EVERY_BUTTON: ButtonDraft[] = [
  { type: 'QuickReply', text: 'Stop' },
  { type: 'Url', text: 'Track', url: 'https://t.example.com/{{1}}', example: 'https://t.example.com/PK-1' },
  { type: 'PhoneNumber', text: 'Call us', phoneNumber: '+4930900000001' },
  { type: 'CopyCode', text: 'Copy code', example: 'WINTER20' },
];

describeOnDatabase('Templates are written', (open) => {
  const bench = new TemplateAuthoringParts();

  beforeAll(async () => bench.open(await open()));
  afterAll(() => bench.close());
  beforeEach(() => bench.begin());

  describe('as new ones', () => {
    it.each<[string, Partial<TemplateDraft>]>([
      ['with numbered placeholders', {}],
      [
        'with named placeholders, also in the header',
        {
          parameterFormat: 'Named',
          header: { format: 'Text', text: 'Parcel {{number}}', example: 'PK-1' },
          body: { text: 'Dear {{first_name}}, it is here.', examples: { first_name: 'Mira' } },
        },
      ],
      [
        'with every part around the body',
        {
          header: { format: 'Text', text: 'Parcel {{1}}', example: 'PK-1' },
          footer: { text: 'Reply STOP to unsubscribe' },
          buttons: EVERY_BUTTON,
          messageTtlSeconds: 3600,
        },
      ],
      ['with a picture', { header: { format: 'Image', exampleHandle: '4::aW1hZ2U=:ab' } }],
      ['with a place', { header: { format: 'Location' } }],
    ])('%s, and the sync after it finds the same contents', async (_what, changed) => {
      const created = await bench.create({ ...changed });
      expect(created).toMatchObject({
        ...{
          name: 'parcel',
          languageCode: 'en_US',
          category: 'Utility',
          status: 'Pending',
          accountId: bench.accountId,
        },
        platformTemplateId: expect.stringMatching(/^\d+$/) as string,
      });
      await bench.sync();
      expect(await bench.store.byId(bench.accountId, created.id)).toMatchObject({ revisionId: created.revisionId });
      const [listed] = await bench.onPlatform('parcel');
      expect(listed).toMatchObject({
        status: 'PENDING',
        parameter_format: changed.parameterFormat === 'Named' ? 'NAMED' : 'POSITIONAL',
        ...(changed.messageTtlSeconds && { message_send_ttl_seconds: 3600 }),
      });
    });

    it('for one-time passwords, with the text from the sync', async () => {
      const created = await bench.create({
        ...{ category: 'Authentication', body: undefined },
        ...{ addSecurityRecommendation: true, codeExpirationMinutes: 5 },
        buttons: [{ type: 'Otp', otpType: 'CopyCode', text: 'Copy code' }],
      });
      expect(bench.wanted).toEqual([bench.accountId]);
      await bench.sync();
      const { components } = (await bench.store.byId(bench.accountId, created.id))!;
      expect(components).toMatchObject({ footerText: 'This code expires in 5 minutes.', buttons: [{ type: 'Otp' }] });
    });

    it('in place of a deleted one, whose jobs keep their text', async () => {
      const first = await bench.create();
      await bench.authoring.remove(bench.caller, first.id);
      const again = await bench.create({ body: { text: 'It is here.' } });
      expect(again).toMatchObject({ id: first.id, status: 'Pending' });
      expect(again.platformTemplateId).not.toBe(first.platformTemplateId);
      expect((await bench.store.byRevision(first.revisionId))?.components.bodyText).toBe(DRAFT.body!.text);
      expect(bench.changes).toEqual(['parcel Pending Deleted', 'parcel Deleted Pending']);
    });

    it('not with errors: nothing is sent', async () => {
      const draft = { ...DRAFT, name: 'A', body: { text: '{{1}}' } };
      await expect(bench.authoring.create(bench.caller, draft)).rejects.toMatchObject({
        ...{ kind: 'invalid', code: 'validation_failed' },
        errors: [{ field: 'name' }, { field: 'body.text' }, { field: 'body.examples' }],
      });
      expect(await bench.store.all(bench.accountId)).toEqual([]);
    });

    it('not under a name known here, or only on the platform', async () => {
      const taken = { kind: 'conflict', code: 'template_name_taken' };
      await bench.create();
      await expect(bench.create()).rejects.toMatchObject(taken);
      expect(bench.wanted).toEqual([]);
      const other = { text: 'Your order {{1}} has {{2}} parts.', examples: ['A-1', '2'] };
      await expect(bench.create({ name: 'order_update', body: other })).rejects.toMatchObject(taken);
      expect(bench.wanted).toEqual([bench.accountId]);
    });

    it('not under the name of a recently deleted, approved one', async () => {
      const { id } = await bench.create();
      await bench.review('parcel');
      await bench.authoring.remove(bench.caller, id);
      await expect(bench.create()).rejects.toMatchObject({
        code: 'template_name_taken',
        message: expect.stringContaining('30 days') as string,
      });
    });

    it('not beyond the hourly limit', async () => {
      await bench.control('config', { templateCreationsPerHour: 1 });
      await bench.create();
      const other = { text: 'Your order {{1}} has {{2}} parts.', examples: ['A-1', '2'] };
      await expect(bench.create({ name: 'other', body: other })).rejects.toMatchObject({
        ...{ kind: 'rate_limited', code: 'template_creation_limit', retryAfterSeconds: 3600 },
        message: expect.stringMatching(/no new templates \(".+"\)/) as string,
      });
    });

    it('not by a check, which returns all errors of the creation', async () => {
      const problems = async (changed: Partial<TemplateDraft>) => {
        const found = await bench.authoring.check(bench.accountId, { ...DRAFT, ...changed });
        return found.map(({ field, code }) => `${field} ${code}`);
      };
      expect(await problems({})).toEqual([]);
      expect(await bench.onPlatform('parcel')).toEqual([]);
      expect(await bench.store.all(bench.accountId)).toEqual([]);
      await bench.create();
      const wrong = { name: 'A', body: { text: 'Hello {{1}} and bye.' } };
      expect(await problems(wrong)).toEqual(['name invalid_format', 'body.examples required']);
      expect(await problems({ footer: { text: '{{1}}' } })).toEqual([
        'name template_name_taken',
        'footer.text placeholder_not_allowed',
      ]);
      expect(await problems({ name: 'copy' })).toEqual(['body.text template_duplicate']);
    });

    it('not with the body and footer of another template in this language', async () => {
      const first = await bench.create({ footer: { text: 'Bye' } });
      const copy = { name: 'copy', footer: { text: 'Bye' } };
      await expect(bench.create(copy)).rejects.toMatchObject({
        ...{ code: 'validation_failed', errors: [{ field: 'body.text', code: 'template_duplicate' }] },
      });
      expect(await bench.onPlatform('copy')).toEqual([]);
      await bench.create({ ...copy, name: 'other_footer', footer: { text: 'Yours' } });
      await bench.create({ ...copy, name: 'british', languageCode: 'en_GB' });
      await bench.authoring.remove(bench.caller, first.id);
      await bench.create(copy);
    });

    it('not if the platform refuses for an undocumented reason, which names the field', async () => {
      const error = { code: 100, error_subcode: 2388293, message: 'Invalid parameter', error_user_msg: 'Too many.' };
      bench.fault = { answer: { error } };
      await expect(bench.create()).rejects.toMatchObject({
        ...{ kind: 'unprocessable', code: 'template_refused', extra: { platformCode: 100, platformSubcode: 2388293 } },
        errors: [{ field: 'body.text', code: 'template_too_many_variables' }],
      });
      bench.fault = { answer: { error: { code: 190, message: 'Access token has expired\0' } } };
      await expect(bench.create()).rejects.toMatchObject({
        ...{ code: 'template_refused', extra: { platformCode: 190, platformSubcode: null }, errors: [] },
      });
    });

    it('and found after a lost response', async () => {
      bench.fault = 'lose the answer';
      expect(await bench.create()).toMatchObject({ name: 'parcel', status: 'Pending' });
      expect(await bench.onPlatform('parcel')).toHaveLength(1);
    });

    it('with an unknown outcome after a lost request', async () => {
      bench.fault = 'lose the request';
      await expect(bench.create()).rejects.toMatchObject({
        ...{ kind: 'unavailable', code: 'template_outcome_unknown' },
      });
      bench.fault = 'none';
      expect(await bench.create()).toMatchObject({ status: 'Pending' });
    });

    it('not twice if the database fails after the response', async () => {
      const save = jest.spyOn(bench.store, 'save').mockRejectedValueOnce(new Error('away'));
      await expect(bench.create()).rejects.toThrow('away');
      save.mockRestore();
      await expect(bench.create()).rejects.toMatchObject({ code: 'template_name_taken' });
      await bench.sync();
      expect(await bench.store.byName(bench.accountId, 'parcel')).toMatchObject([{ status: 'Pending' }]);
      expect(await bench.onPlatform('parcel')).toHaveLength(1);
    });

    it('but not confused with a foreign template of the same name in the list', async () => {
      bench.fault = 'lose the request';
      await expect(bench.create({ name: 'order_update' })).rejects.toMatchObject({
        code: 'template_name_taken',
      });
    });

    it('not if the platform is unreachable', async () => {
      const away = new CloudApiClient({ baseUrl: 'http://127.0.0.1:9', version: 'v25.0', timeoutMs: 1_000 });
      const publisher = new CloudApiTemplatePublisher(away);
      expect(await publisher.create({ businessAccountId: '2', accessToken: 't' } as Sender, DRAFT)).toEqual({
        kind: 'not_reached',
      });
      await away.close();
    });
  });
});
