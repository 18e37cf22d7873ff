import type { Sender, SenderLimits } from './sender';

/** The limits of a number could not be read from the platform; the message says why. */
export class NumberUnavailableError extends Error {}

/** Reads a sender's phone number from the platform. */
export abstract class PlatformNumber {
  /** The sender's current limits; rejects with NumberUnavailableError. */
  abstract limitsOf(sender: Sender): Promise<SenderLimits>;
}
