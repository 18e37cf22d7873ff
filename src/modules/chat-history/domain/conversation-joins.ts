import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import type { KnownByUserId } from '../../groups/domain/identified-person';
import { ConversationStore, type SplitConversation } from './conversation-store.port';

/** Messages per transaction, small enough not to delay other work. */
const MOVE_BATCH = 500;

/**
 * Keeps one conversation per person: once a user id and a number are linked, moves the messages under the user id into
 * the conversation with the number. Call it after the recording transaction has committed: of two concurrent reports,
 * the later commit sees the rows of the other. Not inside a unit of work, because each step locks messages before
 * conversations.
 */
@Injectable()
export class ConversationJoins {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ConversationStore,
    private readonly messages: ConversationMessages,
  ) {}

  /** Joins the conversations of these people. A repeated call resumes an interrupted one. */
  async join(people: readonly KnownByUserId[]): Promise<void> {
    if (people.length === 0) return;
    for (const split of await this.store.findSplit(people)) {
      while (!(await this.step(split)));
    }
  }

  /** Returns whether the join is complete. */
  private step(split: SplitConversation): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const locked = await this.messages.lock(split.accountId, split.fromId, MOVE_BATCH);
      if (!(await this.store.merge(split))) return true;
      await this.messages.move(locked, split.intoId);
      return this.store.finishJoin(split);
    });
  }
}
