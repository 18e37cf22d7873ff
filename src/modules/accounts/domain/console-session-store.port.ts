import type { ConsoleSession } from './console-session';

/** The sessions of the console, over all processes. */
export abstract class ConsoleSessionStore {
  /** Adds a session and removes those of the same key beyond `most`, the least recently used first. */
  abstract add(session: ConsoleSession, most: number): Promise<void>;
  /** The session of each token; null where there is none. */
  abstract findAll(tokenHashes: readonly Buffer[]): Promise<(ConsoleSession | null)[]>;
  /** Notes a use; never moves the last use back. */
  abstract markUsed(tokenHash: Buffer, at: Date): Promise<void>;
  /** Removes the session; returns what it was, or null. */
  abstract remove(tokenHash: Buffer): Promise<ConsoleSession | null>;
  /** Removes sessions that were last used before `before`, at most `limit`; how many. */
  abstract removeUnused(before: Date, limit: number): Promise<number>;

  /** The same for one token. */
  async find(tokenHash: Buffer): Promise<ConsoleSession | null> {
    return (await this.findAll([tokenHash]))[0]!;
  }
}
