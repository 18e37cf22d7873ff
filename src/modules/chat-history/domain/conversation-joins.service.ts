import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ConversationMessages } from '../../messages/domain/conversation-messages.service';
import { ConversationStore, type KnownByUserId, type SeparatedConversations } from './conversation-store.port';

/** Messages of one transaction: few enough that other work need not wait. */
const MOVED_AT_ONCE = 500;

/**
 * One person has one conversation: what somebody wrote under a user id alone is moved into the conversation with the number once
 * both are known to be one person's. Call it after what was recorded has committed: of two reports that arrive at once, the one that
 * commits last finds what the other wrote. Not inside a unit of work, as each step locks messages before conversations.
 */
@Injectable()
export class ConversationJoins {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ConversationStore,
    private readonly messages: ConversationMessages,
  ) {}

  /** Joins the conversations of these people. Repeating it continues what was interrupted. */
  async join(people: readonly KnownByUserId[]): Promise<void> {
    if (people.length === 0) return;
    for (const separated of await this.store.separated(people)) {
      while (!(await this.step(separated)));
    }
  }

  /** Whether there is nothing more to move. */
  private step(separated: SeparatedConversations): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const held = await this.messages.hold(separated.accountId, separated.fromId, MOVED_AT_ONCE);
      if (!(await this.store.fold(separated))) return true;
      await this.messages.move(held, separated.intoId);
      return this.store.finishJoin(separated);
    });
  }
}
