import type { MessagingTier } from './sender';

/** The first account of a new installation, from the environment. */
export class FirstAccount {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  /** Applied at each start, if set. */
  readonly messagesPerSecond?: number;
  /** Applied at each start, if set. */
  readonly messagingTier?: MessagingTier;
  /** If it is absent, a key is generated and written to the first-key file. */
  readonly apiKey?: string;

  constructor(given: FirstAccount) {
    Object.assign(this, given);
  }
}
