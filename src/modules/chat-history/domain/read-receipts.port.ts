import type { Sender } from '../../accounts/domain/sender';

/** Tells the platform that messages were read. */
export abstract class ReadReceipts {
  /** That of an inbound message and of all before it; whether the platform took it. Never throws. */
  abstract tell(sender: Sender, platformMessageId: string): Promise<boolean>;
}
