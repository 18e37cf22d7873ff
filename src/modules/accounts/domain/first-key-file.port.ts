/** Where the operator of a new installation finds its first key. */
export abstract class FirstKeyFile {
  /** Where the file is, for people. */
  abstract readonly place: string;
  /** The key in the file; null if there is no file. */
  abstract read(): string | null;
  /** Writes the key durably: once this resolves, it survives a crash of the machine. */
  abstract write(key: string): void;
}
