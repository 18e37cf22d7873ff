/** How long free text is allowed after a person's message, by the platform's rules. */
export const WINDOW_MS = 24 * 3_600_000;

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
  /** Inbound messages since the account last marked the conversation as read. */
  unreadCount: number;
  /** 24 h after the person's latest message; null if they have never written. */
  windowExpiresAt: Date | null;
}
