import type { Sender, SenderLimits } from './sender';

/** The platform could not be asked about a number; the message says why. */
export class NumberUnavailableError extends Error {}

/** The phone number of a sender as the platform knows it. */
export abstract class PlatformNumber {
  /** What it may send now; rejects with NumberUnavailableError. */
  abstract limitsOf(sender: Sender): Promise<SenderLimits>;
}
