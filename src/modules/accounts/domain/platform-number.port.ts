import type { SenderLimits, SenderProblem, SenderQualityRating } from './sender';

/** A number as the platform reports it; null: not reported. */
export interface NumberState extends SenderLimits {
  qualityRating: SenderQualityRating | null;
  /** The number as people read it, 32 characters at most. */
  displayPhoneNumber: string | null;
}

/** A number and what it is read with: the token and the secret of its app, each the environment's if it is null. */
export interface NumberAccess {
  phoneNumberId: string;
  accessToken: string | null;
  appSecret: string | null;
}

/** A number could not be read from the platform; the message says why. */
export class NumberUnavailableError extends Error {}

/** The platform refuses to show the number, with its own code; `problem` if it is for its access token. */
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
  /** The number as it is now; rejects with NumberUnavailableError. */
  abstract stateOf(number: NumberAccess): Promise<NumberState>;
}
