/** What a stable code means to clients. */
export interface Explanation {
  /** The cause, as a sentence. */
  when: string;
  /** What a client can do about it, as a sentence. */
  remedy: string;
}
