/** A history broke a promise of the engine. */
export class PromiseBroken extends Error {
  constructor(
    /** Identifies the promise, independent of the seed. */
    readonly promise: string,
    readonly seen: string,
  ) {
    super(`${promise}: ${seen}`);
  }
}
