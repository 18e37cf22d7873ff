import type { Answer } from './answer';

/** How a message ended; null while it is open: in flight, or waiting for `retryAt`. */
export type Outcome = 'Sent' | 'Failed' | 'Skipped' | 'Unknown' | 'Cancelled';

/** Why something was not sent. */
export interface Problem {
  /** Stable code in snake_case. */
  code: string;
  message: string;
  platformCode: number | null;
}

/** What is known of the attempts to send one message, alike for a job's recipient and a single send. */
export interface SendState {
  /** Attempts that were begun. */
  attempt: number;
  /** Failures of the platform that look like this recipient's own. */
  strikes: number;
  /** Times that the pair of sender and recipient was throttled. */
  throttles: number;
  retryAt: Date | null;
  /** Since when the outcome is unknown and may still settle; null again when it settled or the grace time is over. */
  unknownSince: Date | null;
  outcome: Outcome | null;
  /** Set for what was not sent; null for an Unknown within its grace time. */
  problem: Problem | null;
}

/** The answer to one attempt, with what the engine knows beside it. */
export interface AttemptAnswer {
  attempt: number;
  answer: Answer;
  /** The failure counts against this recipient: see LaneHealth. */
  strike?: boolean;
}

/** What differs between a recipient of a running job, one of a job that ended, and a single send. */
export interface SettleRules {
  now: Date;
  /** The job was cancelled or failed: nothing is tried again. */
  ended: boolean;
  /** A `job` refusal pauses the job and leaves its recipient waiting; a single send just fails. */
  waitsForJob: boolean;
}

/** Strikes after which a recipient fails. */
export const MAX_STRIKES = 4;
/** The outcome stayed unknown for the whole grace time. */
export const OUTCOME_UNKNOWN: Problem = {
  code: 'outcome_unknown',
  message:
    'The platform never said whether it accepted this message. It is not sent again by itself; retry it if sending twice does less harm than not sending.',
  platformCode: null,
};
/** It had to wait until its validity was over. */
export const EXPIRED: Problem = {
  code: 'expired',
  message: 'The message could not be sent within its validity. Send it again if it still matters.',
  platformCode: null,
};
/** A reply had to wait until nothing but a template may be sent. */
export const WINDOW_CLOSED: Problem = {
  code: 'window_closed',
  message: 'The reply could not be sent within 24 hours of what the person wrote: only a template can be sent now.',
  platformCode: null,
};
/** Its history was erased while it waited: nobody knows what it said, or to whom. */
export const ERASED: Problem = {
  code: 'message_erased',
  message: 'The message was erased before it was sent.',
  platformCode: null,
};
/** The person has opted out of messages, or of marketing where it was that. */
export const OPTED_OUT: Problem = {
  code: 'opted_out',
  message: 'The recipient has opted out of messages.',
  platformCode: null,
};
/** The job ended before anybody tried it. */
export const CANCELLED: Problem = {
  code: 'cancelled',
  message: 'The job ended before this message was sent.',
  platformCode: null,
};
const FIRST_BACKOFF_MS = 500;
/** How long a recipient waits at most before the next attempt, by what held up the last one. */
const LONGEST_BACKOFF_MS = { not_sent: 10_000, recipient: 8000, platform: 30_000 };

/**
 * The state after an answer, or null when the answer changes nothing. An answer settles its own attempt as long as the
 * row is open, Unknown or `outcome_unknown`; a proof of acceptance settles the row whichever attempt it proves; what
 * would send again changes nothing once the grace time is over.
 */
export function settle(
  state: SendState,
  { attempt, answer, strike }: AttemptAnswer,
  rules: SettleRules,
): SendState | null {
  if (!isUnsettled(state)) return null;
  if (answer.kind === 'accepted') return settled(state, 'Sent', null);
  if (attempt !== state.attempt || isWaiting(state)) return null;
  if (answer.kind === 'refused' && !(answer.scope === 'job' && rules.waitsForJob)) {
    return settled(state, 'Failed', {
      code: answer.problem,
      message: answer.message,
      platformCode: answer.platformCode,
    });
  }
  if (state.problem) return null;
  switch (answer.kind) {
    case 'unknown':
      return state.outcome === null ? { ...state, retryAt: null, outcome: 'Unknown', unknownSince: rules.now } : null;
    case 'throttled': {
      if (rules.ended) return settled(state, 'Cancelled', CANCELLED);
      if (answer.scope !== 'pair') return waiting(state, rules.now, 0);
      return { ...waiting(state, rules.now, 1000 * 4 ** Math.min(state.throttles, 5)), throttles: state.throttles + 1 };
    }
    case 'outage': {
      const strikes = state.strikes + (strike ? 1 : 0);
      if (strikes >= MAX_STRIKES) {
        const problem = { code: answer.problem, message: answer.message, platformCode: answer.platformCode };
        return settled({ ...state, strikes }, 'Failed', problem);
      }
      if (rules.ended) return settled(state, 'Cancelled', CANCELLED);
      return { ...waiting(state, rules.now, backoffMs(state, answer.suspect)), strikes };
    }
    case 'not_sent':
      return rules.ended
        ? settled(state, 'Cancelled', CANCELLED)
        : waiting(state, rules.now, backoffMs(state, answer.kind));
    case 'unwanted':
      return settled(state, 'Skipped', OPTED_OUT);
    case 'refused':
    case 'held_back':
      return rules.ended ? settled(state, 'Cancelled', CANCELLED) : waiting(state, rules.now, 0);
  }
}

/** Whether an answer or a proof may still change the row. */
export function isUnsettled(state: SendState): boolean {
  return state.outcome === null || state.outcome === 'Unknown';
}

/** Twice as long after each attempt: one recipient that fails for itself must not keep the platform busy. */
function backoffMs(state: SendState, cause: keyof typeof LONGEST_BACKOFF_MS): number {
  return Math.min(LONGEST_BACKOFF_MS[cause], FIRST_BACKOFF_MS * 2 ** Math.min(state.attempt - 1, 10));
}

function isWaiting(state: SendState): boolean {
  return state.outcome === null && state.retryAt !== null;
}

function settled(state: SendState, outcome: Outcome, problem: Problem | null): SendState {
  return { ...state, retryAt: null, unknownSince: null, outcome, problem };
}

function waiting(state: SendState, now: Date, delayMs: number): SendState {
  return { ...state, retryAt: new Date(now.getTime() + delayMs), unknownSince: null, outcome: null, problem: null };
}
