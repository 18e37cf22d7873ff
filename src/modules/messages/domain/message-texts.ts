import { Injectable } from '@nestjs/common';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import type { StoredMessage, MessagePreview } from './stored-message';

/** The longest text of a preview, in characters. */
const PREVIEW_LENGTH = 1024;

/** A message with its text; null if it has none or its template was deleted. */
export interface ReadableMessage<Message extends MessagePreview = StoredMessage> {
  message: Message;
  text: string | null;
}

/** Renders messages: a template with its values, or the text of any other message. */
@Injectable()
export class MessageTexts {
  constructor(private readonly templates: TemplatesService) {}

  /** The messages with their texts, in the same order. */
  async of<Message extends MessagePreview>(messages: readonly Message[]): Promise<ReadableMessage<Message>[]> {
    const revisionIds = new Set(messages.map(({ revisionId }) => revisionId).filter((id) => id !== null));
    const templates = new Map<string, SendableTemplate | null>();
    for (const revisionId of revisionIds) templates.set(revisionId, await this.templateOf(revisionId));
    return messages.map((message) => {
      const template = message.revisionId === null ? undefined : templates.get(message.revisionId);
      const rendered = template?.render(message.parameters ?? []);
      return { message, text: rendered ?? message.content?.text ?? null };
    });
  }

  private async templateOf(revisionId: string): Promise<SendableTemplate | null> {
    try {
      return await this.templates.revision(revisionId);
    } catch (error) {
      if (error instanceof TemplateNotFoundError) return null;
      throw error;
    }
  }
}

/** A one-line preview: the text, the emoji of a reaction, or the type. */
export function previewOf({ message, text }: ReadableMessage<MessagePreview>): string {
  const line = text || message.content?.reaction?.emoji || message.type;
  const characters = line.length > PREVIEW_LENGTH ? [...line] : [];
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…` : line;
}
