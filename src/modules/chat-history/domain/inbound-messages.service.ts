import { Injectable } from '@nestjs/common';
import { phoneKey } from '../../../kernel/phone-number';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ContactsService } from '../../groups/domain/contacts.service';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { InboundMedia } from '../../media/domain/inbound-media.service';
import { conversationId } from './conversation';
import { conversationNews, type InboundMessage, isOfThePerson } from './inbound-message';
import { InboundStore, type PlacedMessage } from './inbound-store.port';

/** The messages that people send, and everybody who has to know, in one unit of work. */
@Injectable()
export class InboundMessages {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: InboundStore,
    private readonly contacts: ContactsService,
    private readonly optOuts: OptOutsService,
    private readonly media: InboundMedia,
  ) {}

  /**
   * Records messages, or none; how many of them were there already: those change nothing any more, not even what was
   * decided since (an opt-out that the account took back stays taken back). Locks are taken in one order: messages,
   * conversations, contacts, opt-outs, media; within each table in the order of its keys.
   */
  take(messages: readonly InboundMessage[]): Promise<{ repeated: number }> {
    return this.unitOfWork.run(async () => {
      const placed = await this.placed(messages);
      const added = await this.store.add(placed);
      const fresh = placed.filter(({ id }) => added.has(id));
      if (fresh.length > 0) {
        await this.store.keepUp(conversationNews(fresh));
        await this.tellOthers(fresh);
      }
      return { repeated: messages.length - fresh.length };
    });
  }

  private async tellOthers(fresh: readonly PlacedMessage[]): Promise<void> {
    const said = fresh.filter(isOfThePerson);
    const accountIds = [...new Set(said.map(({ accountId }) => accountId))].sort();
    const byAccount = accountIds.map((id) => [id, said.filter(({ accountId }) => accountId === id)] as const);
    for (const [accountId, messages] of byAccount) {
      await this.contacts.meet(
        accountId,
        messages.map(({ phone, userId, profileName: name }) => ({ phone, userId, name })),
      );
    }
    for (const [accountId, messages] of byAccount) {
      // What a button says is no text: one that says Cancel opts nobody out.
      const texts = messages.flatMap(({ type, phone, userId, content: { text }, at }) => {
        return type === 'Text' && text !== undefined ? [{ phone, userId, text, at }] : [];
      });
      if (texts.length > 0) await this.optOuts.heedMessages(accountId, texts);
    }
    const files = fresh.flatMap(({ id: messageId, accountId, content: { media }, at: receivedAt }) => {
      const platformMediaId = media?.mediaId ?? null;
      if (platformMediaId === null) return [];
      return [{ messageId, accountId, platformMediaId, mimeType: media?.mimeType ?? null, receivedAt }];
    });
    if (files.length > 0) await this.media.fetchLater(files);
  }

  /**
   * Each message once, in the order of the ids, with its conversation. Who hides the number after having written under it
   * is still the same person, and stays in the same conversation.
   */
  private async placed(messages: readonly InboundMessage[]): Promise<PlacedMessage[]> {
    const hidden = messages.flatMap(({ accountId, phone, userId }) => {
      return phone === null && userId !== null ? [{ accountId, userId }] : [];
    });
    const phones = new Map<string, string>();
    if (hidden.length > 0) {
      for (const { accountId, userId, phone } of await this.store.phonesOf(hidden)) {
        phones.set(`${accountId} ${userId}`, phone);
      }
      for (const { accountId, userId, phone } of messages) {
        if (phone !== null && userId !== null) phones.set(`${accountId} ${userId}`, phone);
      }
    }
    const placed = new Map<string, PlacedMessage>();
    for (const message of messages) {
      const phone = message.phone ?? phones.get(`${message.accountId} ${message.userId}`) ?? null;
      const person = phone === null ? message.userId! : phoneKey(phone);
      placed.set(message.id, { ...message, phone, conversationId: conversationId(message.accountId, person) });
    }
    return [...placed.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
