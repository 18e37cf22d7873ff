/** The bytes of the files that people sent, by the id of their message. */
export abstract class MediaStore {
  /** Stores `content` as the file of the message, in place of an earlier one; when it rejects, nothing has changed. */
  abstract put(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void>;

  /** The bytes of the message's file; null if there is none. Nothing is read before they are consumed. */
  abstract open(messageId: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Deletes the message's file, if there is one. */
  abstract remove(messageId: string): Promise<void>;
}
