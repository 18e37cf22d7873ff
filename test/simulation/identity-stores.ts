import type { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import type { KnownNumberStore } from '../../src/modules/groups/domain/known-number-store.port';
import type { Person } from '../../src/modules/groups/domain/opt-out';
import type { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';

/** The stores of numbers and user ids. */
export interface IdentityStores {
  numbers: KnownNumberStore;
  optOuts: OptOutStore;
  conversations: Pick<ConversationStore, 'linkUserIds'>;
  /** The known number and user id of a contact; the contact's id is one of them. */
  contact: (accountId: string, id: string) => Promise<Person>;
}
