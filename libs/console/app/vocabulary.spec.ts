import german from '../language/catalogs/de.json';
import { setCatalog } from '../language/translate';

describe('The vocabulary', () => {
  afterAll(() => setCatalog(null, 'en-GB'));

  it('names a message without a text by its type, in the language of the console', async () => {
    setCatalog(german, 'de-DE');
    const { previewWords, textOf } = await import('./vocabulary');
    expect(textOf({ renderedText: null, type: 'Image' })).toBe('Bild');
    expect(textOf({ renderedText: 'Hallo', type: 'Text' })).toBe('Hallo');
    expect([previewWords('Document'), previewWords('Hello')]).toEqual(['Dokument', 'Hello']);
  });

  it('has German words for the categories of templates and the rates of messages', async () => {
    setCatalog(german, 'de-DE');
    const { CATEGORY_WORDS, rateWord } = await import('./vocabulary');
    expect(Object.values(CATEGORY_WORDS)).toEqual(['Marketing', 'Transaktion', 'Authentifizierung']);
    expect(['utility', 'referral_conversion', 'new_rate'].map(rateWord)).toEqual([
      'Transaktion',
      'Antwort auf eine Anzeige',
      'New rate',
    ]);
  });
});
