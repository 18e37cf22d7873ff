/** Compares lists of addresses and CIDR ranges; an empty list is every address. */
export abstract class AddressRanges {
  /** Whether every address of `inner` is one of `outer`. */
  abstract areWithin(inner: readonly string[], outer: readonly string[]): boolean;
}
