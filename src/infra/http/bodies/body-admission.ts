import { ServiceUnavailableError } from '../../../kernel/request.errors';

/** Limits the bodies that are read at the same time. */
export interface BodyAdmission {
  /** Starts reading a body; `giveUp` is called at most once and ends the reading with its error. */
  begin(giveUp: (error: Error) => void): AdmittedBody;
}

/** A body being read within the limits. */
export interface AdmittedBody {
  /** Counts further bytes; may end the reading of other bodies, or of this one. */
  add(bytes: number): void;
  /** Ends the reading. */
  end(): void;
}

/** Too many bodies are being read. */
export class BodiesBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 10;

  constructor() {
    super('Too many large requests are being processed; nothing was done. Send the request again later.');
  }
}
