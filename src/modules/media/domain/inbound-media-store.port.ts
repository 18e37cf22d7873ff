import type { ClaimedFile, FileToFetch, InboundFile, KeptFile } from './inbound-file';

/** A file to fetch, or one that cannot be fetched and why. */
export interface NewInboundFile extends FileToFetch {
  problem: string | null;
}

/** What is known of the files that people sent, by the message that brought them. */
export abstract class InboundMediaStore {
  /** Adds those whose message is not known yet; joins the surrounding unit of work. Those with a problem are `Gone`. */
  abstract add(files: readonly NewInboundFile[]): Promise<void>;

  /** Makes them unknown to `find`, and their files due to be deleted; joins the surrounding unit of work. */
  abstract remove(messageIds: readonly string[]): Promise<void>;

  /** Claims what is due for `seconds`, at most `limit` files; what another process has claimed is left to it. */
  abstract claim(limit: number, seconds: number): Promise<ClaimedFile[]>;

  /** Notes that the file is kept; false when the claim was lost or the file has been removed meanwhile. */
  abstract keep(file: ClaimedFile, kept: KeptFile): Promise<boolean>;

  /** Gives the claim back: the file is due again after `seconds`, or at once where it has been removed meanwhile. */
  abstract postpone(file: ClaimedFile, seconds: number, problem: string | null): Promise<void>;

  /** Notes that the file cannot be had; one that has been removed meanwhile is due to be deleted. */
  abstract giveUp(file: ClaimedFile, problem: string): Promise<void>;

  /** Forgets a removed file whose bytes are deleted. */
  abstract forget(file: ClaimedFile): Promise<void>;

  /** Whether anything is known of the message's file, a removed one included. */
  abstract knows(messageId: string): Promise<boolean>;

  /** The file of a message of the account; null where there is none, or none any more. */
  abstract find(accountId: string, messageId: string): Promise<InboundFile | null>;
}
