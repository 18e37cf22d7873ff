import { SEND_PROBLEMS } from '../../../kernel/message-problems';
import type { Acceptance, MessageOutcome } from '../../messages/domain/message';
import type { Answer } from './answer';

/** The final outcome of a message; null while it is open: in flight, or waiting for `retryAt`. */
export type Outcome = 'Sent' | 'Failed' | 'Skipped' | 'Unknown' | 'Cancelled';

/** Why a message was not sent. */
export interface Problem {
  /** Stable code in snake_case. */
  code: string;
  message: string;
  platformCode: number | null;
}

/** State of the attempts to send one message, for job recipients and single sends. */
export interface SendState {
  /** Number of attempts. */
  attempt: number;
  /** Platform failures that appear specific to this recipient. */
  strikes: number;
  /** Number of throttles of the pair of sender and recipient. */
  throttles: number;
  retryAt: Date | null;
  /** Since when the outcome is unknown and may still be settled; null again after that or the grace time. */
  unknownSince: Date | null;
  outcome: Outcome | null;
  /** Set if not sent; null for an Unknown within its grace time. */
  problem: Problem | null;
}

/** The answer to one attempt, with the engine's assessment. */
export interface AttemptAnswer {
  attempt: number;
  answer: Answer;
  /** The failure counts against this recipient: see LaneHealth. */
  strike?: boolean;
}

/** How a message ends that would otherwise be retried. */
export interface EndInsteadOfRetry {
  outcome: Outcome;
  problem: Problem;
}

/** Differences between recipients of a running job, of an ended job, erased ones, and single sends. */
export interface SettleRules {
  now: Date;
  /** Nothing is retried, as the job was cancelled or failed, or the recipient erased; null: retried. */
  insteadOfRetry: EndInsteadOfRetry | null;
  /** A `job` refusal pauses the job and its recipient waits; a single send fails. */
  waitsForJob: boolean;
  /** The database has lost the claim of the attempt: the next claim sends the message, so the answer must not schedule a retry too. */
  isUnclaimed: boolean;
}

/** An answer, the locked row of its message (undefined: there is none) and the rules for it. */
export interface AnsweredRow<Row> {
  row: Row | undefined;
  answer: AttemptAnswer;
  rules: SettleRules;
}

/** A row before and after; the platform's id of the message and what it said of it, where an answer contains them. */
export interface RowChange<Row> {
  before: Row;
  after: Row;
  platformMessageId: string | null;
  acceptance: Acceptance | null;
}

/** Strikes after which a recipient fails. */
export const MAX_STRIKES = 4;

/** The outcome stayed unknown for the whole grace time. */
export const OUTCOME_UNKNOWN = problemOf('outcome_unknown');
/** It waited past its validity. */
export const EXPIRED = problemOf('expired');
/** A reply waited past the 24 h window. */
export const WINDOW_CLOSED = problemOf('window_closed');
/** It was erased while it waited: its content and recipient are unknown. */
export const ERASED = problemOf('message_erased');
/** The person has opted out of all messages, or of marketing for a marketing message. */
export const OPTED_OUT = problemOf('opted_out');
/** The job ended before an attempt. */
export const CANCELLED = problemOf('cancelled');
/** A job's recipient was erased before it was sent to. */
export const RECIPIENT_ERASED: Problem = {
  code: 'recipient_erased',
  message: SEND_PROBLEMS.recipient_erased.when,
  platformCode: null,
};
/** A single send did not reach the platform. */
export const PLATFORM_UNAVAILABLE = problemOf('platform_unavailable');

/** How long messages wait if the platform limits their template. */
export const TEMPLATE_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;
/** Longest wait before the next attempt, by the cause of the last failure. */
const LONGEST_BACKOFF_MS = { not_sent: 10_000, recipient: 8000, platform: 30_000 };

/**
 * The state after an answer, or null if the answer changes nothing. An answer settles its own attempt while the row is
 * open, Unknown or `outcome_unknown`; a proof of acceptance of any attempt settles the row; answers that would cause a
 * resend are ignored after the grace time.
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
  if (state.problem || (rules.isUnclaimed && answer.kind !== 'unknown')) return null;
  const { insteadOfRetry } = rules;
  const end = insteadOfRetry && ended(state, insteadOfRetry.outcome, insteadOfRetry.problem);
  switch (answer.kind) {
    case 'unknown':
      return state.outcome === null ? unknownFrom(state, rules.now) : null;
    case 'throttled': {
      if (end) return end;
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
      if (end) return end;
      return { ...waiting(state, rules.now, backoffMs(state, answer.suspect)), strikes };
    }
    case 'not_sent':
      return end ?? waiting(state, rules.now, backoffMs(state, answer.kind));
    case 'opted_out':
      return ended(state, 'Skipped', OPTED_OUT);
    case 'refused':
    case 'held_back':
      return end ?? waiting(state, rules.now, 0);
  }
}

/**
 * Settles answers in order; returns the changed rows, and for each answer the final state of its row, null if there is
 * none.
 */
export function settleAll<Row extends SendState>(
  answered: readonly AnsweredRow<Row>[],
): { changes: RowChange<Row>[]; states: (Row | null)[] } {
  const changes = new Map<Row, RowChange<Row>>();
  for (const { row, answer, rules } of answered) {
    if (!row) continue;
    const after = settle(changes.get(row)?.after ?? row, answer, rules);
    if (after) changes.set(row, { ...changed(row, after), ...platformFields(answer) });
  }
  const states = answered.map(({ row }) => (row ? (changes.get(row)?.after ?? row) : null));
  return { changes: [...changes.values()], states };
}

/** A change of a row without an answer. */
export function changed<Row>(before: Row, after: Row): RowChange<Row> {
  return { before, after, platformMessageId: null, acceptance: null };
}

/** Ids of the changed rows' messages that ended unsent. */
export function unsentMessages(changes: readonly { after: SendState & { messageId: string } }[]): string[] {
  const unsent = changes.filter(({ after }) => ['Failed', 'Cancelled', 'Skipped'].includes(after.outcome ?? ''));
  return unsent.map(({ after }) => after.messageId);
}

/** The final state: no longer waiting or unsettled. */
export function ended<State extends SendState>(state: State, outcome: Outcome, problem: Problem | null): State {
  return { ...state, retryAt: null, unknownSince: null, outcome, problem };
}

/** The state of a message that may have been sent: unknown from `now` on. */
export function unknownFrom<State extends SendState>(state: State, now: Date): State {
  return { ...state, retryAt: null, outcome: 'Unknown', unknownSince: now };
}

/** The status in the history, where an outcome unknown for the whole grace time is a failure. */
export function messageStatus(state: SendState): MessageOutcome['status'] {
  if (state.outcome === null) return 'Queued';
  if (state.outcome === 'Unknown') return state.problem ? 'Failed' : 'Unknown';
  return state.outcome === 'Skipped' ? 'Failed' : state.outcome;
}

/** Whether an answer or a proof may still change the row. */
function isUnsettled(state: SendState): boolean {
  return state.outcome === null || state.outcome === 'Unknown';
}

function platformFields({ answer }: AttemptAnswer): Partial<RowChange<never>> {
  if (answer.kind !== 'accepted') return {};
  const { platformMessageId, acceptance = null } = answer;
  return { platformMessageId, acceptance };
}

/** Exponential backoff: a recipient with its own failure must not load the platform. */
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
