/** Compares lists of addresses and CIDR ranges; an empty list contains every address. */
export abstract class AddressRanges {
  /** Whether `outer` contains every address of `inner`. */
  abstract areWithin(inner: readonly string[], outer: readonly string[]): boolean;
}
