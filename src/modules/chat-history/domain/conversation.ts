/** How long free text is allowed after a person's message, by the platform's rules. */
export const WINDOW_MS = 24 * 3_600_000;

/** What is left to do in a conversation; `Keyword`: the person only opted out or in by keyword, which needs no reply. */
export const CONVERSATION_STATES = ['Open', 'Done', 'Keyword'] as const;
/** See CONVERSATION_STATES. */
export type ConversationState = (typeof CONVERSATION_STATES)[number];
/** The states that an account sets. */
export type ChosenState = Exclude<ConversationState, 'Keyword'>;

/** The messages between an account and one person. */
export interface Conversation {
  id: string;
  accountId: string;
  /** Digits; null if the number is hidden and only `userId` is known. */
  contactPhone: string | null;
  /** The platform's id of the person for this business (`US.1349…`), when it is known. */
  userId: string | null;
  /** The person's profile name on the platform; null if they have never written. */
  profileName: string | null;
  lastMessageAt: Date;
  lastMessageId: string;
  lastDirection: 'Inbound' | 'Outbound';
  /** The latest message that the person wrote, without reactions; null: none is known. */
  lastInboundId: string | null;
  /** Inbound messages since the account last marked the conversation as read. */
  unreadCount: number;
  /** 24 h after the person's latest message; null if they have never written. */
  windowExpiresAt: Date | null;
  /** The sender that the person wrote to last, from which the account replies; null: the oldest of the account. */
  senderId: string | null;
  /** Null if the person has never written. */
  state: ConversationState | null;
  /**
   * Time of the person's first message since the latest reply, while the conversation is open and their latest messages, other than keywords,
   * have no reply or only failed ones; else null.
   */
  waitingSince: Date | null;
}
