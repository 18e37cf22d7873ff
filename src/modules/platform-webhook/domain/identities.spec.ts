import { actorIn, unreadAuditLog } from '../../../../test/support/audit';
import { EventsInMemory } from '../../../../test/fakes/events-in-memory';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { InMemoryKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import { InMemoryOptOutKeywords, InMemoryOptOuts } from '../../../../test/fakes/in-memory-opt-outs';
import { internationalPhoneBook } from '../../../../test/support/phone-book';
import type { SendersService } from '../../accounts/domain/senders.service';
import type { ConversationJoins } from '../../chat-history/domain/conversation-joins';
import type { InboundConversations } from '../../chat-history/domain/inbound-conversations';
import { EventOutbox } from '../../events/domain/event-outbox';
import type { ContactsService } from '../../groups/domain/contacts.service';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import type { TierBudget } from '../../sending/domain/tier-budget';
import { Identities } from './identities';

const ANNA = '4915123456789';
const HIDDEN = 'DE.1349abc';

describe('Identities that are joined after the commit', () => {
  it('apply an opt-out by user id, recorded while they were linked, to the number', async () => {
    let phoneOfHidden: string | null = null;
    const numbers = new KnownNumbers(new InMemoryKnownNumbers(() => phoneOfHidden));
    const parts = [new InMemoryOptOuts(), numbers, internationalPhoneBook(), new FakeClock()] as const;
    const optOuts = new OptOutsService(
      ...parts,
      ...([new ImmediateUnitOfWork(), new InMemoryOptOutKeywords(), new EventOutbox(new EventsInMemory())] as const),
      unreadAuditLog(),
    );
    const identities = new Identities(
      ...([{} as InboundConversations, {} as ContactsService, optOuts] as const),
      { join: () => Promise.resolve() } as Partial<ConversationJoins> as ConversationJoins,
      { allOf: () => Promise.resolve([{}]) } as unknown as SendersService,
      { mergeIdentities: () => Promise.resolve() } as Partial<TierBudget> as TierBudget,
    );
    await optOuts.add(actorIn('account'), { userId: HIDDEN });
    phoneOfHidden = ANNA;
    expect(await optOuts.isOptedOut('account', ANNA)).toBe(false);
    await identities.join([{ accountId: 'account', userId: HIDDEN }]);
    expect(await optOuts.isOptedOut('account', ANNA)).toBe(true);
  });
});
