/** How long after a person's message free text may be sent to them, by the platform's rules. */
export const WINDOW_MS = 24 * 3_600_000;

/** The messages between an account and one person. */
export interface Conversation {
  id: string;
  accountId: string;
  /** Digits; null for a person who hides the number and is known by `userId` alone. */
  contactPhone: string | null;
  /** The platform's id of the person for this business (`US.1349…`), when it is known. */
  userId: string | null;
  /** The name that the person chose on the platform; null when they never wrote. */
  profileName: string | null;
  lastMessageAt: Date;
  lastMessageId: string;
  lastDirection: 'Inbound' | 'Outbound';
  /** Inbound messages since the account last marked the conversation as read. */
  unreadCount: number;
  /** 24 h after the person's latest message; null when they never wrote. */
  windowExpiresAt: Date | null;
}
