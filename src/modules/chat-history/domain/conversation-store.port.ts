import type { PhoneNumber } from '../../../kernel/phone-number';
import type { IdentifiedPerson, KnownByUserId } from '../../groups/domain/identified-person';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { ChosenState, Conversation, ConversationState } from './conversation';

/** The update of a conversation after new inbound messages. */
export interface ConversationUpdate {
  id: string;
  accountId: string;
  contactPhone: PhoneNumber | null;
  userId: string | null;
  profileName: string | null;
  lastMessageId: string;
  lastMessageAt: Date;
  /** How many of the new messages are unread. */
  unread: number;
  /** Null if no message opens the 24 h window. */
  windowExpiresAt: Date | null;
  /** The sender whose window that is; null if no message opens it. */
  senderId: string | null;
  /** The latest of the new messages that the person wrote, without reactions; null: none. */
  lastInboundId: string | null;
  /** What the new messages make of the conversation; an open one stays open after a keyword. Null: unchanged. */
  state: Exclude<ConversationState, 'Done'> | null;
  /** Time of the first of the new messages that needs a reply; null: none does. */
  waitingSince: Date | null;
}

/** A conversation and its position in the list of its account. */
export interface PositionedConversation {
  conversation: Conversation;
  position: TimeCursor;
}

/** Which conversations are listed; an absent field matches all. */
export interface ConversationFilter {
  /** Only conversations with unread messages. */
  unread?: boolean;
  /** Only open conversations whose person waits for a reply, and has not opted out of all messages since they wrote. */
  awaitingReply?: boolean;
  /** Only conversations in this state. */
  state?: ConversationState;
}

/** The orders of the list: by the latest message, the latest first, or by how long the person waits for a reply. */
export const CONVERSATION_ORDERS = ['newest', 'longestWaiting'] as const;
/** See CONVERSATION_ORDERS. */
export type ConversationOrder = (typeof CONVERSATION_ORDERS)[number];

/** A page of an account's list: at most `limit` conversations after `after`; by default newest first. `longestWaiting` requires the filter `awaitingReply`. */
export interface ConversationRange {
  after: TimeCursor | undefined;
  limit: number;
  filter: ConversationFilter;
  order?: ConversationOrder;
}

/** The unread count of a conversation and the time of its latest message. */
export interface UnreadConversation {
  accountId: string;
  conversationId: string;
  lastMessageAt: Date;
  unreadCount: number;
}

/** A conversation at a moment: `version` changes with its latest message and its state. */
export interface ConversationVersion {
  accountId: string;
  conversationId: string;
  lastMessageAt: Date;
  version: string;
}

/** A person's name and public username on the platform (`@mira.s`). */
export interface PersonNames {
  name: string | null;
  username: string | null;
}

/** Two conversations of one person: `fromId` has only the user id, `intoId` has the number. */
export interface SplitConversation {
  accountId: string;
  fromId: string;
  intoId: string;
}

/** Reads and updates conversations. Every method joins the surrounding unit of work. */
export abstract class ConversationStore {
  abstract list(accountId: string, range: ConversationRange): Promise<PositionedConversation[]>;
  /** Those of the person with this user id; two until they are joined. */
  abstract withUserId(accountId: string, userId: string): Promise<Conversation[]>;
  /** Of people who wrote and whose number ends with these digits, where not too many numbers end alike. */
  abstract endingWith(
    accountId: string,
    digits: string,
    range: Omit<ConversationRange, 'after'>,
  ): Promise<Conversation[]>;
  /**
   * Unread conversations of many accounts, latest message first: at most `limit` per account, and those of `known` that
   * are still unread.
   */
  abstract unread(
    accountIds: readonly string[],
    limit: number,
    known: readonly string[],
  ): Promise<UnreadConversation[]>;
  /** The open and the done conversations with the latest messages, at most `limit` of each per account. */
  abstract latest(accountIds: readonly string[], limit: number): Promise<ConversationVersion[]>;
  /** How many open conversations of the account have unread messages. */
  abstract countUnread(accountId: string): Promise<number>;
  /** Adds at most `limit` changes to the counts of unread conversations; returns how many, 0 while another process does it. */
  abstract foldUnread(limit: number): Promise<number>;
  /** The conversation of the account with this id, or the one it was joined into; else null. */
  abstract find(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The same, locked until the unit of work ends. */
  abstract lock(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The names of these people in the account's contacts, by conversation id. */
  abstract contactNames(accountId: string, conversations: readonly Conversation[]): Promise<Map<string, PersonNames>>;
  /** Sets the state of the conversation with this id, or of the one it was joined into; returns it, or null if the account has none. */
  abstract setState(accountId: string, conversationId: string, state: ChosenState): Promise<Conversation | null>;
  /** Sets the unread count. */
  abstract setUnread(conversationId: string, count: number): Promise<void>;
  /**
   * Records the user ids of people in their conversations, and opens one for the number where there is only one for the user id;
   * returns the people for whom it was new.
   */
  abstract linkUserIds(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]>;
  /** Replaces a user id in the conversations of an account. */
  abstract changeUserId(accountId: string, before: string, after: string): Promise<void>;
  /** Those of these people who have separate conversations for user id and number. */
  abstract findSplit(people: readonly KnownByUserId[]): Promise<SplitConversation[]>;
  /**
   * Locks both conversations and merges unread count, window, name and latest message of the first into the second.
   * Returns false and changes nothing if they no longer belong to one person.
   */
  abstract merge(split: SplitConversation): Promise<boolean>;
  /** Removes the merged conversation and stores its id as an alias; returns false while it still has messages. */
  abstract finishJoin(split: SplitConversation): Promise<boolean>;
  /** Applies new inbound messages, one entry per conversation, ordered by id; creates missing conversations. */
  abstract applyInbound(updates: readonly ConversationUpdate[]): Promise<void>;
}
