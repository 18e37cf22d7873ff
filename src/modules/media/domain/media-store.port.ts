/** Where the files that people sent are kept, by the id of their message. */
export abstract class MediaStore {
  /** Keeps `content` as the file of the message, all of it or, where reading or writing fails, nothing. */
  abstract keep(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void>;

  /** The bytes of the file of the message, which is read when they are asked for; null where there is none. */
  abstract open(messageId: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Deletes the file of the message, if there is one. */
  abstract remove(messageId: string): Promise<void>;

  /** Why files cannot be kept at the moment; null while they can. */
  abstract fault(): Promise<string | null>;

  /** Deletes what was left unfinished by processes that died. */
  abstract clean(): Promise<void>;
}
