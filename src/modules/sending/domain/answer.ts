import type { Acceptance } from '../../messages/domain/message';

/** The outcome of one attempt: one request to the platform for one message. */
export type Answer =
  | { kind: 'accepted'; platformMessageId: string; acceptance?: Acceptance }
  | Refused
  | { kind: 'throttled'; scope: ThrottleScope; message: string; platformCode: number }
  | { kind: 'outage'; suspect: OutageSuspect; problem: string; message: string; platformCode: number | null }
  /** Certainly not received by the platform: safe to resend. */
  | { kind: 'not_sent'; reason: string }
  /** Started, but stopped by this process before sending. */
  | { kind: 'held_back'; reason: string }
  /** Started, but not sent: the person has opted out since the request. */
  | { kind: 'opted_out' }
  /** Possibly received by the platform: never resent automatically. */
  | { kind: 'unknown'; reason: string };

/**
 * A permanent refusal. `recipient` and `message`: only of this one; `job`: of every message until someone changes
 * token, template, account or payment.
 */
export interface Refused {
  kind: 'refused';
  scope: 'recipient' | 'message' | 'job';
  /** Stable code in snake_case. */
  problem: string;
  message: string;
  platformCode: number | null;
}

/**
 * What is throttled: the sender's pace, one pair of sender and recipient, one template, all template messages of the
 * account, or everything the account sends.
 */
export type ThrottleScope = 'pace' | 'pair' | 'template' | 'templates' | 'account';

/** Whether a temporary failure concerns the whole platform or possibly only this recipient. */
export type OutageSuspect = 'platform' | 'recipient';
