import type { Sender, SenderLimits, SenderQualityRating } from './sender';

/** A number as the platform reports it; null: not reported. */
export interface NumberState extends SenderLimits {
  qualityRating: SenderQualityRating | null;
}

/** The limits of a number could not be read from the platform; the message says why. */
export class NumberUnavailableError extends Error {}

/** Reads a sender's phone number from the platform. */
export abstract class PlatformNumber {
  /** The sender's limits and quality now; rejects with NumberUnavailableError. */
  abstract stateOf(sender: Sender): Promise<NumberState>;
}
