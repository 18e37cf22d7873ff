import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { AccountEvent } from '../../events/domain/event';
import { EventOutbox } from '../../events/domain/event-outbox.service';
import { InboundConversations } from '../../chat-history/domain/inbound-conversations.service';
import { ContactsService } from '../../groups/domain/contacts.service';
import { OptOutsService, type PressedButton } from '../../groups/domain/opt-outs.service';
import { InboundMedia } from '../../media/domain/inbound-media.service';
import { type InboundMessage, type InboundRecord, isFromPerson } from '../../messages/domain/inbound-message';
import { InboundMessages } from '../../messages/domain/inbound-messages.service';
import { Identities } from './identities.service';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';

/** What follows from the messages that people send. */
@Injectable()
export class InboundReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly messages: InboundMessages,
    private readonly conversations: InboundConversations,
    private readonly contacts: ContactsService,
    private readonly optOuts: OptOutsService,
    private readonly media: InboundMedia,
    private readonly templates: TemplatesService,
    private readonly events: EventOutbox,
    private readonly identities: Identities,
  ) {}

  /**
   * Applies all of the messages or none; returns how many changed nothing, as they were applied before: an opt-out that the
   * account has cancelled since stays cancelled. Rows are locked in this order, in each table by key.
   */
  async apply(messages: readonly InboundMessage[]): Promise<{ repeated: number }> {
    const applied = await this.unitOfWork.run(async () => {
      const { recorded, alsoSaid, revoked } = await this.messages.record(await this.conversations.assign(messages));
      // A message that is known by its revoke alone is not shown.
      const shown = recorded.filter(({ content }) => content.revokedAt === undefined);
      if (shown.length > 0) {
        await this.conversations.update(shown);
        await this.updateContacts(byAccount(shown.filter(isFromPerson)));
        await this.events.write(shown.filter(isFromPerson).map(receivedEvent));
      }
      await this.applyOptOuts(byAccount([...shown, ...alsoSaid].filter(isFromPerson)));
      await this.fetchMedia(shown);
      await this.media.remove(revoked);
      return { repeated: messages.length - recorded.length - alsoSaid.length };
    });
    await this.identities.join(messages);
    return applied;
  }

  private async updateContacts(written: MessagesByAccount): Promise<void> {
    for (const [accountId, messages] of written) {
      await this.contacts.upsertFromInbound(
        accountId,
        messages.map(({ phone, userId, profileName: name, username }) => ({ phone, userId, name, username })),
      );
    }
  }

  private async applyOptOuts(written: MessagesByAccount): Promise<void> {
    for (const [accountId, messages] of written) {
      const texts = messages.flatMap(({ type, phone, userId, content: { text }, at }) => {
        return type === 'Text' && text !== undefined ? [{ phone, userId, text, at }] : [];
      });
      if (texts.length > 0) await this.optOuts.applyMessages(accountId, texts);
      const buttons = await this.marketingButtons(accountId, messages);
      if (buttons.length > 0) await this.optOuts.applyButtons(accountId, buttons);
    }
  }

  /** The pressed buttons of Marketing templates: a button "Cancel" of another template opts nobody out. */
  private async marketingButtons(accountId: string, messages: readonly InboundRecord[]): Promise<PressedButton[]> {
    const pressed = messages.flatMap(({ type, content: { replyTo, ...content }, phone, userId, at }) => {
      if (type !== 'Button' || replyTo === undefined) return [];
      const texts = [content.text, content.choice?.id].filter((text) => typeof text === 'string');
      return [{ replyTo, phone, userId, at, texts }];
    });
    const revisions = await this.messages.answeredRevisions(accountId, [...new Set(pressed.map((one) => one.replyTo))]);
    const marketing = new Set<string>();
    for (const revisionId of new Set(revisions.values())) {
      if (await this.isMarketing(revisionId)) marketing.add(revisionId);
    }
    return pressed.filter(({ replyTo }) => marketing.has(revisions.get(replyTo) ?? ''));
  }

  private async isMarketing(revisionId: string): Promise<boolean> {
    try {
      return (await this.templates.categoryOf(revisionId)) === 'Marketing';
    } catch (error) {
      if (error instanceof TemplateNotFoundError) return false;
      throw error;
    }
  }

  private async fetchMedia(recorded: readonly InboundRecord[]): Promise<void> {
    const files = recorded.flatMap(({ id: messageId, accountId, content: { media }, at: receivedAt }) => {
      const platformMediaId = media?.mediaId ?? null;
      if (platformMediaId === null) return [];
      return [{ messageId, accountId, platformMediaId, mimeType: media?.mimeType ?? null, receivedAt }];
    });
    if (files.length > 0) await this.media.fetchLater(files);
  }
}

/** Of one that could not be read at first a second event tells what it says. */
function receivedEvent({ id: messageId, accountId, at, ...message }: InboundRecord): AccountEvent {
  const { conversationId, phone, userId, type, content } = message;
  const data = { messageId, conversationId, phone, userId, type, text: content.text ?? null };
  return { accountId, type: 'message.received', at, data };
}

type MessagesByAccount = readonly (readonly [accountId: string, messages: readonly InboundRecord[]])[];

/** By account, ordered by its id: whoever changes several accounts locks them in this order. */
function byAccount(messages: readonly InboundRecord[]): MessagesByAccount {
  const accountIds = [...new Set(messages.map(({ accountId }) => accountId))].sort();
  return accountIds.map((id) => [id, messages.filter(({ accountId }) => accountId === id)]);
}
