/** The API key with which something was done, also in a session of the console. */
export interface ActingKey {
  keyId: string;
  /** Its present name; null once it has been deleted. */
  keyName: string | null;
}
