import { errorsOfDraft, errorsOfTimeToLive } from './authoring-rules';
import type { ButtonDraft, ContentsDraft, TemplateDraft } from './template-draft';

const DRAFT: TemplateDraft = {
  name: 'parcel_on_the_way',
  languageCode: 'de',
  category: 'Utility',
  parameterFormat: 'Positional',
  body: { text: 'Hello {{1}}, parcel {{2}} is on its way.', examples: ['Mira', 'PK-1'] },
};
const NAMED: Partial<TemplateDraft> = {
  parameterFormat: 'Named',
  body: {
    text: 'Dear {{first_name}}, see you at {{starts_at}} today.',
    examples: { first_name: 'Mira', starts_at: '9' },
  },
};
const LOGIN: Partial<TemplateDraft> = {
  category: 'Authentication',
  body: undefined,
  buttons: [{ type: 'Otp', otpType: 'CopyCode' }],
};
const TRACK: ButtonDraft = {
  type: 'Url',
  text: 'Track',
  url: 'https://t.example.com/{{1}}',
  example: 'https://t.example.com/PK-1',
};
const QUICK: ButtonDraft = { type: 'QuickReply', text: 'Stop' };
const CALL: ButtonDraft = { type: 'PhoneNumber', text: 'Call us', phoneNumber: '+4930900000001' };
const COUPON: ButtonDraft = { type: 'CopyCode', example: 'WINTER20' };
const PRODUCT: Partial<TemplateDraft> = {
  ...{ category: 'Marketing', header: { format: 'Product' }, body: { text: 'For you, today only.' } },
  buttons: [{ type: 'Product', text: 'View' }],
};
const APP = { packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' };
const ONE_TAP: ButtonDraft = { type: 'Otp', otpType: 'OneTap', supportedApps: [APP] };

const errorsOf = (changes: Partial<TemplateDraft>) =>
  errorsOfDraft({ ...DRAFT, ...changes }).map(({ field, code }) => `${field} ${code}`);
const body = (text: string, examples?: unknown): Partial<TemplateDraft> => ({ body: { text, examples } });
const header = (one: object): Partial<TemplateDraft> => ({ header: one as ContentsDraft['header'] });
const buttons = (...list: ButtonDraft[]): Partial<TemplateDraft> => ({ buttons: list });
const button = (base: ButtonDraft, changes: Partial<ButtonDraft>) => buttons({ ...base, ...changes });

describe('errorsOfDraft', () => {
  it.each<[string, Partial<TemplateDraft>]>([
    ['numbered placeholders', {}],
    ['named placeholders', NAMED],
    ['a body without placeholders', body('Welcome to our shop.')],
    ['empty examples without placeholders', body('Welcome to our shop.', [])],
    ['a repeated placeholder', body('Hi {{1}}, yes {{1}}, your parcel is here.', ['Mira'])],
    ['a short text with one placeholder', body('Hello {{1}}, welcome!', ['Mira'])],
    ['line breaks in the body', body('Hello {{1}},\n\nwelcome to our shop.', ['Mira'])],
    ['a body of maximum length', body('ä'.repeat(1024))],
    ['a header with a variable at its end', header({ format: 'Text', text: 'Parcel {{1}}', example: 'PK-1' })],
    ['a media header', header({ format: 'Image', exampleHandle: '4::aW1hZ2U=:ab' })],
    ['a location header', header({ format: 'Location' })],
    ['one product', { ...PRODUCT, ...body('a'.repeat(160)) }],
    ['a footer', { footer: { text: 'Reply STOP to unsubscribe' } }],
    ['every kind of button', buttons(QUICK, { ...QUICK, text: 'Help' }, TRACK, CALL, COUPON)],
    ['an address without a variable', buttons({ type: 'Url', text: 'Shop', url: 'https://shop.example.com/?a=1' })],
    ['an authentication template', LOGIN],
    ['one tap', { ...LOGIN, ...buttons(ONE_TAP), codeExpirationMinutes: 90, addSecurityRecommendation: true }],
    ['zero tap', { ...LOGIN, ...buttons({ ...ONE_TAP, otpType: 'ZeroTap', zeroTapTermsAccepted: true }) }],
    ['the maximum time to live of a category', { messageTtlSeconds: 43_200 }],
    ['30 days as -1', { messageTtlSeconds: -1 }],
  ])('accepts %s', (_what, changes) => {
    expect(errorsOf(changes)).toEqual([]);
  });

  it.each<[Partial<TemplateDraft>, string]>([
    [{ name: 'Parcel' }, 'name invalid_format'],
    [{ name: '' }, 'name invalid_format'],
    [{ name: 'a'.repeat(513) }, 'name invalid_format'],
    [{ languageCode: 'en-US' }, 'languageCode invalid_format'],
    [{ languageCode: 'german' }, 'languageCode invalid_format'],
    [{ messageTtlSeconds: 29 }, 'messageTtlSeconds out_of_range'],
    [{ messageTtlSeconds: 43_201 }, 'messageTtlSeconds out_of_range'],
    [{ category: 'Marketing', messageTtlSeconds: -1 }, 'messageTtlSeconds out_of_range'],
    [{ category: 'Marketing', messageTtlSeconds: 43_199 }, 'messageTtlSeconds out_of_range'],
    [{ ...LOGIN, messageTtlSeconds: 901 }, 'messageTtlSeconds out_of_range'],
  ])('names, languages and times: %j is %s', (changes, error) => {
    expect(errorsOf(changes)).toEqual([error]);
  });

  it.each<[Partial<TemplateDraft>, string]>([
    [{ body: undefined }, 'body required'],
    [body('  '), 'body.text required'],
    [body('a'.repeat(1025)), 'body.text too_long'],
    [{ ...PRODUCT, ...body('a'.repeat(161)) }, 'body.text too_long'],
    [body('tab\tin it'), 'body.text invalid_characters'],
    [body('Hello {{1}, your parcel.', ['Mira']), 'body.text braces_unbalanced'],
    [body('Hello {{{1}}}, your parcel.', ['Mira']), 'body.text braces_unbalanced'],
    [body('Hello {{}}, your parcel.', ['Mira']), 'body.text placeholder_invalid'],
    [body('Hello {{ 1 }}, your parcel.', ['Mira']), 'body.text placeholder_invalid'],
    [body('Hello {{0}}, your parcel.', ['Mira']), 'body.text placeholder_invalid'],
    [body('Hello {{name}}, your parcel.', ['Mira']), 'body.text placeholder_invalid'],
    [body('Hello {{2}}, your parcel.', ['Mira']), 'body.text placeholders_not_sequential'],
    [body('Hello {{1}}, parcel {{3}} is here.', ['a', 'b']), 'body.text placeholders_not_sequential'],
    [body('Hello {{1}} {{2}}, your parcel.', ['a', 'b']), 'body.text placeholders_adjacent'],
    [body('{{1}}, your parcel is here.', ['Mira']), 'body.text placeholder_at_edge'],
    [body('Your parcel is here, {{1}} ', ['Mira']), 'body.text placeholder_at_edge'],
    [body('Hi {{1}}, {{2}}, {{3}} ok', ['a', 'b', 'c']), 'body.text too_many_placeholders'],
    [body('Hello {{1}}, your parcel.'), 'body.examples required'],
    [body('Hello {{1}}, your parcel.', []), 'body.examples examples_mismatch'],
    [body('Hello {{1}}, your parcel.', ['a', 'b']), 'body.examples examples_mismatch'],
    [body('Hello {{1}}, your parcel.', [1]), 'body.examples examples_mismatch'],
    [body('Hello {{1}}, your parcel.', { 1: 'a' }), 'body.examples examples_mismatch'],
    [body('Hello {{1}}, your parcel.', ['']), 'body.examples[0] empty'],
    [body('Hello {{1}}, your parcel.', ['a\nb']), 'body.examples[0] line_break'],
    [body('No placeholder at all', ['a']), 'body.examples examples_mismatch'],
  ])('bodies: %j is %s', (changes, error) => {
    expect(errorsOf(changes)).toEqual([error]);
  });

  it.each<[string, unknown, string]>([
    ['Dear {{First}}, see you soon.', { First: 'a' }, 'body.text placeholder_invalid'],
    ['Dear {{1}}, see you soon.', ['a'], 'body.text placeholder_invalid'],
    ['Dear {{a#b}}, see you soon.', {}, 'body.text placeholder_invalid'],
    ['Dear {{a}}, yes {{a}}, see you soon.', { a: 'x' }, 'body.text placeholder_repeated'],
    ['Dear {{a}}, see you soon.', ['x'], 'body.examples examples_mismatch'],
    ['Dear {{a}}, see you soon.', { b: 'x' }, 'body.examples examples_mismatch'],
    ['Dear {{a}}, see you soon.', { a: 'x', b: 'y' }, 'body.examples examples_mismatch'],
    ['Dear {{a}}, see you soon.', { a: ' ' }, 'body.examples.a empty'],
  ])('named placeholders: %j with %j is %s', (text, examples, error) => {
    expect(errorsOf({ ...NAMED, ...body(text, examples) })).toEqual([error]);
  });

  it.each<[Partial<TemplateDraft>, string]>([
    [header({ format: 'Text' }), 'header.text required'],
    [header({ format: 'Text', text: 'a'.repeat(61) }), 'header.text too_long'],
    [header({ format: 'Text', text: 'two\nlines' }), 'header.text line_break'],
    [header({ format: 'Text', text: 'a {{1}} b {{2}}', example: 'x' }), 'header.text too_many_placeholders'],
    [header({ format: 'Text', text: 'a {{x}}', example: 'x' }), 'header.text placeholder_invalid'],
    [header({ format: 'Text', text: 'a {{1}}' }), 'header.example required'],
    [header({ format: 'Text', text: 'a {{1}}', example: '' }), 'header.example empty'],
    [header({ format: 'Text', text: 'a', example: 'x' }), 'header.example examples_mismatch'],
    [header({ format: 'Text', text: 'a', exampleHandle: 'x' }), 'header.exampleHandle not_allowed'],
    [header({ format: 'Image' }), 'header.exampleHandle required'],
    [header({ format: 'Video', exampleHandle: 'a b' }), 'header.exampleHandle invalid_format'],
    [header({ format: 'Document', exampleHandle: 'h', text: 'x' }), 'header.text not_allowed'],
    [header({ format: 'Location', exampleHandle: 'h' }), 'header.exampleHandle not_allowed'],
    [header({ format: 'Product', exampleHandle: 'h' }), 'header.exampleHandle not_allowed'],
    [{ footer: { text: 'a'.repeat(61) } }, 'footer.text too_long'],
    [{ footer: { text: 'Bye {{1}}' } }, 'footer.text placeholder_not_allowed'],
    [{ footer: { text: '' } }, 'footer.text required'],
    [{ addSecurityRecommendation: true }, 'addSecurityRecommendation not_allowed'],
    [{ codeExpirationMinutes: 5 }, 'codeExpirationMinutes not_allowed'],
  ])('headers and footers: %j is %s', (changes, error) => {
    expect(errorsOf(changes)).toEqual([error]);
  });

  it.each<[Partial<TemplateDraft>, string]>([
    [buttons(...Array<ButtonDraft>(11).fill(QUICK)), 'buttons too_many'],
    [buttons(...Array<ButtonDraft>(10).fill(QUICK), TRACK), 'buttons too_many'],
    [buttons(TRACK, TRACK, TRACK), 'buttons too_many'],
    [buttons(CALL, CALL), 'buttons too_many'],
    [buttons(COUPON, COUPON), 'buttons too_many'],
    [buttons(QUICK, TRACK, QUICK), 'buttons not_contiguous'],
    [button(QUICK, { text: undefined }), 'buttons[0].text required'],
    [button(QUICK, { text: 'a'.repeat(26) }), 'buttons[0].text too_long'],
    [button(QUICK, { text: 'Stop {{1}}' }), 'buttons[0].text placeholder_not_allowed'],
    [button(QUICK, { url: 'https://x.example.com' }), 'buttons[0].url not_allowed'],
    [button(TRACK, { phoneNumber: '+491' }), 'buttons[0].phoneNumber not_allowed'],
    [button(TRACK, { url: undefined }), 'buttons[0].url required'],
    [button(TRACK, { url: 'ftp://x.example.com/' }), 'buttons[0].url invalid_format'],
    [button(TRACK, { url: 'https://' }), 'buttons[0].url invalid_format'],
    [button(TRACK, { url: `https://x.example.com/${'a'.repeat(2000)}` }), 'buttons[0].url too_long'],
    [button(TRACK, { url: 'https://x.example.com/{{1}}/a' }), 'buttons[0].url placeholder_invalid'],
    [button(TRACK, { url: 'https://x.example.com/{{2}}' }), 'buttons[0].url placeholder_invalid'],
    [button(TRACK, { url: 'https://x.example.com/{{1}}{{1}}' }), 'buttons[0].url placeholder_invalid'],
    [button(TRACK, { example: undefined }), 'buttons[0].example required'],
    [button(TRACK, { example: 'PK-1' }), 'buttons[0].example examples_mismatch'],
    [button(TRACK, { example: 'https://t.example.com/' }), 'buttons[0].example examples_mismatch'],
    [button(TRACK, { url: 'https://t.example.com/' }), 'buttons[0].example examples_mismatch'],
    [button(CALL, { phoneNumber: undefined }), 'buttons[0].phoneNumber required'],
    [button(CALL, { phoneNumber: '030/1234' }), 'buttons[0].phoneNumber invalid_format'],
    [button(CALL, { phoneNumber: '+12345678901234567890' }), 'buttons[0].phoneNumber invalid_format'],
    [button(COUPON, { example: undefined }), 'buttons[0].example required'],
    [button(COUPON, { example: 'A'.repeat(21) }), 'buttons[0].example invalid_format'],
    [button(COUPON, { example: 'A B' }), 'buttons[0].example invalid_format'],
    [buttons({ type: 'Otp', otpType: 'CopyCode' }), 'buttons[0].type not_allowed'],
    [buttons({ type: 'Product', text: 'View' }), 'buttons[0].type not_allowed'],
  ])('buttons: %j is %s', (changes, error) => {
    expect(errorsOf(changes)).toEqual([error]);
  });

  it.each<[Partial<TemplateDraft>, string]>([
    [header({ format: 'Location' }), 'header not_allowed'],
    [body('Your code is {{1}} now.', ['1']), 'body not_allowed'],
    [{ footer: { text: 'Bye' } }, 'footer not_allowed'],
    [{ parameterFormat: 'Named' }, 'parameterFormat not_allowed'],
    [{ codeExpirationMinutes: 91 }, 'codeExpirationMinutes out_of_range'],
    [{ buttons: undefined }, 'buttons wrong_length'],
    [buttons(QUICK), 'buttons[0].type not_allowed'],
    [buttons({ type: 'Otp' }), 'buttons[0].otpType required'],
    [buttons({ ...ONE_TAP, supportedApps: undefined }), 'buttons[0].supportedApps required'],
    [buttons({ ...ONE_TAP, otpType: 'CopyCode' }), 'buttons[0].supportedApps not_allowed'],
    [
      button(ONE_TAP, { supportedApps: [{ ...APP, packageName: 'app' }] }),
      'buttons[0].supportedApps[0].packageName invalid_format',
    ],
    [
      button(ONE_TAP, { supportedApps: [{ ...APP, signatureHash: 'x' }] }),
      'buttons[0].supportedApps[0].signatureHash invalid_format',
    ],
    [button(ONE_TAP, { otpType: 'ZeroTap' }), 'buttons[0].zeroTapTermsAccepted required'],
  ])('authentication: %j is %s', (changes, error) => {
    expect(errorsOf({ ...LOGIN, ...changes })).toEqual([error]);
  });

  it('reports one error per field, each with a sentence that starts with the field', () => {
    const errors = errorsOfDraft({
      ...DRAFT,
      ...{ name: 'X', body: { text: '{{1}}{{2}}' }, footer: { text: '{{1}}'.repeat(20) } },
      buttons: [{ type: 'Url', text: '', url: 'x' }],
    });
    const fields = ['name', 'body.text', 'footer.text', 'buttons[0].text', 'buttons[0].url'];
    expect(errors.map(({ field }) => field)).toEqual(fields);
    for (const { field, message } of errors)
      expect(message).toMatch(new RegExp(`^${field.replace(/[[\]]/g, '.')} .+\\.$`));
  });
});

describe('errorsOfTimeToLive', () => {
  it('checks only the range of the category', () => {
    expect(errorsOfTimeToLive({ category: 'Utility', messageTtlSeconds: 60 })).toEqual([]);
    expect(errorsOfTimeToLive({ category: 'Authentication', messageTtlSeconds: 10 })).toHaveLength(1);
  });
});
