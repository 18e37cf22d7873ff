/** The meaning of a stable code for clients. */
export interface Explanation {
  /** The cause, as a sentence. */
  when: string;
  /** The remedy, as a sentence. */
  remedy: string;
}
