import type { Acceptance } from '../../messages/domain/message';

/** What became of one attempt, that is of one request to the platform for one message. */
export type Answer =
  | { kind: 'accepted'; platformMessageId: string; acceptance?: Acceptance }
  | Refused
  | { kind: 'throttled'; scope: ThrottleScope; message: string; platformCode: number }
  | { kind: 'outage'; suspect: OutageSuspect; problem: string; message: string; platformCode: number | null }
  /** Certainly not at the platform: it may be sent again. */
  | { kind: 'not_sent'; reason: string }
  /** Begun, but this process itself did not let it leave. */
  | { kind: 'held_back'; reason: string }
  /** Begun, but the person has opted out since it was asked for: it did not leave. */
  | { kind: 'opted_out' }
  /** It may be at the platform: it is never sent again by itself. */
  | { kind: 'unknown'; reason: string };

/**
 * The platform said no for good. `recipient` and `message`: to this one; `job`: it would say so to everybody until a
 * person or the platform changes something (token, template, account, payment).
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
 * What has to wait: the sender's pace, one pair of sender and recipient, one template, all template messages of the account, or
 * everything the account sends.
 */
export type ThrottleScope = 'pace' | 'pair' | 'template' | 'templates' | 'account';

/** Whether a passing failure speaks of the platform as a whole or may be this recipient's own. */
export type OutageSuspect = 'platform' | 'recipient';
