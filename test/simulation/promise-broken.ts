/** A promise of the engine that a history saw broken. */
export class PromiseBroken extends Error {
  constructor(
    /** Which promise: stable words, whatever the seed. */
    readonly promise: string,
    readonly seen: string,
  ) {
    super(`${promise}: ${seen}`);
  }
}
