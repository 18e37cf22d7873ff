/** How the command line ends, for scripts; `messaging --help` lists the same. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notAllowed: 3,
  unreachable: 4,
  someFailed: 5,
  interrupted: 130,
} as const;

/** What the command line itself refuses, before it asks the service. */
export class UsageError extends Error {}

/** Ctrl-C, with what is to be said about what was going on. */
export class Interrupted extends Error {
  constructor(message = 'Interrupted.') {
    super(message);
  }
}

/** The message on leaving a job that continues at the service. */
export function goesOn(jobId: string): string {
  return `Interrupted. Job ${jobId} continues at the service: \`messaging jobs watch ${jobId}\`, or stop it with \`messaging jobs cancel ${jobId}\`.`;
}
