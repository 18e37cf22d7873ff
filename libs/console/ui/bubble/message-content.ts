import type { InteractiveDto, MessageDto } from '../../../client/generated/types.gen';
import { bubbleOfTemplate, type TemplateContents } from './template-values';
import type { BubbleButton, BubbleContent, BubbleHeader } from './bubble-content';
import { t } from '../../language/translate';

const MAP = 'https://www.openstreetmap.org/';

/** The content fields of a message. */
type MessageContents = Pick<MessageDto, 'type' | 'content' | 'renderedText'> & Partial<Pick<MessageDto, 'parameters'>>;

/** The bubble of a stored message. `template`: of which it was sent. */
export function bubbleOfMessage(message: MessageContents, template?: TemplateContents): BubbleContent {
  const { content, renderedText, type } = message;
  if (content?.revokedAt) return { body: '', notice: t('This message was deleted') };
  const body = renderedText ?? content?.text ?? '';
  const header = headerOf(message, template);
  switch (type) {
    case 'Contacts':
      return { body: (content?.contacts ?? []).map(({ name, phones }) => [name, ...phones].join('\n')).join('\n\n') };
    case 'Order':
      return {
        body,
        notice: t('Order of {count, plural, one {# item} other {# items}}', {
          count: content?.order?.items.length ?? 0,
        }),
      };
    case 'Reaction':
      return {
        body: content?.reaction?.emoji ?? '',
        notice: content?.reaction?.emoji ? undefined : t('Reaction removed'),
      };
    case 'Unsupported':
      return { body, notice: content?.problem?.message ?? t('WhatsApp does not forward messages of this type') };
    default:
      return {
        header,
        body,
        footer: content?.interactive?.footer,
        ...(template && body !== ''
          ? partsOf(template, message.parameters)
          : { buttons: buttonsOf(content?.interactive) }),
        notice: body === '' && !header ? t('The text of this message is no longer stored') : undefined,
      };
  }
}

/** What a template shows that its rendered text lacks. */
function partsOf(template: TemplateContents, parameters: readonly string[] | null = null): Partial<BubbleContent> {
  const { buttons, offer, cards } = bubbleOfTemplate(template, parameters ?? []);
  return { buttons, offer, cards };
}

function buttonsOf({ buttons, list, link }: InteractiveDto = {}): BubbleButton[] {
  if (link) return [{ kind: 'link', text: link.title, value: link.url }];
  if (list) return [{ kind: 'other', text: list.buttonText }];
  return (buttons ?? []).map(({ title }) => ({ kind: 'reply', text: title }));
}

function headerOf({ type, content }: MessageContents, template?: TemplateContents): BubbleHeader | null {
  if (content?.location) {
    const { name = null, address = null, latitude, longitude } = content.location;
    return { kind: 'location', name, address, mapUrl: `${MAP}?mlat=${latitude}&mlon=${longitude}` };
  }
  if (!content?.media) return null;
  const { mimeType = '', fileName } = content.media;
  if (type === 'Template' && template) {
    return bubbleOfTemplate(template, [], { fileName }).header ?? null;
  }
  if (type === 'Sticker') return { kind: 'sticker' };
  if (type === 'Image' || mimeType.startsWith('image/')) return { kind: 'image' };
  if (type === 'Video' || mimeType.startsWith('video/')) return { kind: 'video' };
  if (type === 'Audio') return { kind: 'audio' };
  return { kind: 'document', fileName: fileName ?? (type === 'Template' ? t('File') : null) };
}
