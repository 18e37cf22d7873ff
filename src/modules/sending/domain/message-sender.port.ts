import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from './answer';
import type { OutgoingMessage } from './outgoing-message';

/** Sends messages to the platform. */
export abstract class MessageSender {
  /** Sends once and returns the outcome; never throws, never retries. */
  abstract send(sender: Sender, message: OutgoingMessage): Promise<Answer>;
}
