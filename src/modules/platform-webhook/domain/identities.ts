import { Injectable } from '@nestjs/common';
import { SendersService } from '../../accounts/domain/senders.service';
import { ConversationJoins } from '../../chat-history/domain/conversation-joins';
import { InboundConversations } from '../../chat-history/domain/inbound-conversations';
import { ContactsService } from '../../groups/domain/contacts.service';
import type { IdentityChange } from '../../groups/domain/opt-out';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { TierBudget } from '../../sending/domain/tier-budget';

/**
 * Links phone numbers with user ids, which replace hidden numbers. Opt-outs must apply to both, and to their
 * replacements.
 */
@Injectable()
export class Identities {
  constructor(
    private readonly conversations: InboundConversations,
    private readonly contacts: ContactsService,
    private readonly optOuts: OptOutsService,
    private readonly joins: ConversationJoins,
    private readonly senders: SendersService,
    private readonly tierBudget: TierBudget,
  ) {}

  /** Links number and user id of recipients if a status contains both. Joins the surrounding unit of work. */
  async link(updates: readonly StatusUpdate[]): Promise<void> {
    const people = updates.flatMap(({ accountId, recipient }) => (recipient ? [{ accountId, ...recipient }] : []));
    const unknown = await this.conversations.link(people);
    for (const accountId of [...new Set(unknown.map((one) => one.accountId))].sort()) {
      await this.contacts.linkIdentities(
        accountId,
        unknown.filter((one) => one.accountId === accountId),
      );
    }
  }

  /** Applies new numbers and user ids of people of an account. Joins the surrounding unit of work. */
  async change(accountId: string, changes: readonly IdentityChange[]): Promise<void> {
    for (const { before, after } of changes) {
      if (before.userId === null || after.userId === null) continue;
      await this.conversations.changeUserId(accountId, before.userId, after.userId);
    }
    await this.contacts.changeIdentities(accountId, changes);
  }

  /**
   * Joins the conversations and the opt-outs of each of these people, and what is counted for their messaging tier. Call it after the recording
   * transaction has committed; see ConversationJoins.
   */
  async join(people: readonly { accountId: string; userId: string | null | undefined }[]): Promise<void> {
    const known = people.flatMap(({ accountId, userId }) => (userId ? [{ accountId, userId }] : []));
    await this.joins.join(known);
    for (const accountId of new Set(known.map((one) => one.accountId))) {
      const userIds = known.filter((one) => one.accountId === accountId).map(({ userId }) => userId);
      await this.optOuts.joinIdentities(accountId, userIds);
      for (const sender of await this.senders.allOf(accountId)) await this.tierBudget.mergeIdentities(sender, userIds);
    }
  }
}
