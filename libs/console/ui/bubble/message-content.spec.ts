import { bubbleOfMessage } from './message-content';

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

  it('hides a deleted message', () => {
    const content = { text: 'Secret', revokedAt: '2026-11-23T09:40:00.000Z' };
    expect(bubbleOfMessage({ type: 'Text', content, renderedText: null })).toEqual({
      body: '',
      notice: 'This message was deleted',
    });
  });
});
