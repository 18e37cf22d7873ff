import type { Sender } from '../../accounts/domain/sender';

/** Reports to the platform that messages were read. */
export abstract class ReadReceipts {
  /**
   * Sends the read receipt of an inbound message and all before it; whether the platform accepted it. With `typing` the person sees
   * for up to 25 s that somebody writes. Never throws.
   */
  abstract send(sender: Sender, platformMessageId: string, typing: boolean): Promise<boolean>;
}
