import type { Sender } from '../../accounts/domain/sender';

/** A file to upload to the platform. */
export interface OutgoingFile {
  fileName: string;
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Its bytes; called once. */
  content: () => AsyncIterable<Uint8Array>;
}

/** A file on the platform; its address is valid for some minutes. */
export interface PlatformFile {
  url: string;
  mimeType: string | null;
  /** In bytes; null if unknown. */
  size: number | null;
  /** SHA-256 in hex; null if unknown. */
  sha256: string | null;
}

/** Media could not be fetched from the platform; `unknown`: the platform has no such media, or no longer. */
export class PlatformMediaError extends Error {
  constructor(
    message: string,
    readonly unknown: boolean,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** Files on the platform. */
export abstract class PlatformMedia {
  /** Uploads a file for messages of the sender and returns its media id. Throws MediaRejectedError or MediaPlatformUnavailableError. */
  abstract upload(sender: Sender, file: OutgoingFile): Promise<string>;

  /** Uploads the example of a template header and returns its handle. Throws like `upload`. */
  abstract uploadExample(sender: Sender, file: OutgoingFile): Promise<string>;

  /** The current address and metadata of the media; throws PlatformMediaError. */
  abstract find(sender: Sender, platformMediaId: string): Promise<PlatformFile>;

  /** Downloads the bytes from the address that `find` returned; throws PlatformMediaError, also while they are read. */
  abstract download(sender: Sender, url: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
