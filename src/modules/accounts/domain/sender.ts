/** How many people a business may start conversations with in 24 hours. */
export const MESSAGING_TIERS = ['250', '1000', '2000', '10000', '100000', 'Unlimited'] as const;

/** One of MESSAGING_TIERS. */
export type MessagingTier = (typeof MESSAGING_TIERS)[number];

/** A phone number of an account on the platform, with everything that is needed to send from it. */
export interface Sender {
  id: string;
  accountId: string;
  phoneNumberId: string;
  businessAccountId: string;
  displayPhoneNumber: string | null;
  messagesPerSecond: number;
  messagingTier: MessagingTier;
  accessToken: string;
  appSecret: string;
  /** What the messaging tier is counted over: the business portfolio, or the business account where that is not known. */
  portfolioId: string;
  /** The operator's emergency stop, or a suspended account. */
  sendingPaused: boolean;
  defaultCountry: string | null;
  templatesSyncedAt: Date | null;
}

/** What the platform says that a sender may do; null: nothing. */
export interface SenderLimits {
  messagesPerSecond: number | null;
  messagingTier: MessagingTier | null;
}

/**
 * The fields of a sender that the operator sets; a token or secret of null means the environment's, a pace or tier of null
 * what the platform says.
 */
export interface SenderFields {
  phoneNumberId: string;
  businessAccountId: string;
  displayPhoneNumber: string | null;
  messagesPerSecond: number | null;
  messagingTier: MessagingTier | null;
  accessToken: string | null;
  appSecret: string | null;
}

/** What a new sender has where the operator sets nothing. */
export const UNSET_SENDER_FIELDS = {
  displayPhoneNumber: null,
  messagesPerSecond: null,
  messagingTier: null,
  accessToken: null,
  appSecret: null,
};
