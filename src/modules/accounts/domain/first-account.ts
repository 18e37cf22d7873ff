import type { MessagingTier } from './sender';

/** What the environment says about the account that a new installation starts with. */
export class FirstAccount {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  /** Applied at each start where set. */
  readonly messagesPerSecond?: number;
  /** Applied at each start where set. */
  readonly messagingTier?: MessagingTier;
  /** Absent: a key is made and written to the file of the first key. */
  readonly apiKey?: string;

  constructor(given: FirstAccount) {
    Object.assign(this, given);
  }
}
