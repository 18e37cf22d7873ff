import type { TemplateDto } from '../../../client/generated/types.gen';
import { openVariable } from '../../ui/bubble/whatsapp-text';
import {
  draftOf,
  hasUnsupportedButtons,
  nameFrom,
  NEW_DRAFT,
  placeholdersOf,
  previewOf,
  requestOf,
  withExamples,
} from './template-draft';

const TEXT = { ...NEW_DRAFT, name: 'parcel', bodyText: 'Hello {{2}}, {{1}} and {{2}}.' };

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
    const password = { ...TEXT, category: 'Authentication' as const };
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

  it('of a stored template keeps supported buttons and reports others', () => {
    const stored = {
      ...{ name: 'a', languageCode: 'de', category: 'Utility', parameterFormat: 'Positional', headerFormat: 'None' },
      ...{ headerText: null, bodyText: 'Hi', footerText: null },
      buttons: [
        { type: 'QuickReply', text: 'Thanks', url: null, phoneNumber: null },
        { type: 'Flow', text: 'Book', url: null, phoneNumber: null },
      ],
    } as unknown as TemplateDto;
    expect(hasUnsupportedButtons(stored)).toBe(true);
    expect(draftOf(stored).buttons).toEqual([{ type: 'QuickReply', text: 'Thanks' }]);
  });
});
