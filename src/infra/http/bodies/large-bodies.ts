import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { ApiRequest } from '../api-request';
import { FairSlots, type SlotLimits } from '../limits/fair-slots';
import { type AdmittedBody, BodiesBusyError } from './body-admission';
import { readBytes } from './read-bytes';
import { type StallLimits, watchForStall } from './stalled-body';

/** Bytes of a body that needs no slot. */
export const SMALL_BODY_BYTES = 1024 * 1024;

/** A body of 20 MB takes some 200 MB of memory and seconds of processor time until it is answered. */
const LIMITS: SlotLimits = { slots: 4, perAccount: 2, waitMs: 5_000 };
/** Slow senders would keep the slots from others. */
const STALL: StallLimits = { ms: 10_000, minBytes: 128 * 1024 };

/** A body that was read. */
export interface ReceivedBody {
  bytes: Buffer;
  /** Releases its slot, if it has one; call it once the request is answered. */
  release: () => void;
}

/** Reads bodies; those of more than SMALL_BODY_BYTES, declared or received, only in a slot, which they keep until they are answered. */
export class LargeBodies {
  private readonly slots: FairSlots;

  /** A body in a slot is aborted when it arrives more slowly than `stall` allows. */
  constructor(
    limits: SlotLimits = LIMITS,
    private readonly stall = STALL,
  ) {
    this.slots = new FairSlots(limits, () => new BodiesBusyError());
  }

  /**
   * Reads a body. Throws the errors of `readBytes`, BodiesBusyError if no slot becomes free in time, and BodyStalledError. The bytes of
   * a body that waits for a slot stay with the client.
   */
  async read(request: ApiRequest, maxBytes: number): Promise<ReceivedBody> {
    const accountId = request.caller?.accountId ?? '';
    let hasSlot = false;
    const release = (): void => {
      if (hasSlot) this.slots.release(accountId);
      hasSlot = false;
    };
    const takeSlot = async (): Promise<void> => {
      const closed = new AbortController();
      request.once('close', () => closed.abort(new RequestAbandonedError()));
      await this.slots.take(accountId, closed.signal);
      hasSlot = true;
    };
    const begin = (giveUp: (error: Error) => void): AdmittedBody => {
      let bytes = 0;
      let isOver = false;
      let stopWatching = (): void => undefined;
      const watch = (): void => {
        stopWatching = watchForStall(request, this.stall, giveUp);
      };
      const enterMidway = async (): Promise<void> => {
        request.pause();
        await takeSlot();
        if (isOver) return release();
        watch();
        request.resume();
      };
      if (hasSlot) watch();
      return {
        add: (more) => {
          const wasSmall = bytes <= SMALL_BODY_BYTES;
          bytes += more;
          if (!hasSlot && wasSmall && bytes > SMALL_BODY_BYTES) enterMidway().catch(giveUp);
        },
        end: () => {
          isOver = true;
          stopWatching();
        },
      };
    };
    try {
      if (Number(request.headers['content-length']) > SMALL_BODY_BYTES) await takeSlot();
      return { bytes: await readBytes(request, maxBytes, { begin }), release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
