/** The exit codes of the command line, for scripts; `messaging --help` lists them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notAllowed: 3,
  unreachable: 4,
  someFailed: 5,
  unknown: 6,
  interrupted: 130,
} as const;

/** What an interrupted or declined send says. */
export const NOTHING_SENT = 'Nothing was sent.';

/** An error that the command line detects before it calls the service. */
export class UsageError extends Error {}

/** The service has nothing with a given name. */
export class UnknownNameError extends Error {}

/** Ctrl-C, with a message about the work in progress. */
export class Interrupted extends Error {
  constructor(message = 'Interrupted.') {
    super(message);
  }
}

/** The message on leaving a job: it continues at the service, or has ended but for outcomes that are still to come. */
export function leavingText(jobId: string, isOver: boolean): string {
  return isOver
    ? `Interrupted. Job ${jobId} sends nothing more; \`messaging jobs show ${jobId}\` shows outcomes that are still to come.`
    : `Interrupted. Job ${jobId} continues at the service: \`messaging jobs watch ${jobId}\`, or stop it with \`messaging jobs cancel ${jobId}\`.`;
}
