import type { TemplateDto } from '../../../client/generated/types.gen';
import { openVariable } from '../../ui/bubble/whatsapp-text';
import { placeholdersOf } from './body-draft';
import { cardsFor, withCard } from './carousel-draft';
import {
  draftOf,
  hasUnsupportedButtons,
  nameFrom,
  type Draft,
  NEW_DRAFT,
  previewOf,
  requestOf,
  withExamples,
  withKind,
} from './template-draft';
import { type Kind, KINDS } from './template-kinds';

const TEXT = { ...NEW_DRAFT, name: 'parcel', bodyText: 'Hello {{2}}, {{1}} and {{2}}.' };

const ofKind = (kind: Kind, more: Partial<Draft> = {}): Draft => ({ ...TEXT, ...withKind(TEXT, kind), ...more });

const MARKETING = { category: 'Marketing', buttons: [] as string[], more: {} };
/** The parts of each kind, of a template without anything filled in. */
const PARTS: Record<Kind, object> = {
  Message: { ...MARKETING, category: 'Utility' },
  Form: { ...MARKETING, category: 'Utility', buttons: ['Flow'] },
  Offer: { ...MARKETING, buttons: ['CopyCode', 'Url'], more: { offer: { text: '', hasExpiration: true } } },
  Carousel: { ...MARKETING, more: { cards: 2 } },
  Catalog: { ...MARKETING, buttons: ['Catalog'] },
  Products: { ...MARKETING, buttons: ['MultiProduct'] },
  Product: { ...MARKETING, buttons: ['Product'] },
  CallRequest: { ...MARKETING, category: 'Utility', more: { callPermissionRequest: true } },
  Password: { ...MARKETING, category: 'Authentication', buttons: ['Otp'] },
};

describe('A template draft', () => {
  it('finds each placeholder once, in order of appearance', () => {
    expect(placeholdersOf('{{b}} {{ a }} {{b}} {{}}')).toEqual(['b', 'a']);
  });

  it('has a name of the characters that are allowed', () => {
    expect(nameFrom('Größe-M für Café 2!')).toBe('groesse_m_fuer_cafe_2');
  });

  it('becomes a request with examples in numeric order', () => {
    expect(requestOf({ ...TEXT, examples: { 1: 'one', 2: 'two' }, footerText: 'Bye' })).toEqual({
      ...{ name: 'parcel', languageCode: 'en_US', category: 'Utility', parameterFormat: 'Positional' },
      body: { text: TEXT.bodyText, examples: ['one', 'two'] },
      footer: { text: 'Bye' },
    });
    expect(requestOf(TEXT).body).toEqual({ text: TEXT.bodyText, examples: ['', ''] });
  });

  it('takes the examples of its preview', () => {
    const header = { headerFormat: 'Text' as const, headerText: 'Order {{1}}', headerExample: '17' };
    const draft = { ...TEXT, ...header, examples: { 1: 'one', 2: 'two' } };
    expect(withExamples({ ...draft, headerExample: '', examples: {} }, previewOf(draft).values)).toEqual(draft);
    expect(withExamples(TEXT, []).examples).toEqual({ 1: '', 2: '' });
  });

  it('sends only the fields of a button’s type', () => {
    const button = { text: 'Track', url: 'https://example.com', phoneNumber: '+4930900000001' };
    const { buttons } = requestOf({
      ...TEXT,
      buttons: [
        { ...button, type: 'Url' },
        { ...button, type: 'PhoneNumber' },
        { ...button, type: 'QuickReply' },
      ],
    });
    expect(buttons).toEqual([
      { type: 'Url', text: 'Track', url: 'https://example.com' },
      { type: 'PhoneNumber', text: 'Track', phoneNumber: '+4930900000001' },
      { type: 'QuickReply', text: 'Track' },
    ]);
  });

  it('of a one-time password has no text of its own', () => {
    const password = ofKind('Password');
    expect(requestOf(password)).toEqual({
      ...{ name: 'parcel', languageCode: 'en_US', category: 'Authentication' },
      buttons: [{ type: 'Otp', otpType: 'CopyCode' }],
      addSecurityRecommendation: true,
      codeExpirationMinutes: 10,
    });
    expect(previewOf(password).template.footerText).toBe('This code expires in 10 minutes.');
  });

  it('is previewed with a sample in place of an empty text', () => {
    expect(previewOf(NEW_DRAFT).template.bodyText).toBe(openVariable('Body text'));
    expect(previewOf(TEXT).template.bodyText).toBe(TEXT.bodyText);
  });

  it('of a stored template keeps all buttons that can be created, and reports others', () => {
    const stored = (...types: string[]) =>
      ({
        ...{ name: 'a', languageCode: 'de', category: 'Utility', parameterFormat: 'Positional', headerFormat: 'None' },
        ...{ headerText: null, bodyText: 'Hi', footerText: null, offer: null, cards: [] },
        buttons: types.map((type) => ({ type, text: 'Book', url: null, phoneNumber: null })),
      }) as unknown as TemplateDto;
    expect(hasUnsupportedButtons(stored('Other'))).toBe(true);
    expect(hasUnsupportedButtons(stored('Flow'))).toBe(false);
    expect(draftOf(stored('QuickReply', 'Flow'))).toMatchObject({
      ...{
        kind: 'Form',
        buttons: [
          { type: 'QuickReply', text: 'Book' },
          { type: 'Flow', text: 'Book' },
        ],
      },
    });
    expect(draftOf({ ...stored(), category: 'Authentication' })).toMatchObject({
      ...{ kind: 'Password', buttons: [{ type: 'Otp', otpType: 'CopyCode' }] },
    });
  });

  it.each(KINDS)('has the parts of its kind after a change of the kind: %s', (kind) => {
    const { category, buttons = [], cards, offer, callPermissionRequest } = requestOf(ofKind(kind));
    expect({
      category,
      buttons: buttons.map(({ type }) => type),
      more: { ...(cards && { cards: cards.length }), ...(offer && { offer }), callPermissionRequest },
    }).toEqual(PARTS[kind]);
  });

  it('keeps the buttons that the next kind may have', () => {
    const draft: Draft = { ...TEXT, headerFormat: 'Document', buttons: [{ type: 'Url' }, { type: 'QuickReply' }] };
    expect(withKind(draft, 'Form')).toMatchObject({ headerFormat: 'Document', buttons: [{ type: 'Flow' }] });
    expect(withKind(draft, 'Message')).toMatchObject({ buttons: [{ type: 'Url' }, { type: 'QuickReply' }] });
    expect(withKind(draft, 'Product')).toMatchObject({ headerFormat: 'Product', category: 'Marketing' });
  });

  it('of a flow has a screen only where it opens one, and of a password apps only where it needs them', () => {
    const button = { text: 'Book', flowId: '17', navigateScreen: 'DAY' };
    const flow = (more: object) =>
      requestOf(ofKind('Form', { buttons: [{ type: 'Flow', ...button, ...more }] })).buttons;
    expect(flow({})).toEqual([{ type: 'Flow', ...button, flowAction: 'Navigate' }]);
    expect(flow({ flowAction: 'DataExchange' })).toEqual([
      { type: 'Flow', text: 'Book', flowId: '17', flowAction: 'DataExchange' },
    ]);
    const supportedApps = [{ packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' }];
    const given = { autofillText: 'Fill in', supportedApps, zeroTapTermsAccepted: true };
    const password = (otpType: 'CopyCode' | 'OneTap' | 'ZeroTap') =>
      requestOf(ofKind('Password', { buttons: [{ type: 'Otp', otpType, ...given }] })).buttons?.[0];
    expect(password('CopyCode')).toEqual({ type: 'Otp', otpType: 'CopyCode' });
    expect(password('OneTap')).toEqual({ type: 'Otp', otpType: 'OneTap', autofillText: 'Fill in', supportedApps });
    expect(password('ZeroTap')).toEqual({ type: 'Otp', otpType: 'ZeroTap', ...given });
  });

  it('of a carousel has the same parts on all cards, and takes their examples', () => {
    const first = { ...withCard([])[0]!, bodyText: 'Only {{1}} left', examples: { 1: '3' } };
    const cards = withCard([{ ...first, buttons: [{ type: 'QuickReply', text: 'More' }] }]);
    const draft = ofKind('Carousel', { cards, cardHandles: { 1: 'h' }, examples: { 1: 'one', 2: 'two' } });
    expect(requestOf(draft).cards).toEqual([
      {
        header: { format: 'Image' },
        body: { text: 'Only {{1}} left', examples: ['3'] },
        buttons: [{ type: 'QuickReply', text: 'More' }],
      },
      {
        header: { format: 'Image', exampleHandle: 'h' },
        body: { text: '' },
        buttons: [{ type: 'QuickReply', text: '' }],
      },
    ]);
    const { template, values } = previewOf(draft);
    expect([template.cards?.length, values]).toEqual([2, ['one', 'two', '3']]);
    const empty = { ...draft, examples: {}, cards: cards.map((card) => ({ ...card, examples: {} })) };
    expect(withExamples(empty, values)).toEqual({ ...draft, headerExample: '' });
    expect(cardsFor('Product', cards).map(({ buttons }) => buttons)).toEqual(
      Array(2).fill([{ type: 'Product', text: 'View' }]),
    );
  });
});
