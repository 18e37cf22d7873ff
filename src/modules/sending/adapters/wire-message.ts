import type { MessageContent } from '../../messages/domain/message-content';
import type { OutgoingContent } from '../domain/outgoing-message';
import { toWireTemplate } from './wire-template';

/** Who gets a message, as the Cloud API takes it. */
export function toWireRecipient(to: string): object {
  // Without the plus the platform takes the number for one of the business's own country.
  return /^\d+$/.test(to) ? { to: `+${to}` } : { recipient: to };
}

/** `type`, the object named like it, and of an answer its `context`, as the Cloud API takes them. */
export function toWireContent(outgoing: OutgoingContent): object {
  if (outgoing.kind === 'template') return { type: 'template', template: toWireTemplate(outgoing.template) };
  const { content } = outgoing;
  const context = content.replyTo !== undefined && { context: { message_id: content.replyTo } };
  switch (outgoing.type) {
    case 'Text':
      return { ...context, type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? false } };
    case 'Location':
      return { ...context, type: 'location', location: toWireLocation(content) };
    case 'Reaction': {
      const { platformMessageId: message_id, emoji = null } = content.reaction ?? {};
      return { type: 'reaction', reaction: { message_id, emoji: emoji ?? '' } };
    }
    default: {
      const type = outgoing.type.toLowerCase();
      return { ...context, type, [type]: toWireMedia(content) };
    }
  }
}

function toWireLocation({ location }: MessageContent): object {
  const { latitude, longitude, name, address } = location ?? {};
  return { latitude, longitude, name, address };
}

function toWireMedia({ media, text }: MessageContent): object {
  const { mediaId, url, fileName } = media ?? {};
  return { ...(mediaId ? { id: mediaId } : { link: url }), caption: text, filename: fileName };
}
