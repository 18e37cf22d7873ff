/** The file with the first key of a new installation, for the operator. */
export abstract class FirstKeyFile {
  /** Path of the file, for messages. */
  abstract readonly path: string;
  /** The key in the file; null if there is no file. */
  abstract read(): string | null;
  /** Writes the key durably: once this resolves, it survives a crash of the machine. */
  abstract write(key: string): void;
}
