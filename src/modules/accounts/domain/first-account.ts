import type { MessagingTier } from './sender';

/** Environment variables of the first account's sender. */
export type SenderVariable =
  'PLATFORM_PHONE_NUMBER_ID' | 'PLATFORM_BUSINESS_ACCOUNT_ID' | 'PLATFORM_ACCESS_TOKEN' | 'PLATFORM_APP_SECRET';

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

  /** The values set in the environment, without defaults; compared with the stored ones at each start. */
  readonly fromEnvironment: Partial<Record<SenderVariable, string>>;

  constructor(given: FirstAccount) {
    Object.assign(this, given);
  }
}
