import type { PhoneNumber } from '../../../kernel/phone-number';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { Conversation } from './conversation';
import type { ConversationUpdate } from './conversation-update';

/** A conversation and its position in the list of its account. */
export interface PositionedConversation {
  conversation: Conversation;
  position: TimeCursor;
}

/** A part of the list of an account: at most `limit` conversations, from `after` on. */
export interface ConversationRange {
  after: TimeCursor | undefined;
  limit: number;
  /** Only conversations with unread messages. */
  unread: boolean;
}

/** How much of a conversation is unread. */
export interface UnreadConversation {
  accountId: string;
  conversationId: string;
  unreadCount: number;
}

/** What an account knows of a person beside number and user id: the name, and the public name on the platform (`@mira.s`). */
export interface PersonNames {
  name: string | null;
  username: string | null;
}

/** A person of an account who is known by the platform's user id. */
export interface KnownByUserId {
  accountId: string;
  userId: string;
}

/** Two conversations of one person: `fromId` under the user id alone, `intoId` under the number. */
export interface SeparatedConversations {
  accountId: string;
  fromId: string;
  intoId: string;
}

/** A person of an account whose phone number and user id are known. */
export interface IdentifiedPerson extends KnownByUserId {
  phone: PhoneNumber;
}

/** Reads and updates conversations. Every method joins the surrounding unit of work. */
export abstract class ConversationStore {
  /** Latest message first. */
  abstract list(accountId: string, range: ConversationRange): Promise<PositionedConversation[]>;
  /**
   * The conversations with unread messages of many accounts, latest message first: of each account at most `limit`, and those of `known` that
   * still have some.
   */
  abstract unread(
    accountIds: readonly string[],
    limit: number,
    known: readonly string[],
  ): Promise<UnreadConversation[]>;
  /** How many conversations of the account have unread messages. */
  abstract countUnread(accountId: string): Promise<number>;
  /** The conversation of the account with this id, or the one that it was joined to; else null. */
  abstract find(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The same, locked until the unit of work ends. */
  abstract lock(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The names that the account's contacts have for these people, by the id of the conversation. */
  abstract contactNames(accountId: string, conversations: readonly Conversation[]): Promise<Map<string, PersonNames>>;
  /** Sets how many inbound messages are unread. */
  abstract setUnread(conversationId: string, count: number): Promise<void>;
  /** The phone numbers under which these people wrote before, where they did. */
  abstract phonesOf(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]>;
  /** Records the user ids of people in their conversations; returns those of them whose conversation did not have it. */
  abstract linkUserIds(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]>;
  /** Replaces a user id in the conversations of an account. */
  abstract changeUserId(accountId: string, before: string, after: string): Promise<void>;
  /** The people among these who have a conversation under the user id alone beside that with the number. */
  abstract separated(people: readonly KnownByUserId[]): Promise<SeparatedConversations[]>;
  /**
   * Locks both conversations and adds what is unread, the window, the name and the latest message of one to the other; false, with
   * nothing changed, where they are not two conversations of one person any more.
   */
  abstract fold(separated: SeparatedConversations): Promise<boolean>;
  /** Removes the folded conversation and keeps its id as another one of the joined; false while it has messages. */
  abstract finishJoin(separated: SeparatedConversations): Promise<boolean>;
  /** Applies new inbound messages, at most one entry for each conversation, ordered by id; creates missing conversations. */
  abstract applyInbound(updates: readonly ConversationUpdate[]): Promise<void>;
}
