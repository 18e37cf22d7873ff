import { describeOnDatabase } from '../support/databases';
import type { Client, Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { TemplateAuthoringApi } from '../support/template-authoring-api';

const HANDLE = '4::aW1hZ2U=:ab';
const SHOP = {
  ...{ type: 'Url', text: 'Shop', url: 'https://shop.example.com/{{1}}' },
  example: 'https://shop.example.com/sku-1',
};
const COUPON = { type: 'CopyCode', example: 'WEEKEND20' };
const FLOW = { type: 'Flow', text: 'Book', flowId: '600000000000001' };
const APPS = [{ packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' }];

const CALL_PERMISSION = { type: 'CALL_PERMISSION_REQUEST' };

const shown = (type: string, text: string, url: string | null = null) => ({ type, text, url, phoneNumber: null });
const button = (draft: object, category = 'Marketing') => ({ category, buttons: [draft] });
const card = (left: string) => ({
  header: { format: 'Image', exampleHandle: HANDLE },
  body: { text: 'Only {{1}} left today.', examples: [left] },
  buttons: [{ type: 'QuickReply', text: 'More' }, SHOP],
});
const productCard = { header: { format: 'Product' }, buttons: [{ type: 'Product', text: 'View' }] };
const mediaCard = {
  ...{ headerFormat: 'Image', bodyText: 'Only {{1}} left today.' },
  buttons: [shown('QuickReply', 'More'), shown('Url', 'Shop', SHOP.url)],
};

/** A kind of template: its draft, how it is listed, and a part of what the platform has. */
interface Kind {
  draft: object;
  listed: object;
  onPlatform: object[];
}

const buttonsOnPlatform = (wire: object) => [{ type: 'BUTTONS', buttons: [wire] }];
const KINDS: [kind: string, Kind][] = [
  [
    'a flow that opens a screen',
    {
      draft: button({ ...FLOW, navigateScreen: 'DAY' }, 'Utility'),
      listed: { buttons: [shown('Flow', 'Book')], needs: [] },
      onPlatform: buttonsOnPlatform({
        ...{ type: 'FLOW', text: 'Book', flow_id: FLOW.flowId },
        ...{ flow_action: 'navigate', navigate_screen: 'DAY' },
      }),
    },
  ],
  [
    'a flow that asks its endpoint',
    {
      draft: button({ ...FLOW, flowAction: 'DataExchange' }),
      listed: { buttons: [shown('Flow', 'Book')], needs: [] },
      onPlatform: buttonsOnPlatform({
        ...{ type: 'FLOW', text: 'Book', flow_id: FLOW.flowId },
        ...{ flow_action: 'data_exchange' },
      }),
    },
  ],
  [
    'a voice call',
    {
      draft: button({ type: 'VoiceCall', text: 'Call now' }, 'Utility'),
      listed: { buttons: [shown('VoiceCall', 'Call now')], needs: [] },
      onPlatform: buttonsOnPlatform({ type: 'VOICE_CALL', text: 'Call now' }),
    },
  ],
  [
    'a request for contact info',
    {
      draft: button({ type: 'RequestContactInfo' }, 'Utility'),
      listed: { buttons: [shown('RequestContactInfo', '')], needs: [] },
      onPlatform: buttonsOnPlatform({ type: 'REQUEST_CONTACT_INFO' }),
    },
  ],
  [
    'a call permission request',
    {
      draft: { category: 'Utility', callPermissionRequest: true },
      listed: { buttons: [], needs: [] },
      onPlatform: [CALL_PERMISSION],
    },
  ],
  [
    'a catalog',
    {
      draft: button({ type: 'Catalog', text: 'View catalog' }),
      listed: { buttons: [shown('Catalog', 'View catalog')], needs: [] },
      onPlatform: buttonsOnPlatform({ type: 'CATALOG', text: 'View catalog' }),
    },
  ],
  [
    'several products',
    {
      draft: { ...button({ type: 'MultiProduct', text: 'View items' }), header: { format: 'Text', text: 'Top' } },
      listed: { buttons: [shown('MultiProduct', 'View items')], needs: ['products'] },
      onPlatform: buttonsOnPlatform({ type: 'MPM', text: 'View items' }),
    },
  ],
  [
    'one product',
    {
      draft: { ...button({ type: 'Product', text: 'View' }), header: { format: 'Product' } },
      listed: { headerFormat: 'Product', buttons: [shown('Product', 'View')], needs: ['headerProduct'] },
      onPlatform: [{ type: 'HEADER', format: 'PRODUCT' }, ...buttonsOnPlatform({ type: 'SPM', text: 'View' })],
    },
  ],
  [
    'a limited-time offer',
    {
      draft: {
        ...{ category: 'Marketing', header: { format: 'Video', exampleHandle: HANDLE } },
        ...{ offer: { text: 'Ends soon!', hasExpiration: true }, buttons: [COUPON, SHOP] },
      },
      listed: {
        ...{ offer: { text: 'Ends soon!', hasExpiration: true }, headerFormat: 'Video' },
        ...{ parameterCount: 3, needs: ['headerMedia', 'offerExpiresAt'] },
      },
      onPlatform: [
        { type: 'HEADER', format: 'VIDEO', example: { header_handle: [HANDLE] } },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } },
      ],
    },
  ],
  [
    'a carousel of media',
    {
      draft: { category: 'Marketing', cards: [card('3'), card('4')] },
      listed: { cards: [mediaCard, mediaCard], parameterCount: 5, needs: ['cards'] },
      onPlatform: [
        {
          type: 'CAROUSEL',
          cards: ['3', '4'].map((left) => ({
            components: [
              { type: 'HEADER', format: 'IMAGE', example: { header_handle: [HANDLE] } },
              { type: 'BODY', text: mediaCard.bodyText, example: { body_text: [[left]] } },
              {
                type: 'BUTTONS',
                buttons: [
                  { type: 'QUICK_REPLY', text: 'More' },
                  { type: 'URL', text: 'Shop', url: SHOP.url, example: [SHOP.example] },
                ],
              },
            ],
          })),
        },
      ],
    },
  ],
  [
    'a carousel of products',
    {
      draft: { category: 'Marketing', cards: [productCard, productCard] },
      listed: {
        cards: Array(2).fill({ headerFormat: 'Product', bodyText: null, buttons: [shown('Product', 'View')] }),
        ...{ parameterCount: 1, needs: ['cards'] },
      },
      onPlatform: [
        {
          type: 'CAROUSEL',
          cards: Array(2).fill({
            components: [{ type: 'HEADER', format: 'PRODUCT' }, ...buttonsOnPlatform({ type: 'SPM', text: 'View' })],
          }),
        },
      ],
    },
  ],
];

describeOnDatabase('Every kind of template is created', (open) => {
  const api = new TemplateAuthoringApi();
  let client: Client;

  beforeAll(async () => (client = await api.start(await open())));
  afterAll(() => api.stop());

  /** A draft whose text no other has: the platform refuses duplicates. */
  const named = (kind: string, draft: object) => ({
    ...{ name: kind.replaceAll(/[ -]/g, '_'), languageCode: 'en_US' },
    body: { text: `Hi {{1}}, this is ${kind}.`, examples: ['Mira'] },
    ...draft,
  });
  const listed = async (name: string): Promise<Json> => {
    const { items } = (await client.get(`/templates?search=${name}`)).body as { items: Json[] };
    return items.find((template) => template.name === name);
  };

  it.each(KINDS)('and listed as it is on the platform: %s', async (kind, { draft, listed: expected, onPlatform }) => {
    const body = named(kind, draft);
    expect((await client.post('/templates', { ...body, dryRun: true })).body).toEqual({ problems: [] });
    const created = await client.post('/templates', body);
    expect(created.body).toMatchObject({ ...expected, status: 'Pending', unsupported: [] });
    expect(await api.parts.onPlatform(body.name)).toMatchObject([
      {
        components: expect.arrayContaining(
          onPlatform.map((part) => expect.objectContaining(part) as unknown),
        ) as unknown,
      },
    ]);

    // A sync would store other contents as a new revision.
    const { revisionId } = (await api.parts.store.byId(api.parts.accountId, created.body.id as string))!;
    await api.parts.review(body.name);
    expect(await listed(body.name)).toMatchObject({ ...expected, status: 'Approved', sendable: true });
    expect(await api.parts.store.byId(api.parts.accountId, created.body.id as string)).toMatchObject({ revisionId });
  });

  it('with a one-time password that the app fills in', async () => {
    const draft = {
      ...{ name: 'login_by_app', languageCode: 'en_US', category: 'Authentication' },
      buttons: [{ type: 'Otp', otpType: 'OneTap', text: 'Copy code', autofillText: 'Fill in', supportedApps: APPS }],
    };
    const created = await client.post('/templates', draft);
    expect(created.body).toMatchObject({ buttons: [shown('Otp', 'Copy code')], parameterCount: 1, needs: [] });
    const [template] = await api.parts.onPlatform('login_by_app');
    expect(template).toMatchObject({
      components: [
        { type: 'BODY' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              ...{ type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy code', autofill_text: 'Fill in' },
              supported_apps: [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }],
            },
          ],
        },
      ],
    });
  });

  it('with a call permission request that stays when the text changes, until it is removed', async () => {
    const { name, ...draft } = named('a call about the order', { category: 'Utility', callPermissionRequest: true });
    const { id } = (await client.post('/templates', { name, ...draft })).body as { id: string };
    const componentsAfter = async (change: object) => {
      await api.parts.review(name);
      expect((await client.call('PATCH', `/templates/${id}`, { body: change })).status).toBe(200);
      const [template] = await api.parts.onPlatform(name);
      return (template as { components: { type: string }[] }).components.map(({ type }) => type);
    };
    const body = (text: string) => ({ body: { text } });
    expect(await componentsAfter(body('May we call you about it?'))).toEqual(['BODY', CALL_PERMISSION.type]);
    expect(await componentsAfter({ ...body('We will write.'), callPermissionRequest: false })).toEqual(['BODY']);
    expect(await componentsAfter(body('We will write soon.'))).toEqual(['BODY']);
    expect(await componentsAfter({ ...body('May we call you now?'), callPermissionRequest: true })).toEqual([
      'BODY',
      CALL_PERMISSION.type,
    ]);
  });

  it.each<[string, object, string[]]>([
    [
      'an offer without buttons and with a long text',
      { category: 'Marketing', offer: { text: 'x'.repeat(17), hasExpiration: true } },
      ['offer.text too_long', 'buttons not_allowed'],
    ],
    ['a single card', { category: 'Marketing', cards: [productCard] }, ['cards wrong_length']],
    ['a flow without its id', button({ type: 'Flow', text: 'Book' }), ['buttons[0].flowId required']],
  ])('only if it follows the rules: not %s', async (kind, draft, errors) => {
    const refused = expectError(await client.post('/templates', named(kind, draft)), 400, 'validation_failed');
    expect((refused.errors as Json[]).map(({ field, code }) => `${field} ${code}`)).toEqual(errors);
  });

  describe('and previewed before it is saved', () => {
    const texts = (...values: string[]) => values.map((text) => ({ text }));
    const preview = async (draft: object, more: object): Promise<Json> => {
      const answer = await client.post('/templates/preview', { draft, ...more });
      expect([answer.status, answer.body.message]).toEqual([200, undefined]);
      return answer.body;
    };
    const codesOf = ({ problems }: Json) => (problems as Json[]).map(({ field, code }) => `${field} ${code}`);

    it('with the same answer as the preview of the saved template', async () => {
      const draft = named('an offer for tonight', {
        ...{ category: 'Marketing', offer: { text: 'Ends soon!', hasExpiration: true } },
        buttons: [COUPON, SHOP],
      });
      const given = {
        templateParameters: texts('Mira', 'WEEKEND20', 'sku-1'),
        offerExpiresAt: '2099-12-01T21:00:00+01:00',
      };
      const before = await preview(draft, given);
      expect(before).toMatchObject({
        offer: { text: 'Ends soon!', expiresAt: '2099-12-01T20:00:00.000Z' },
        problems: [],
      });
      const { id } = (await client.post('/templates', draft)).body as { id: string };
      await api.parts.review(draft.name);
      expect((await client.post(`/templates/${id}/preview`, given)).body).toEqual(before);
    });

    it('with each card of a carousel', async () => {
      const draft = named('a carousel to preview', { category: 'Marketing', cards: [card('3'), card('4')] });
      const cards = [1, 2].map((n) => ({ headerMediaUrl: `https://files.example.com/${n}.png` }));
      const given = { templateParameters: texts('Mira', '3', 'sku-1', '4', 'sku-2'), cards };
      const url = 'https://shop.example.com/sku-2';
      const body = await preview(draft, given);
      expect(body.problems).toEqual([]);
      expect((body.cards as Json[])[1]).toEqual({
        header: { format: 'Image' },
        body: 'Only 4 left today.',
        buttons: [
          { ...shown('QuickReply', 'More'), code: null },
          { ...shown('Url', 'Shop', url), code: null },
        ],
      });
    });

    it('with the problems of the draft, then those of a send', async () => {
      const draft = named('a draft', { name: 'Draft', buttons: [{ type: 'Flow', text: 'Book' }], category: 'Utility' });
      const body = await preview(draft, { templateParameters: [], headerMediaId: '1' });
      expect(body).toMatchObject({ renderedText: 'Hi {{1}}, this is a draft.' });
      expect(codesOf(body)).toEqual([
        'draft.name invalid_format',
        'draft.buttons[0].flowId required',
        'templateParameters parameter_mismatch',
        'headerMedia media_mismatch',
      ]);
      expect((body.problems as Json[])[0]).toMatchObject({
        message: expect.stringMatching(/^draft\.name must/) as string,
      });
    });

    it('with the name that is taken, and without storing anything', async () => {
      const draft = named('a name for two', { category: 'Utility' });
      const given = { templateParameters: texts('Mira') };
      expect(codesOf(await preview(draft, given))).toEqual([]);
      expect(await listed(draft.name)).toBeUndefined();
      await client.post('/templates', draft);
      expect(codesOf(await preview(draft, given))).toEqual(['draft.name template_name_taken']);
    });

    it('unless the request has no valid form', async () => {
      const { errors } = expectError(
        await client.post('/templates/preview', { draft: { name: 'x', category: 'News' }, values: [] }),
        ...([400, 'validation_failed'] as const),
      );
      expect(errors).toMatchObject(['draft.languageCode', 'draft.category', 'values'].map((field) => ({ field })));
    });
  });
});
