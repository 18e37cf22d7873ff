import type { Session } from './session';

/** Runs a command with the words and flags of the command line; returns its exit code. */
export type Work = (session: Session, words: string[], flags: never) => Promise<number>;

/** Creates the action of a command. Works import their dependencies lazily, so `--help` loads none of them. */
export type Act = (work: Work) => (...typed: unknown[]) => Promise<void>;
