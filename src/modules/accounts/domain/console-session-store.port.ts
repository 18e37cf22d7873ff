import type { ConsoleSession } from './console-session';

/** Stores console sessions. */
export abstract class ConsoleSessionStore {
  /** Adds a session and removes the least recently used ones of the same key beyond `maxSessions`. */
  abstract add(session: ConsoleSession, maxSessions: number): Promise<void>;
  /** The session of each token; null: none. */
  abstract findAll(tokenHashes: readonly Buffer[]): Promise<(ConsoleSession | null)[]>;
  /** Records a use; never moves the last use back. */
  abstract markUsed(tokenHash: Buffer, at: Date): Promise<void>;
  /** Removes the session and returns it; null: none. */
  abstract remove(tokenHash: Buffer): Promise<ConsoleSession | null>;
  /** Removes at most `limit` sessions last used before `before` and returns their number. */
  abstract removeUnused(before: Date, limit: number): Promise<number>;

  /** Like `findAll`, for one token. */
  async find(tokenHash: Buffer): Promise<ConsoleSession | null> {
    return (await this.findAll([tokenHash]))[0]!;
  }
}
