/** The API key behind an action; in the console, the key that signed in. */
export interface ActingKey {
  keyId: string;
  /** Current name; null if the key was deleted. */
  keyName: string | null;
}
