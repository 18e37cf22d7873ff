import type { Sender } from '../../accounts/domain/sender';

/** A file to be given to the platform. */
export interface OutgoingFile {
  fileName: string;
  mimeType: string;
  /** Of its content, in bytes. */
  size: number;
  /** Its bytes from the first on; asked for once. */
  content: () => AsyncIterable<Uint8Array>;
}

/** Media of the platform that can be downloaded for the next minutes. */
export interface PlatformFile {
  url: string;
  mimeType: string | null;
  /** In bytes; null where the platform does not say. */
  size: number | null;
  /** Of its bytes, in hex; null where the platform does not say. */
  sha256: string | null;
}

/** Media could not be had from the platform; `unknown` says that the platform does not know it, or not any more. */
export class PlatformMediaError extends Error {
  constructor(
    message: string,
    readonly unknown: boolean,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** The files of the platform. */
export abstract class PlatformMedia {
  /** Uploads a file for messages of the sender; its media id. Throws MediaRejectedError or MediaPlatformAwayError. */
  abstract upload(sender: Sender, file: OutgoingFile): Promise<string>;

  /** Uploads the example of a template's header; its handle. Throws like `upload`. */
  abstract uploadExample(sender: Sender, file: OutgoingFile): Promise<string>;

  /** Where the media with this id is now; throws PlatformMediaError. */
  abstract find(sender: Sender, platformMediaId: string): Promise<PlatformFile>;

  /** The bytes at the address that `find` named; throws PlatformMediaError, also while they are read. */
  abstract download(sender: Sender, url: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
