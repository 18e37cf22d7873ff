/** The bytes of inbound files, by the id of their message. */
export abstract class MediaStore {
  /** Stores `content` as the message's file, replacing an earlier one; changes nothing if it rejects. */
  abstract put(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void>;

  /** The bytes of the message's file; null if there is none. They are read as they are consumed. */
  abstract open(messageId: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Deletes the message's file, if there is one. */
  abstract remove(messageId: string): Promise<void>;

  /** Why files cannot be stored at the moment; null: they can. */
  abstract problem(): Promise<string | null>;

  /** Deletes what processes that died left of files they were storing. */
  abstract removeUnfinished(): Promise<void>;
}
