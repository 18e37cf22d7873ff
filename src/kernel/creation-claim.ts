import { uuidV7 } from './uuid';

/** The right of one request to create one resource. */
export interface CreationClaim {
  /** The id that the resource must get, so that a repeated request finds it. */
  readonly resourceId: string;
  /** The request has a key, so its repetition is no second request. */
  readonly isKeyed?: boolean;
  /**
   * Called in the unit of work that creates the resource. Rejects when another request has taken the claim over: then
   * nothing may be created.
   */
  seal(): Promise<void>;
}

/** The claim of a request without a key, which came at `time`: no other request can take it over. */
export function freshClaim(time?: Date): CreationClaim {
  return { resourceId: uuidV7(time?.getTime()), seal: () => Promise.resolve() };
}
