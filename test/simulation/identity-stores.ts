import type { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import type { KnownNumberStore } from '../../src/modules/groups/domain/known-number-store.port';
import type { Person } from '../../src/modules/groups/domain/opt-out';
import type { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';

/** What a process keeps of numbers and user ids. */
export interface IdentityStores {
  numbers: KnownNumberStore;
  optOuts: OptOutStore;
  conversations: Pick<ConversationStore, 'linkUserIds'>;
  /** The number and user id of a contact whose id is one of them, as far as they are known. */
  contact: (accountId: string, id: string) => Promise<Person>;
}
