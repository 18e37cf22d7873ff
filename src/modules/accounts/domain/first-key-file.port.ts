/** Where the operator of a new installation finds its first key. */
export abstract class FirstKeyFile {
  /** What was written before, null where there is no file. */
  abstract read(): string | null;
  /** Once this returns, the key survives the end of the process and of the machine. */
  abstract write(key: string): void;
}
