import { platformTemplate } from '../../../../test/fakes/templates-in-memory';
import type { Template } from './template';
import type { TemplateComponents } from './template-components';
import type { TemplateExtras } from './template-extras';
import { previewOf } from './template-preview';

const NOW = new Date('2026-11-20T12:00:00.000Z');

function template(components: Partial<TemplateComponents>, changes: Partial<Template> = {}): Template {
  const at = new Date(0);
  const platform = platformTemplate('promo');
  return {
    ...platform,
    ...{
      id: 'id',
      accountId: 'a',
      businessAccountId: 'b',
      revisionId: 'r',
      statusAt: at,
      createdAt: at,
      updatedAt: at,
      lastSyncedAt: null,
    },
    components: { ...platform.components, ...components },
    ...changes,
  };
}

const BUTTON = { text: 'x', url: null, phoneNumber: null };
const codes = (of: Template, values: string[], extras: TemplateExtras | null) =>
  previewOf(of, values, extras, NOW).problems.map(({ field, code }) => `${field} ${code}`);

describe('previewOf', () => {
  it('fills in all parts and reports no problem for sendable values', () => {
    const whole = template({
      ...{ headerFormat: 'Text', headerText: 'Parcel {{1}}', bodyText: 'Hello {{1}}, $& {{2}}', footerText: 'Bye' },
      buttons: [
        { ...BUTTON, type: 'QuickReply' },
        { ...BUTTON, type: 'Url', url: 'https://t.test/{{1}}' },
        { ...BUTTON, type: 'CopyCode' },
      ],
    });
    expect(previewOf(whole, ['PK-1', 'Mira', 'here', '$&a', 'WINTER'], null, NOW)).toEqual({
      renderedText: 'Parcel PK-1\n\nHello Mira, $& here\n\nBye',
      header: { format: 'Text', text: 'Parcel PK-1' },
      body: 'Hello Mira, $& here',
      footer: 'Bye',
      buttons: [
        { ...BUTTON, type: 'QuickReply', code: null },
        { ...BUTTON, type: 'Url', url: 'https://t.test/$&a', code: null },
        { ...BUTTON, type: 'CopyCode', code: 'WINTER' },
      ],
      problems: [],
    });
  });

  it('fills in named placeholders, and one password in both places', () => {
    const named = template({ parameterFormat: 'Named', bodyText: 'Dear {{first_name}}' });
    expect(previewOf(named, ['Mira'], null, NOW).body).toBe('Dear Mira');
    const login = template({ bodyText: '*{{1}}*', buttons: [{ ...BUTTON, type: 'Otp' }] });
    expect(previewOf(login, ['123456'], null, NOW)).toMatchObject({ body: '*123456*', buttons: [{ code: '123456' }] });
  });

  it('fills in each card of a carousel with its own values', () => {
    const buttons = [
      { ...BUTTON, type: 'QuickReply' as const },
      { ...BUTTON, type: 'Url' as const, url: 'https://t.test/{{1}}' },
    ];
    const card = { headerFormat: 'Image' as const, bodyText: 'Only {{1}} left', buttons };
    const carousel = template({ bodyText: 'Hi {{1}}', cards: [card, { ...card, bodyText: null }] });
    const { cards, body } = previewOf(carousel, ['Mira', '3', 'a', 'b'], null, NOW);
    const filled = (url: string) => [
      { ...buttons[0], code: null },
      { ...buttons[1], url, code: null },
    ];
    expect(body).toBe('Hi Mira');
    expect(cards).toEqual([
      { header: { format: 'Image' }, body: 'Only 3 left', buttons: filled('https://t.test/a') },
      { header: { format: 'Image' }, body: null, buttons: filled('https://t.test/b') },
    ]);
  });

  it('shows as many cards of products as are sent', () => {
    const card = { headerFormat: 'Product' as const, bodyText: null, buttons: [] };
    const carousel = template({ bodyText: 'Hi', cards: [card, card] });
    const shown = (count: number) =>
      previewOf(carousel, [], { cards: Array(count).fill({ product: { catalogId: '1', productId: 'p' } }) }, NOW).cards;
    expect([3, 11].map((count) => shown(count)?.length)).toEqual([3, 2]);
  });

  it('shows an offer and its end, in UTC', () => {
    const offer = template({ bodyText: 'Hi', offer: { text: 'Ends soon!', hasExpiration: true } });
    const offerOf = (extras: TemplateExtras | null) => previewOf(offer, [], extras, NOW).offer;
    expect(offerOf(null)).toEqual({ text: 'Ends soon!', expiresAt: null });
    expect(offerOf({ offerExpiresAt: '2026-12-01T21:00:00+01:00' })).toEqual({
      text: 'Ends soon!',
      expiresAt: '2026-12-01T20:00:00.000Z',
    });
  });

  it('leaves placeholders without a value and reports all problems', () => {
    const pending = template({ headerFormat: 'Image', bodyText: 'Hello {{1}} and {{2}}' }, { status: 'Pending' });
    const preview = previewOf(pending, ['a\nb'], null, NOW);
    expect(preview.body).toBe('Hello a\nb and {{2}}');
    expect(preview.problems.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'status template_not_approved',
      'templateParameters parameter_mismatch',
      'templateParameters[0].text line_break',
      'headerMediaId media_mismatch',
    ]);
  });

  it('reports a body that becomes too long', () => {
    expect(codes(template({ bodyText: 'Hello {{1}}' }), ['x'.repeat(1019)], null)).toEqual([
      'templateParameters[0].text text_too_long',
    ]);
  });

  it('reports missing, doubled and unexpected media, and parts beyond values', () => {
    const picture = template({ headerFormat: 'Image', bodyText: 'Hello' });
    expect(codes(picture, [], { id: '1' })).toEqual([]);
    expect(codes(picture, [], { id: '1', link: 'https://x.test/a' })).toEqual(['headerMedia media_mismatch']);
    expect(codes(template({ bodyText: 'Hello' }), [], { id: '1' })).toEqual(['headerMedia media_mismatch']);
    expect(codes(template({ headerFormat: 'Location', bodyText: 'Hello' }), [], null)).toEqual([
      'headerLocation template_not_supported',
    ]);
    expect(codes(template({ bodyText: 'Hello' }), [], { payloads: { '0': 'yes' } })).toEqual([
      'quickReplyPayloads parameter_mismatch',
    ]);
    expect(codes(template({ bodyText: 'Hello', unsupported: ['order details button'] }), [], null)).toEqual([
      'template template_not_supported',
    ]);
  });
});
