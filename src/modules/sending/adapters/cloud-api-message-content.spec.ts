import type { FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import type { FilledTemplate } from '../../templates/domain/sendable-template';
import { toWireContent, toWireRecipient } from './cloud-api-message-sender';

/** As it goes over the wire: JSON leaves out what is undefined. */
const wire = (type: FreeFormType, content: MessageContent): unknown =>
  JSON.parse(JSON.stringify(toWireContent({ kind: 'freeForm', type, content })));

describe('A message on the wire', () => {
  it('goes to a number with its plus, and to who hides it by the user id', () => {
    expect(toWireRecipient('4915112345678')).toEqual({ to: '+4915112345678' });
    expect(toWireRecipient('US.13491208655302741918')).toEqual({ recipient: 'US.13491208655302741918' });
  });

  it('is a text, which may show its link and answer another message', () => {
    expect(wire('Text', { text: 'Hello' })).toEqual({ type: 'text', text: { body: 'Hello', preview_url: false } });
    expect(wire('Text', { text: 'https://a.b', previewUrl: true, replyTo: 'wamid.1' })).toEqual({
      type: 'text',
      text: { body: 'https://a.b', preview_url: true },
      context: { message_id: 'wamid.1' },
    });
  });

  it.each<[FreeFormType, MessageContent, object]>([
    ['Image', { media: { mediaId: '9' }, text: 'Look' }, { type: 'image', image: { id: '9', caption: 'Look' } }],
    ['Audio', { media: { mediaId: null, url: 'https://a.b' } }, { type: 'audio', audio: { link: 'https://a.b' } }],
    [
      'Document',
      { media: { mediaId: '9', fileName: 'a.pdf' }, replyTo: 'wamid.1' },
      { type: 'document', document: { id: '9', filename: 'a.pdf' }, context: { message_id: 'wamid.1' } },
    ],
  ])('is a file: %s', (type, content, expected) => {
    expect(wire(type, content)).toEqual(expected);
  });

  it('is a template that names its flow button, without parameters', () => {
    const template: FilledTemplate = {
      ...{ name: 'feedback', languageCode: 'de', category: 'Marketing' },
      components: [
        { part: 'body', parameters: [{ kind: 'text', text: 'Mira' }] },
        { part: 'button', index: 1, action: 'flow', parameters: [] },
      ],
    };
    expect(JSON.parse(JSON.stringify(toWireContent({ kind: 'template', template })))).toEqual({
      type: 'template',
      template: {
        ...{ name: 'feedback', language: { code: 'de' } },
        components: [
          { type: 'body', parameters: [{ type: 'text', text: 'Mira' }] },
          { type: 'button', sub_type: 'flow', index: '1' },
        ],
      },
    });
  });

  it('is a place', () => {
    const location = { latitude: 52.5, longitude: 13.4, name: 'Shop' };

    expect(wire('Location', { location })).toEqual({ type: 'location', location });
  });

  it.each([
    ['is set', '👍', '👍'],
    ['is taken away', null, ''],
  ])('is a reaction that %s, and answers nothing', (_, emoji, expected) => {
    expect(wire('Reaction', { reaction: { platformMessageId: 'wamid.1', emoji } })).toEqual({
      type: 'reaction',
      reaction: { message_id: 'wamid.1', emoji: expected },
    });
  });
});
