import type { ClaimedFile, FileToFetch, InboundFile, StoredFile } from './inbound-file';

/** A file to fetch, or one that cannot be fetched, with the reason. */
export interface NewInboundFile extends FileToFetch {
  problem: string | null;
}

/** The state of inbound files, by the id of their message. */
export abstract class InboundMediaStore {
  /** Adds the files of new messages, as `Gone` if they have a problem; joins the surrounding unit of work. */
  abstract add(files: readonly NewInboundFile[]): Promise<void>;

  /** Hides the files from `find` and makes them due for deletion; joins the surrounding unit of work. */
  abstract remove(messageIds: readonly string[]): Promise<void>;

  /**
   * Claims at most `limit` due files for `seconds`, except those that another process has claimed, and those to delete while the database is
   * a restored copy.
   */
  abstract claim(limit: number, seconds: number): Promise<ClaimedFile[]>;

  /** Whether files are due for deletion and kept, since the database is a restored copy. */
  abstract withholds(): Promise<boolean>;

  /** Records the file as stored; returns false if the claim was lost or the file has since been removed. */
  abstract markStored(file: ClaimedFile, stored: StoredFile): Promise<boolean>;

  /** Releases the claim: the file is due again after `seconds`, or immediately if it has since been removed. */
  abstract postpone(file: ClaimedFile, seconds: number, problem: string | null): Promise<void>;

  /** Records that the file cannot be fetched; if it has since been removed, it is due for deletion. */
  abstract giveUp(file: ClaimedFile, problem: string): Promise<void>;

  /** Deletes the record of a removed file, after its bytes. */
  abstract deleteRecord(file: ClaimedFile): Promise<void>;

  /** Whether the message's file has a record, even a removed one. */
  abstract hasRecord(messageId: string): Promise<boolean>;

  /** The file of a message of the account; null if there is none or it was removed. */
  abstract find(accountId: string, messageId: string): Promise<InboundFile | null>;
}
