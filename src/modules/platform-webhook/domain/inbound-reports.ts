import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { AccountEvent } from '../../events/domain/event';
import { EventOutbox } from '../../events/domain/event-outbox';
import { SendersService } from '../../accounts/domain/senders.service';
import { InboundConversations } from '../../chat-history/domain/inbound-conversations';
import { ContactsService } from '../../groups/domain/contacts.service';
import { OptOutsService, type PressedButton } from '../../groups/domain/opt-outs.service';
import { InboundMedia } from '../../media/domain/inbound-media';
import {
  type AnsweredMessage,
  type InboundMessage,
  type InboundRecord,
  isFromPerson,
} from '../../messages/domain/inbound-message';
import { flowResponseOf } from '../../messages/domain/flow-response';
import { InboundMessages } from '../../messages/domain/inbound-messages';
import { Identities } from './identities';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';

/** Applies inbound messages. */
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
    private readonly senders: SendersService,
  ) {}

  /**
   * Applies all messages or none; returns the number of repetitions, which change nothing: an opt-out that the account
   * has cancelled since stays cancelled. Rows are locked in this order, in each table by key.
   */
  async apply(messages: readonly InboundMessage[]): Promise<{ repeated: number }> {
    const named = await this.accountsWithSeveral(messages);
    const applied = await this.unitOfWork.run(async () => {
      const { recorded, otherTexts, revoked } = await this.messages.record(await this.conversations.assign(messages));
      // A message known only by its revocation is not shown.
      const shown = recorded.filter(({ content }) => content.revokedAt === undefined);
      const written = byAccount([...shown, ...otherTexts].filter(isFromPerson));
      const answered = await this.answered(written);
      const buttons = await this.marketingButtons(written, answered);
      if (shown.length > 0) {
        await this.conversations.update(shown, await this.keywordsAmong(written, buttons));
        await this.updateContacts(byAccount(shown.filter(isFromPerson)));
      }
      const events = shown
        .filter(isFromPerson)
        .map((one) => receivedEvent(one, answered.get(one.id), named.has(one.accountId)));
      await this.events.write(events);
      await this.applyOptOuts(written, buttons);
      await this.fetchMedia(shown);
      await this.media.remove(revoked);
      return { repeated: messages.length - recorded.length - otherTexts.length };
    });
    await this.identities.join(messages);
    return applied;
  }

  /** The accounts with several senders, whose events contain `senderId`. */
  private async accountsWithSeveral(messages: readonly InboundMessage[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const accountId of new Set(messages.map((one) => one.accountId))) {
      if (await this.senders.hasSeveral(accountId)) found.add(accountId);
    }
    return found;
  }

  private async updateContacts(written: MessagesByAccount): Promise<void> {
    for (const [accountId, messages] of written) {
      await this.contacts.upsertFromInbound(
        accountId,
        messages.map(({ phone, userId, profileName: name, username }) => ({ phone, userId, name, username })),
      );
    }
  }

  /** The own messages that people replied to, by id of the reply. */
  private async answered(written: MessagesByAccount): Promise<AnsweredMessages> {
    const found = [];
    for (const [accountId, messages] of written) found.push(...(await this.messages.answered(accountId, messages)));
    return new Map(found);
  }

  /** The ids of messages that only opt the person out or in. */
  private async keywordsAmong(written: MessagesByAccount, buttons: MarketingButtons): Promise<Set<string>> {
    const found = new Set<string>();
    for (const [accountId, messages] of written) {
      const reads = await this.optOuts.reader(accountId);
      for (const { id, type, content } of messages) {
        const isKeyword = type === 'Text' ? reads.text(content.text ?? '') : buttons.get(id)?.texts.some(reads.button);
        if (isKeyword) found.add(id);
      }
    }
    return found;
  }

  private async applyOptOuts(written: MessagesByAccount, marketing: MarketingButtons): Promise<void> {
    for (const [accountId, messages] of written) {
      const texts = messages.flatMap(({ type, phone, userId, content: { text }, at }) => {
        return type === 'Text' && text !== undefined ? [{ phone, userId, text, at }] : [];
      });
      if (texts.length > 0) await this.optOuts.applyMessages(accountId, texts);
      const buttons = messages.map(({ id }) => marketing.get(id)).filter((pressed) => pressed !== undefined);
      if (buttons.length > 0) await this.optOuts.applyButtons(accountId, buttons);
    }
  }

  /** The pressed buttons of Marketing templates, by id of the message: a "Cancel" button of another template is not an opt-out. */
  private async marketingButtons(written: MessagesByAccount, answered: AnsweredMessages): Promise<MarketingButtons> {
    const pressed = written.flatMap(([, messages]) => {
      return messages.flatMap(({ id, type, content, phone, userId, at }) => {
        const revisionId = answered.get(id)?.revisionId;
        if (type !== 'Button' || !revisionId) return [];
        const texts = [content.text, content.choice?.id].filter((text) => typeof text === 'string');
        return [{ id, revisionId, button: { phone, userId, at, texts } }];
      });
    });
    const marketing = new Set<string>();
    for (const revisionId of new Set(pressed.map((one) => one.revisionId))) {
      if (await this.isMarketing(revisionId)) marketing.add(revisionId);
    }
    return new Map(pressed.flatMap(({ id, revisionId, button }) => (marketing.has(revisionId) ? [[id, button]] : [])));
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
    const files = recorded.flatMap(({ id: messageId, accountId, senderId, content: { media }, at: receivedAt }) => {
      const platformMediaId = media?.mediaId ?? null;
      if (platformMediaId === null) return [];
      return [{ messageId, accountId, senderId, platformMediaId, mimeType: media?.mimeType ?? null, receivedAt }];
    });
    if (files.length > 0) await this.media.fetchLater(files);
  }
}

/** A message that was Unsupported at first gets a second event with its text. */
function receivedEvent(
  { id: messageId, accountId, senderId, at, traceparent, ...message }: InboundRecord,
  answered: AnsweredMessage | undefined,
  showsSender: boolean,
): AccountEvent {
  const { conversationId, phone, userId, type, content } = message;
  const { text = null, choice } = content;
  const data = {
    ...{ messageId, conversationId, phone, userId, type, text },
    ...(showsSender && { senderId }),
    // The id of a form is the platform's name of the kind of reply.
    buttonPayload: choice?.form === undefined ? (choice?.id ?? null) : null,
    replyTo: answered === undefined ? null : { messageId: answered.id, reference: answered.reference },
    flowResponse: flowResponseOf(content),
  };
  return { accountId, type: 'message.received', at, data, traceparent };
}

type AnsweredMessages = ReadonlyMap<string, AnsweredMessage>;

type MarketingButtons = ReadonlyMap<string, PressedButton>;

type MessagesByAccount = readonly (readonly [accountId: string, messages: readonly InboundRecord[]])[];

/** Groups by account, ordered by id: transactions lock several accounts in this order. */
function byAccount(messages: readonly InboundRecord[]): MessagesByAccount {
  const accountIds = [...new Set(messages.map(({ accountId }) => accountId))].sort();
  return accountIds.map((id) => [id, messages.filter(({ accountId }) => accountId === id)]);
}
