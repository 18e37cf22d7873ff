import { unreadAuditLog } from '../support/audit';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import type { ConversationJoins } from '../../src/modules/chat-history/domain/conversation-joins';
import type { ConversationStore } from '../../src/modules/chat-history/domain/conversation-store.port';
import { InboundConversations } from '../../src/modules/chat-history/domain/inbound-conversations';
import type { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import type { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import type { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import type { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import type { Clock } from '../../src/kernel/clock';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { Identities } from '../../src/modules/platform-webhook/domain/identities';
import type { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import { InMemoryOptOutKeywords } from '../fakes/in-memory-opt-outs';
import type { IdentityStores } from './identity-stores';

interface IdentityParts {
  unitOfWork: UnitOfWork;
  clock: Clock;
  senders: SendersService;
  tier: TierBudget;
}

/** Numbers in histories are canonical. */
const PHONES = {
  canonical: (phone) => phone,
  readerFor: () => Promise.resolve((phone: string) => phone),
} as Partial<PhoneBook> as PhoneBook;
const CONTACTS = { linkIdentities: () => Promise.resolve() } as Partial<ContactStore> as ContactStore;
const EVENTS = { write: () => Promise.resolve() } as Partial<EventOutbox> as EventOutbox;
/** Histories have no conversations to join. */
const JOINS = { join: () => Promise.resolve() } as Partial<ConversationJoins> as ConversationJoins;

/** Opt-outs of people with a number, a user id or both. */
export function optOutsOf(
  { numbers, optOuts }: IdentityStores,
  { clock, unitOfWork }: Pick<IdentityParts, 'clock' | 'unitOfWork'>,
): OptOutsService {
  return new OptOutsService(
    ...([optOuts, new KnownNumbers(numbers), PHONES, clock, unitOfWork, new InMemoryOptOutKeywords(), EVENTS] as const),
    unreadAuditLog(),
  );
}

/** Links the number and user id of a person when the platform names both. */
export function identitiesOf(
  { conversations, numbers }: IdentityStores,
  optOuts: OptOutsService,
  { senders, tier, unitOfWork }: IdentityParts,
): Identities {
  const talks = new InboundConversations(conversations as ConversationStore, new KnownNumbers(numbers));
  const quota = {} as ContactQuota;
  const contacts = new ContactsService(CONTACTS, PHONES, optOuts, unitOfWork, quota);
  return new Identities(talks, contacts, optOuts, JOINS, senders, tier);
}
