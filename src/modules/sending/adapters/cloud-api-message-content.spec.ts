import type { FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import type { FilledTemplate } from '../../templates/domain/filled-template';
import { toWireContent, toWireRecipient } from './cloud-api-message-sender';

/** The JSON sent, without undefined fields. */
const wire = (type: FreeFormType, content: MessageContent): unknown =>
  JSON.parse(JSON.stringify(toWireContent({ kind: 'freeForm', type, content })));

describe('A message on the wire', () => {
  it('is addressed to a number with its plus, or to the user id if the number is hidden', () => {
    expect(toWireRecipient('4915112345678')).toEqual({ to: '+4915112345678' });
    expect(toWireRecipient('US.13491208655302741918')).toEqual({ recipient: 'US.13491208655302741918' });
  });

  it('is a text, optionally with a link preview and a quoted message', () => {
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

  it('is a template that names its flow button', () => {
    const template: FilledTemplate = {
      ...{ name: 'feedback', languageCode: 'de', category: 'Marketing' },
      components: [
        { part: 'body', parameters: [{ kind: 'text', text: 'Mira' }] },
        {
          ...{ part: 'button', index: 1, action: 'flow' },
          parameters: [{ kind: 'flow', flow: { token: 'm-17', data: { name: 'Mira' } } }],
        },
      ],
    };
    expect(JSON.parse(JSON.stringify(toWireContent({ kind: 'template', template })))).toEqual({
      type: 'template',
      template: {
        ...{ name: 'feedback', language: { code: 'de' } },
        components: [
          { type: 'body', parameters: [{ type: 'text', text: 'Mira' }] },
          {
            ...{ type: 'button', sub_type: 'flow', index: '1' },
            parameters: [{ type: 'action', action: { flow_token: 'm-17', flow_action_data: { name: 'Mira' } } }],
          },
        ],
      },
    });
  });

  it('is a template with a tap target', () => {
    const target = { title: 'Details', url: 'https://x.test/spring' };
    const template: FilledTemplate = {
      ...{ name: 'sale', languageCode: 'de', category: 'Marketing' },
      components: [{ part: 'tapTarget', target }],
    };
    expect(toWireContent({ kind: 'template', template })).toMatchObject({
      template: {
        components: [
          {
            type: 'tap_target_configuration',
            parameters: [{ type: 'tap_target_configuration', tap_target_configuration: [target] }],
          },
        ],
      },
    });
  });

  it('is a location', () => {
    const location = { latitude: 52.5, longitude: 13.4, name: 'Shop' };

    expect(wire('Location', { location })).toEqual({ type: 'location', location });
  });

  it.each([
    [
      ...['buttons', { buttons: [{ id: 'a', title: 'Yes' }], footer: 'Acme' }],
      {
        ...{ type: 'button', body: { text: 'Well?' }, footer: { text: 'Acme' } },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Yes' } }] },
      },
    ] as const,
    [
      ...['a list', { list: { buttonText: 'Choose', sections: [{ rows: [{ id: 'a', title: 'A' }] }] } }],
      {
        ...{ type: 'list', body: { text: 'Well?' } },
        action: { button: 'Choose', sections: [{ rows: [{ id: 'a', title: 'A' }] }] },
      },
    ] as const,
    [
      ...['a link', { link: { title: 'Track', url: 'https://a.b' } }],
      {
        ...{ type: 'cta_url', body: { text: 'Well?' } },
        action: { name: 'cta_url', parameters: { display_text: 'Track', url: 'https://a.b' } },
      },
    ] as const,
  ])('has %s to press', (_, interactive, expected) => {
    expect(wire('Interactive', { text: 'Well?', interactive, replyTo: 'wamid.1' } as MessageContent)).toEqual({
      ...{ type: 'interactive', interactive: expected },
      context: { message_id: 'wamid.1' },
    });
  });

  it.each([
    ['is set', '👍', '👍'],
    ['is removed', null, ''],
  ])('is a reaction that %s, without a quoted message', (_, emoji, expected) => {
    expect(wire('Reaction', { reaction: { platformMessageId: 'wamid.1', emoji } })).toEqual({
      type: 'reaction',
      reaction: { message_id: 'wamid.1', emoji: expected },
    });
  });
});
