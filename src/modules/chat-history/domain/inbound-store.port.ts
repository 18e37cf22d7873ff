import type { PhoneNumber } from '../../../kernel/phone-number';
import type { ConversationNews, InboundMessage } from './inbound-message';

/** A message with the conversation that it belongs to. */
export type PlacedMessage = InboundMessage & { conversationId: string };

/** A person of an account who is known by the platform's user id. */
export interface KnownByUserId {
  accountId: string;
  userId: string;
}

/** Where messages of people are kept. Every method joins the surrounding unit of work. */
export abstract class InboundStore {
  /** The numbers of people who wrote under them before; of the others nothing. */
  abstract phonesOf(people: readonly KnownByUserId[]): Promise<(KnownByUserId & { phone: PhoneNumber })[]>;
  /** Writes the messages that are not there yet, and gives their ids. */
  abstract add(messages: readonly PlacedMessage[]): Promise<Set<string>>;
  /** Brings conversations up to date with new messages, at most one entry for each; they come sorted by id. */
  abstract keepUp(news: readonly ConversationNews[]): Promise<void>;
}
