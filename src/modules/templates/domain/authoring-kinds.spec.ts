import { errorsOfDraft } from './authoring-rules';
import type { ButtonDraft, CardDraft, TemplateDraft } from './template-draft';

const DRAFT: TemplateDraft = {
  ...{ name: 'spring_sale', languageCode: 'en_US', category: 'Marketing', parameterFormat: 'Positional' },
  body: { text: 'Hello, our sale has begun.' },
};
const QUICK: ButtonDraft = { type: 'QuickReply', text: 'More' };
const SHOP: ButtonDraft = { type: 'Url', text: 'Shop', url: 'https://shop.example.com/' };
const CALL: ButtonDraft = { type: 'PhoneNumber', text: 'Call us', phoneNumber: '+4930900000001' };
const COUPON: ButtonDraft = { type: 'CopyCode', example: 'WEEKEND20' };
const VIEW: ButtonDraft = { type: 'Product', text: 'View' };
const FLOW: ButtonDraft = { type: 'Flow', text: 'Book', flowId: '600000000000001' };
const IMAGE = { format: 'Image', exampleHandle: '4::aW1hZ2U=:ab' } as const;

const CARD: CardDraft = { header: IMAGE, body: { text: 'Only a few left' }, buttons: [QUICK, SHOP] };
const PRODUCT: CardDraft = { header: { format: 'Product' }, buttons: [VIEW] };
const OFFER = { text: 'Ends soon!', hasExpiration: true };
const ORDER = 'buttons not_allowed';
const DIFFERENT = 'cards[1] not_allowed';

const errorsOf = (changes: Partial<TemplateDraft>) =>
  errorsOfDraft({ ...DRAFT, ...changes }).map(({ field, code }) => `${field} ${code}`);
const cards = (...list: CardDraft[]): Partial<TemplateDraft> => ({ cards: list });
/** Two cards with these changes. */
const both = (changes: Partial<CardDraft>) => cards({ ...CARD, ...changes }, { ...CARD, ...changes });
const offer = (changes: Partial<TemplateDraft>): Partial<TemplateDraft> => ({
  ...{ offer: OFFER, buttons: [COUPON, SHOP] },
  ...changes,
});
const button = (draft: ButtonDraft): Partial<TemplateDraft> => ({ buttons: [draft] });

describe('The rules for kinds of templates', () => {
  it.each<[string, Partial<TemplateDraft>]>([
    ['an offer with a code and a link', offer({})],
    ['an offer with a link', offer({ buttons: [SHOP] })],
    ['an offer with an image', offer({ header: IMAGE })],
    ['an offer with a video', offer({ header: { ...IMAGE, format: 'Video' } })],
    ['an offer text and body of maximum length', offer({ offer: { ...OFFER, text: 'x'.repeat(16) } })],
    ['a body of 600 characters with an offer', offer({ body: { text: 'x'.repeat(600) } })],
    ['2 cards', cards(CARD, CARD)],
    ['10 cards', cards(...Array<CardDraft>(10).fill(CARD))],
    ['cards of a video', both({ header: { ...IMAGE, format: 'Video' } })],
    ['cards of a header', cards({ header: IMAGE }, { header: IMAGE })],
    ['cards of a product', cards(PRODUCT, PRODUCT)],
    ['cards of a product with a link', cards({ ...PRODUCT, buttons: [SHOP] }, { ...PRODUCT, buttons: [SHOP] })],
    ['a card body of maximum length', both({ body: { text: 'x'.repeat(160) } })],
    ['a flow', button(FLOW)],
    ['a flow with a first screen', button({ ...FLOW, flowAction: 'Navigate', navigateScreen: 'START_1' })],
    ['a flow with an endpoint', button({ ...FLOW, flowAction: 'DataExchange' })],
    ['a catalog', button({ type: 'Catalog', text: 'View catalog' })],
    ['several products', button({ type: 'MultiProduct', text: 'View items' })],
    ['a voice call', button({ type: 'VoiceCall', text: 'Call now' })],
    ['a call permission request', { callPermissionRequest: true }],
    ['a call permission request in Utility', { category: 'Utility', callPermissionRequest: true }],
    ['a request for contact info', button({ type: 'RequestContactInfo' })],
  ])('allow %s', (_, changes) => {
    expect(errorsOf(changes)).toEqual([]);
  });

  it.each<[string, Partial<TemplateDraft>, string[]]>([
    ['without a text', { offer: { ...OFFER, text: '' } }, ['offer.text required']],
    ['with a text of 17 characters', { offer: { ...OFFER, text: 'x'.repeat(17) } }, ['offer.text too_long']],
    ['with a text of two lines', { offer: { ...OFFER, text: 'Ends\nsoon' } }, ['offer.text line_break']],
    ['with a body of 601 characters', { body: { text: 'x'.repeat(601) } }, ['body.text too_long']],
    ['in another category', { category: 'Utility' }, ['offer not_allowed']],
    ['with a footer', { footer: { text: 'Bye' } }, ['footer not_allowed']],
    ['with a text header', { header: { format: 'Text', text: 'Sale' } }, ['header.format not_allowed']],
    ['with a document', { header: { ...IMAGE, format: 'Document' } }, ['header.format not_allowed']],
    ['without buttons', { buttons: [] }, [ORDER]],
    ['with the link first', { buttons: [SHOP, COUPON] }, [ORDER]],
    ['with two links', { buttons: [COUPON, SHOP, SHOP] }, [ORDER]],
    ['with a quick reply', { buttons: [QUICK] }, [ORDER]],
    ['with cards', { ...cards(CARD, CARD), buttons: [] }, ['cards not_allowed', ORDER]],
  ])('refuse an offer %s', (_, changes, errors) => {
    expect(errorsOf(offer(changes))).toEqual(errors);
  });

  it.each<[string, Partial<TemplateDraft>, string[]]>([
    ['in another category', { ...cards(CARD, CARD), category: 'Utility' }, ['cards not_allowed']],
    ['with a header', { ...cards(CARD, CARD), header: { format: 'Text', text: 'Sale' } }, ['header not_allowed']],
    ['with a footer', { ...cards(CARD, CARD), footer: { text: 'Bye' } }, ['footer not_allowed']],
    ['with buttons of the message', { ...cards(CARD, CARD), buttons: [QUICK] }, ['buttons not_allowed']],
    ['without cards', cards(), ['cards wrong_length']],
    ['of one card', cards(CARD), ['cards wrong_length']],
    ['of 11 cards', cards(...Array<CardDraft>(11).fill(CARD)), ['cards wrong_length']],
    ['of different headers', cards(CARD, { ...CARD, header: { ...IMAGE, format: 'Video' } }), [DIFFERENT]],
    ['of one body', cards(CARD, { ...CARD, body: undefined }), [DIFFERENT]],
    ['of different buttons', cards(CARD, { ...CARD, buttons: [QUICK] }), [DIFFERENT]],
    ['of buttons in another order', cards(CARD, { ...CARD, buttons: [SHOP, QUICK] }), [DIFFERENT]],
  ])('refuse a carousel %s', (_, changes, errors) => {
    expect(errorsOf(changes)).toEqual(errors);
  });

  it.each<[string, Partial<CardDraft>, string]>([
    ['without an example', { header: { format: 'Image' } }, 'header.exampleHandle required'],
    [
      'with an example of a product',
      { header: { format: 'Product', exampleHandle: 'h' } },
      'header.exampleHandle not_allowed',
    ],
    ['with a body of 161 characters', { body: { text: 'x'.repeat(161) } }, 'body.text too_long'],
    ['with a value without example', { body: { text: 'Only {{1}} left today.' } }, 'body.examples required'],
    ['with 3 buttons', { buttons: [QUICK, SHOP, CALL] }, 'buttons too_many'],
    ['with a coupon code', { buttons: [COUPON] }, 'buttons[0].type not_allowed'],
    ['with a flow', { buttons: [FLOW] }, 'buttons[0].type not_allowed'],
    ['with a product button and media', { buttons: [VIEW] }, 'buttons[0].type not_allowed'],
    ['with a button without label', { buttons: [{ ...QUICK, text: undefined }] }, 'buttons[0].text required'],
    ['with a link without address', { buttons: [{ ...SHOP, url: undefined }] }, 'buttons[0].url required'],
  ])('refuse a card %s', (_, changes, error) => {
    expect(errorsOf(both(changes))).toEqual([`cards[0].${error}`, `cards[1].${error}`]);
  });

  it.each<[string, ButtonDraft, string]>([
    ['a flow without its id', { ...FLOW, flowId: undefined }, 'flowId required'],
    ['a flow by name', { ...FLOW, flowId: 'booking' }, 'flowId invalid_format'],
    ['a flow without label', { ...FLOW, text: undefined }, 'text required'],
    ['a screen that is no id', { ...FLOW, navigateScreen: 'first screen' }, 'navigateScreen invalid_format'],
    [
      'a screen with an endpoint',
      { ...FLOW, flowAction: 'DataExchange', navigateScreen: 'START' },
      'navigateScreen not_allowed',
    ],
    ['an id of a flow on another button', { ...QUICK, flowId: '1' }, 'flowId not_allowed'],
    ['an action of a flow on another button', { ...QUICK, flowAction: 'Navigate' }, 'flowAction not_allowed'],
    ['a catalog without label', { type: 'Catalog' }, 'text required'],
    ['several products without label', { type: 'MultiProduct' }, 'text required'],
    ['a voice call without label', { type: 'VoiceCall' }, 'text required'],
    ['a voice call with a number', { ...CALL, type: 'VoiceCall' }, 'phoneNumber not_allowed'],
    [
      'a request for contact info with a long label',
      { type: 'RequestContactInfo', text: 'x'.repeat(26) },
      'text too_long',
    ],
    ['a label for autofill outside Authentication', { ...QUICK, autofillText: 'Fill in' }, 'autofillText not_allowed'],
  ])('refuse %s', (_, draft, error) => {
    expect(errorsOf(button(draft))).toEqual([`buttons[0].${error}`]);
  });

  it.each<ButtonDraft>([
    FLOW,
    { type: 'Catalog', text: 'View catalog' },
    { type: 'MultiProduct', text: 'View items' },
    { type: 'VoiceCall', text: 'Call now' },
    { type: 'RequestContactInfo' },
  ])('refuse two buttons of type $type', (draft) => {
    expect(errorsOf({ buttons: [draft, draft] })).toEqual(['buttons too_many']);
  });

  it.each<[string, Partial<ButtonDraft>, string[]]>([
    ['one of 25 characters', { otpType: 'OneTap', autofillText: 'x'.repeat(25) }, []],
    ['one of 26', { otpType: 'OneTap', autofillText: 'x'.repeat(26) }, ['buttons[0].autofillText too_long']],
    [
      'one for a copied code',
      { otpType: 'CopyCode', supportedApps: undefined, autofillText: 'Fill in' },
      ['buttons[0].autofillText not_allowed'],
    ],
  ])('check the label for autofill: %s', (_, changes, errors) => {
    const supportedApps = [{ packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' }];
    const otp: ButtonDraft = { type: 'Otp', supportedApps, ...changes };
    expect(errorsOf({ category: 'Authentication', body: undefined, buttons: [otp] })).toEqual(errors);
  });

  it('leave offers, cards and call permission requests to other categories than Authentication', () => {
    const otp: ButtonDraft = { type: 'Otp', otpType: 'CopyCode' };
    const login: Partial<TemplateDraft> = { category: 'Authentication', body: undefined, buttons: [otp] };
    expect(errorsOf({ ...login, offer: OFFER, cards: [CARD, CARD], callPermissionRequest: true })).toEqual([
      'offer not_allowed',
      'cards not_allowed',
      'callPermissionRequest not_allowed',
    ]);
  });
});
