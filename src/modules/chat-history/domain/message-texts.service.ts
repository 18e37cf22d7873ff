import { Injectable } from '@nestjs/common';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import type { KeptMessage, MessageGist } from './kept-message';

/** The longest text of a preview, in characters. */
const PREVIEW_LENGTH = 1024;

/** A message with what a person reads in it; null where nothing can be read, or the template is gone. */
export interface ReadableMessage<Message extends MessageGist = KeptMessage> {
  message: Message;
  text: string | null;
}

/** What a person reads in a message: the template with its values filled in, or the text of any other message. */
@Injectable()
export class MessageTexts {
  constructor(private readonly templates: TemplatesService) {}

  /** The messages with their texts, in the same order. */
  async of<Message extends MessageGist>(messages: readonly Message[]): Promise<ReadableMessage<Message>[]> {
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

/** One line of a list about a message: its text, a reaction's emoji, or the word for its type. */
export function previewOf({ message, text }: ReadableMessage<MessageGist>): string {
  const line = text || message.content?.reaction?.emoji || message.type;
  const characters = line.length > PREVIEW_LENGTH ? [...line] : [];
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…` : line;
}
