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
});
