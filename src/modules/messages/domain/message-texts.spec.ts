import { SendableTemplate } from '../../templates/domain/sendable-template';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import type { TemplatesService } from '../../templates/domain/templates.service';
import type { StoredMessage } from './stored-message';
import { MessageTexts, previewOf } from './message-texts';

const TEMPLATE = new SendableTemplate({
  ...{ revisionId: 'known', name: 'hi', languageCode: 'de', category: 'Utility' },
  components: {
    ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, bodyText: 'Hallo {{1}}' },
    ...{ footerText: null, buttons: [], offer: null, cards: [], unsupported: [] },
  },
});

function textsWith(revision: (id: string) => Promise<SendableTemplate>): MessageTexts {
  return new MessageTexts({ revision } as TemplatesService);
}

const message = (changes: object) =>
  ({ id: 'm', type: 'Template', revisionId: null, parameters: null, content: null, ...changes }) as StoredMessage;

describe('The text of a message', () => {
  it('is the template revision that was sent, read once per revision', async () => {
    const requested: string[] = [];
    const texts = textsWith((id) => {
      requested.push(id);
      return id === 'known' ? Promise.resolve(TEMPLATE) : Promise.reject(new TemplateNotFoundError());
    });
    const read = await texts.of([
      message({ revisionId: 'known', parameters: ['Änne'] }),
      message({ revisionId: 'gone', parameters: ['x'] }),
      message({ revisionId: 'known', parameters: ['$1 {{1}}'] }),
      message({ revisionId: 'known', parameters: [] }),
      message({ type: 'Text', content: { text: 'Where?' } }),
    ]);
    expect(read.map(({ text }) => text)).toEqual(['Hallo Änne', null, 'Hallo $1 {{1}}', 'Hallo {{1}}', 'Where?']);
    expect(requested).toEqual(['known', 'gone']);
  });

  it('fails while the database is unavailable', async () => {
    const texts = textsWith(() => Promise.reject(new Error('no connection')));
    await expect(texts.of([message({ revisionId: 'known' })])).rejects.toThrow('no connection');
  });

  it('has a preview of one line: text, emoji or type, at most 1024 characters', () => {
    const preview = (type: string, text: string | null, content: object = {}) =>
      previewOf({ message: message({ type, content }), text });
    expect(preview('Text', 'x')).toBe('x');
    expect(preview('Image', null)).toBe('Image');
    expect(preview('Image', '')).toBe('Image');
    expect(preview('Reaction', null, { reaction: { emoji: '👍' } })).toBe('👍');
    expect(preview('Reaction', null, { reaction: { emoji: null } })).toBe('Reaction');
    expect(preview('Text', '😀'.repeat(1024))).toBe('😀'.repeat(1024));
    expect(preview('Text', '😀'.repeat(1025))).toBe(`${'😀'.repeat(1023)}…`);
  });
});
