import type { SendState } from './send-state';

/** A message to one person that a client asked for, beside its row in the history. */
export interface SingleSend extends SendState {
  messageId: string;
  senderId: string;
  /** The messaging tier had no room for it: it is not claimed before it has taken room. */
  needsRoom: boolean;
  /** After this moment it is not sent any more. */
  validUntil: Date;
}

/** A single send that is written. */
export interface NewSingleSend extends SingleSend {
  /** The API key of the request. */
  createdBy: string;
}

/** Single sends that were locked, and the database's time at that moment. */
export interface LockedSends {
  now: Date;
  sends: SingleSend[];
}

/** Where the attempts of single sends are kept. Every method joins the surrounding unit of work. */
export abstract class SingleSendStore {
  /**
   * Writes new ones. Attempt 1 means that a request leaves now; `giveUpAfterMs` later, by the database's clock, it
   * counts as unknown unless an answer was recorded.
   */
  abstract insert(sends: readonly NewSingleSend[], giveUpAfterMs: number): Promise<void>;
  /** Which of these have no outcome, or an unknown one, and who sends them. */
  abstract unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]>;
  /** Whether the sender has one whose time to be sent, or to ask for room, has come. */
  abstract due(senderId: string): Promise<{ toSend: boolean; toAsk: boolean }>;
  /** Locks at most `limit` of a sender whose time to ask the messaging tier for room has come, oldest first. */
  abstract lockHeld(senderId: string, limit: number): Promise<SingleSend[]>;
  /** All of a sender whose time to be sent has come ask for room before that; at most 5,000 at a time. */
  abstract askFirst(senderId: string): Promise<void>;
  /** Locks the ones with these ids, in the order of their ids. */
  abstract lock(messageIds: readonly string[]): Promise<LockedSends>;
  /** Writes states of locked ones; no request of theirs is out any more. */
  abstract save(sends: readonly SingleSend[]): Promise<void>;
  /**
   * Locks at most `limit` of a sender whose time to be sent has come, oldest first, and begins their next attempt under
   * `epoch` of the sender's lane. Those that need room, and the ones past their validity, are not among them: see lockHeld, lockOverdue.
   */
  abstract claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]>;
  /** The ones whose request was out under an older epoch of the lane, locked. */
  abstract lockStranded(senderId: string, epoch: string): Promise<LockedSends>;
  /** At most `limit` of all senders that have no outcome, locked: waiting ones and those whose request is out. */
  abstract lockOpen(limit: number): Promise<LockedSends>;
  /** At most `limit` that gave no answer in time, are past their validity, or were unknown for `graceMs`; locked. */
  abstract lockOverdue(graceMs: number, limit: number): Promise<LockedSends>;
}
