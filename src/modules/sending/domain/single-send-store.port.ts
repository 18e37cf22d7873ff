import type { RequestOrigin } from '../../../kernel/request-context';
import type { SendState } from './send-state';

/** The send state of a message requested by a client; its content is in the history. */
export interface SingleSend extends SendState {
  messageId: string;
  senderId: string;
  /** The messaging tier had no room: not claimed until it has taken room. */
  needsRoom: boolean;
  /** When it expires. */
  validUntil: Date;
  /** The trace of its request; read for a claim only. */
  traceparent?: string | null;
}

/** A new single send. */
export interface NewSingleSend extends Omit<SingleSend, 'traceparent'>, RequestOrigin {
  /** The API key of the request. */
  createdBy: string;
}

/** Locked single sends, and the database time. */
export interface LockedSends {
  now: Date;
  sends: SingleSend[];
}

/** Stores the attempts of single sends. Every method joins the surrounding unit of work. */
export abstract class SingleSendStore {
  /**
   * Inserts new sends. Attempt 1 is sent now; after `giveUpAfterMs`, by the database clock, it counts as unknown unless
   * an answer was recorded.
   */
  abstract insert(sends: readonly NewSingleSend[], giveUpAfterMs: number): Promise<void>;
  /** Those of these sends without an outcome or with an unknown one, with their senders. */
  abstract unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]>;
  /** Whether the sender has sends that are due to be sent, or to request room. */
  abstract due(senderId: string): Promise<{ toSend: boolean; toRequestRoom: boolean }>;
  /** Locks at most `limit` sends of a sender that are due to request room in the messaging tier, oldest first. */
  abstract lockHeld(senderId: string, limit: number): Promise<SingleSend[]>;
  /** Makes the due sends of a sender request room first; at most 5,000 at a time. */
  abstract requireRoom(senderId: string): Promise<void>;
  /** Locks the sends with these ids, in id order. */
  abstract lock(messageIds: readonly string[]): Promise<LockedSends>;
  /** Saves locked sends; none is in flight any more. */
  abstract save(sends: readonly SingleSend[]): Promise<void>;
  /**
   * Claims at most `limit` due sends of a sender, oldest first: starts their next attempt under `epoch` of the sender's
   * lane. Excludes those that need room or have expired: see lockHeld, lockOverdue.
   */
  abstract claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]>;
  /** Locks the sends in flight under an older epoch of the lane. */
  abstract lockStranded(senderId: string, epoch: string): Promise<LockedSends>;
  /** Locks at most `limit` open sends of all senders: waiting or in flight. */
  abstract lockOpen(limit: number): Promise<LockedSends>;
  /** Locks at most `limit` sends that got no answer in time, have expired, or were unknown for `graceMs`. */
  abstract lockOverdue(graceMs: number, limit: number): Promise<LockedSends>;
}
