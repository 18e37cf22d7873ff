import { Injectable } from '@nestjs/common';
import { ConversationJoins } from '../../chat-history/domain/conversation-joins.service';
import { InboundConversations } from '../../chat-history/domain/inbound-conversations.service';
import { ContactsService } from '../../groups/domain/contacts.service';
import type { IdentityChange } from '../../groups/domain/opt-out';
import type { StatusUpdate } from '../../messages/domain/status-update';

/**
 * Who is who: a person has a phone number, and a user id for this business that replaces it where the number is hidden. Opt-outs
 * have to hold for both, and for those that replace them.
 */
@Injectable()
export class Identities {
  constructor(
    private readonly conversations: InboundConversations,
    private readonly contacts: ContactsService,
    private readonly joins: ConversationJoins,
  ) {}

  /** Records the number and the user id of recipients of whom statuses name both. Joins the surrounding unit of work. */
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

  /** Follows people of an account to new numbers and user ids. Joins the surrounding unit of work. */
  async change(accountId: string, changes: readonly IdentityChange[]): Promise<void> {
    for (const { before, after } of changes) {
      if (before.userId === null || after.userId === null) continue;
      await this.conversations.changeUserId(accountId, before.userId, after.userId);
    }
    await this.contacts.changeIdentities(accountId, changes);
  }

  /** Gives each of these people one conversation. To be called after what names them has committed; see ConversationJoins. */
  join(people: readonly { accountId: string; userId: string | null | undefined }[]): Promise<void> {
    return this.joins.join(
      people.flatMap(({ accountId, userId }) =>
        userId === null || userId === undefined ? [] : [{ accountId, userId }],
      ),
    );
  }
}
