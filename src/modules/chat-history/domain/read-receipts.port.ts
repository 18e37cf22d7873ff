import type { Sender } from '../../accounts/domain/sender';

/** Reports to the platform that messages were read. */
export abstract class ReadReceipts {
  /**
   * Sends the read receipt for an inbound message and all earlier ones; returns whether the platform accepted it.
   * `typing` shows a typing indicator for up to 25 s. Never throws.
   */
  abstract send(sender: Sender, platformMessageId: string, typing: boolean): Promise<boolean>;
}
