import type { Session } from './session';

/** Does a command's work with the words and flags of the command line; its exit code. */
export type Work = (session: Session, words: string[], flags: never) => Promise<number>;

/** Makes the action of a command. Works import what they need themselves: `--help` loads none of it. */
export type Act = (work: Work) => (...typed: unknown[]) => Promise<void>;
