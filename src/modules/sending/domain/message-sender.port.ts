import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from './answer';
import type { OutgoingMessage } from './outgoing-message';

/** The way to the platform. */
export abstract class MessageSender {
  /** Sends once and says what became of it; never throws and never repeats. */
  abstract send(sender: Sender, message: OutgoingMessage): Promise<Answer>;
}
