import { SEND_PROBLEMS } from '../../../kernel/message-problems';
import type { MessageOutcome } from '../../messages/domain/message';
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
  /** The job was cancelled or failed: nothing is retried. */
  ended: boolean;
  /** A `job` refusal pauses the job and leaves its recipient waiting; a single send just fails. */
  waitsForJob: boolean;
}

/** Strikes after which a recipient fails. */
export const MAX_STRIKES = 4;

/** The outcome stayed unknown for the whole grace time. */
export const OUTCOME_UNKNOWN = problemOf('outcome_unknown');
/** It had to wait until its validity was over. */
export const EXPIRED = problemOf('expired');
/** A reply had to wait until nothing but a template may be sent. */
export const WINDOW_CLOSED = problemOf('window_closed');
/** Its history was erased while it waited: its content and recipient are unknown. */
export const ERASED = problemOf('message_erased');
/** The person has opted out of messages, or of marketing where it was that. */
export const OPTED_OUT = problemOf('opted_out');
/** The job ended before anybody tried it. */
export const CANCELLED = problemOf('cancelled');
/** The request of a single send did not reach the platform. */
export const PLATFORM_UNAVAILABLE = problemOf('platform_unavailable');

/** How long messages with a template wait that the platform limits. */
export const TEMPLATE_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;
/** How long a recipient waits at most before the next attempt, by what held up the last one. */
const LONGEST_BACKOFF_MS = { not_sent: 10_000, recipient: 8000, platform: 30_000 };

/**
 * The state after an answer, or null when the answer changes nothing. An answer settles its own attempt as long as the
 * row is open, Unknown or `outcome_unknown`; a proof of acceptance settles the row whichever attempt it proves; what
 * would send again changes nothing once the grace time is over.
 */
export function settle<State extends SendState>(
  state: State,
  { attempt, answer, strike }: AttemptAnswer,
  rules: SettleRules,
): State | null {
  if (!isUnsettled(state)) return null;
  if (answer.kind === 'accepted') return ended(state, 'Sent', null);
  if (attempt !== state.attempt || isWaiting(state)) return null;
  if (answer.kind === 'refused' && !(answer.scope === 'job' && rules.waitsForJob)) {
    return ended(state, 'Failed', {
      code: answer.problem,
      message: answer.message,
      platformCode: answer.platformCode,
    });
  }
  if (state.problem) return null;
  switch (answer.kind) {
    case 'unknown':
      return state.outcome === null ? unknownFrom(state, rules.now) : null;
    case 'throttled': {
      if (rules.ended) return ended(state, 'Cancelled', CANCELLED);
      if (answer.scope === 'template' || answer.scope === 'templates') {
        return waiting(state, rules.now, TEMPLATE_WAIT_MS);
      }
      if (answer.scope !== 'pair') return waiting(state, rules.now, 0);
      return { ...waiting(state, rules.now, 1000 * 4 ** Math.min(state.throttles, 5)), throttles: state.throttles + 1 };
    }
    case 'outage': {
      const strikes = state.strikes + (strike ? 1 : 0);
      if (strikes >= MAX_STRIKES) {
        const problem = { code: answer.problem, message: answer.message, platformCode: answer.platformCode };
        return ended({ ...state, strikes }, 'Failed', problem);
      }
      if (rules.ended) return ended(state, 'Cancelled', CANCELLED);
      return { ...waiting(state, rules.now, backoffMs(state, answer.suspect)), strikes };
    }
    case 'not_sent':
      return rules.ended
        ? ended(state, 'Cancelled', CANCELLED)
        : waiting(state, rules.now, backoffMs(state, answer.kind));
    case 'opted_out':
      return ended(state, 'Skipped', OPTED_OUT);
    case 'refused':
    case 'held_back':
      return rules.ended ? ended(state, 'Cancelled', CANCELLED) : waiting(state, rules.now, 0);
  }
}

/** The state of what ended: nothing of it waits or may settle by itself any more. */
export function ended<State extends SendState>(state: State, outcome: Outcome, problem: Problem | null): State {
  return { ...state, retryAt: null, unknownSince: null, outcome, problem };
}

/** The state of what was sent, perhaps: its outcome is unknown from `now` on. */
export function unknownFrom<State extends SendState>(state: State, now: Date): State {
  return { ...state, retryAt: null, outcome: 'Unknown', unknownSince: now };
}

/** What the history shows for a state: what stayed unknown for the whole grace time is a failure there. */
export function messageStatus(state: SendState): MessageOutcome['status'] {
  if (state.outcome === null) return 'Queued';
  if (state.outcome === 'Unknown') return state.problem ? 'Failed' : 'Unknown';
  return state.outcome === 'Skipped' ? 'Failed' : state.outcome;
}

/** Whether an answer or a proof may still change the row. */
function isUnsettled(state: SendState): boolean {
  return state.outcome === null || state.outcome === 'Unknown';
}

/** Twice as long after each attempt: one recipient that fails for itself must not keep the platform busy. */
function backoffMs(state: SendState, cause: keyof typeof LONGEST_BACKOFF_MS): number {
  return Math.min(LONGEST_BACKOFF_MS[cause], FIRST_BACKOFF_MS * 2 ** Math.min(state.attempt - 1, 10));
}

function isWaiting(state: SendState): boolean {
  return state.outcome === null && state.retryAt !== null;
}

function waiting<State extends SendState>(state: State, now: Date, delayMs: number): State {
  return { ...state, retryAt: new Date(now.getTime() + delayMs), unknownSince: null, outcome: null, problem: null };
}

function problemOf(code: keyof typeof SEND_PROBLEMS): Problem {
  const { when, remedy } = SEND_PROBLEMS[code];
  return { code, message: `${when} ${remedy}`, platformCode: null };
}
