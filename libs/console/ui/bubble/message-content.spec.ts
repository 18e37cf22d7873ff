import { bubbleOfMessage } from './message-content';
import type { TemplateContents } from './template-values';

describe('The bubble of a stored message', () => {
  it('shows the text, and says if there is none any more', () => {
    expect(bubbleOfMessage({ type: 'Text', content: null, renderedText: 'Hello' }).body).toBe('Hello');
    expect(bubbleOfMessage({ type: 'Text', content: null, renderedText: null }).notice).toBe(
      'The text of this message is no longer stored',
    );
  });

  it('shows what a person can press', () => {
    const shown = (interactive: object) =>
      bubbleOfMessage({ type: 'Interactive', content: { text: 'Well?', interactive }, renderedText: 'Well?' });
    expect(shown({ buttons: [{ id: 'a', title: 'Yes' }], footer: 'Acme' })).toMatchObject({
      ...{ body: 'Well?', footer: 'Acme', buttons: [{ kind: 'reply', text: 'Yes' }] },
    });
    expect(shown({ list: { buttonText: 'Choose', sections: [] } }).buttons).toEqual([
      { kind: 'other', text: 'Choose' },
    ]);
    expect(shown({ link: { title: 'Track', url: 'https://a.b' } }).buttons).toEqual([
      { kind: 'link', text: 'Track', value: 'https://a.b' },
    ]);
  });

  it('shows the header and the buttons of its template', () => {
    const message = {
      ...{ type: 'Template' as const, renderedText: 'Hi Mira', parameters: ['Mira', 'a7'] },
      content: { media: { mediaId: '77' } },
    };
    const buttons = [{ type: 'Url' as const, text: 'Shop', url: 'https://a.b/{{1}}', phoneNumber: null }];
    const template: TemplateContents = {
      ...{ parameterFormat: 'Positional', headerFormat: 'Image', headerText: null, footerText: null },
      ...{ bodyText: 'Hi {{1}}', buttons },
    };
    const shown = bubbleOfMessage(message, template);
    expect(shown).toMatchObject({
      ...{ header: { kind: 'image' }, body: 'Hi Mira' },
      buttons: [{ kind: 'link', text: 'Shop', value: 'https://a.b/a7' }],
    });
    // Without access to the template, the kind of the file is not known.
    expect(bubbleOfMessage(message).header).toEqual({ kind: 'document', fileName: 'File' });
    expect(bubbleOfMessage({ ...message, renderedText: null }, template).buttons).toEqual([]);
  });

  it('shows the offer and the cards of its template, with their own values', () => {
    const card = {
      ...{ headerFormat: 'Image' as const, bodyText: 'Only {{1}} left' },
      buttons: [{ type: 'Url' as const, text: 'Shop', url: 'https://a.b/{{1}}', phoneNumber: null }],
    };
    const template: TemplateContents = {
      ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, footerText: null },
      ...{ bodyText: 'Hi {{1}}', buttons: [], cards: [card, { ...card, bodyText: null }] },
      offer: { text: 'Ends soon!', hasExpiration: true },
    };
    const parameters = ['Mira', '3', 'x', 'y'];
    const message = { type: 'Template' as const, renderedText: 'Hi Mira', parameters, content: null };
    const shown = (body: string, value: string) => ({
      ...{ header: { kind: 'image' }, body },
      buttons: [{ kind: 'link', text: 'Shop', value: `https://a.b/${value}` }],
    });
    expect(bubbleOfMessage(message, template)).toMatchObject({
      ...{ body: 'Hi Mira', offer: { text: 'Ends soon!' } },
      cards: [shown('Only 3 left', 'x'), shown('', 'y')],
    });
  });

  it('shows a place, with its map', () => {
    const location = { latitude: 52.52, longitude: -13.4, name: 'Parcel shop' };
    expect(bubbleOfMessage({ type: 'Location', content: { location }, renderedText: null }).header).toEqual({
      ...{ kind: 'location', name: 'Parcel shop', address: null },
      mapUrl: 'https://www.openstreetmap.org/?mlat=52.52&mlon=-13.4',
    });
  });

  it('hides a deleted message', () => {
    const content = { text: 'Secret', revokedAt: '2026-11-23T09:40:00.000Z' };
    expect(bubbleOfMessage({ type: 'Text', content, renderedText: null })).toEqual({
      body: '',
      notice: 'This message was deleted',
    });
  });
});
