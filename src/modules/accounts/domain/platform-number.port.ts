import type { SenderLimits, SenderProblem, SenderQualityRating } from './sender';

/** A number as the platform reports it; null: not reported. */
export interface NumberState extends SenderLimits {
  qualityRating: SenderQualityRating | null;
  /** At most 32 characters. */
  displayPhoneNumber: string | null;
}

/** A number with the access token and app secret to read it; null: the environment's. */
export interface NumberAccess {
  phoneNumberId: string;
  accessToken: string | null;
  appSecret: string | null;
}

/** A number could not be read from the platform; the message says why. */
export class NumberUnavailableError extends Error {}

/** The platform refuses to return the number; `problem`: set if its access token is the cause. */
export class NumberRefusedError extends NumberUnavailableError {
  constructor(
    message: string,
    readonly problem: SenderProblem | null,
    readonly platformCode: number,
  ) {
    super(message);
  }
}

/** Reads a sender's phone number from the platform. */
export abstract class PlatformNumber {
  /** The current state of the number; rejects with NumberUnavailableError. */
  abstract stateOf(number: NumberAccess): Promise<NumberState>;
}
