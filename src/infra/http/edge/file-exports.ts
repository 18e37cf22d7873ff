import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { FairSlots, type SlotLimits } from '../limits/fair-slots';

/** Each export occupies a database connection and much of a processor. */
const LIMITS: SlotLimits = { slots: 4, perAccount: 2, waitMs: 30_000 };
/** An export whose client has not read a part for this long releases its slot. */
const UNREAD_MS = 1000;

/** Too many exports are running, of this account or of all accounts. */
export class ExportsBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 30;

  constructor() {
    super('Too many reports and exports are being downloaded at the moment. Repeat the request later, one at a time.');
  }
}

/** Runs file exports, two per account and four in total at a time; the others wait. */
@Injectable()
export class FileExports {
  private readonly slots = new FairSlots(LIMITS, () => new ExportsBusyError());

  /**
   * Resolves with the parts once the first one is available, so that an earlier error can still set the status. Rejects with
   * ExportsBusyError after 30 s without a slot, and with RequestAbandonedError once `signal` is aborted. A started export that has
   * released its slot, for another account or because its client is slow, waits without a limit.
   */
  async start<T>(accountId: string, parts: AsyncGenerator<T>, signal: AbortSignal): Promise<AsyncGenerator<T>> {
    const withSlot = this.withSlot(accountId, parts, signal);
    return resumed(await withSlot.next(), withSlot);
  }

  private async *withSlot<T>(accountId: string, parts: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
    let hasSlot = false;
    const release = (): void => {
      if (hasSlot) this.slots.release(accountId);
      hasSlot = false;
    };
    try {
      await this.slots.take(accountId, signal);
      hasSlot = true;
      for (let next = await parts.next(); !next.done; next = await parts.next()) {
        const unread = setTimeout(release, UNREAD_MS);
        try {
          yield next.value;
        } finally {
          clearTimeout(unread);
        }
        if (hasSlot && this.slots.yieldSlot(accountId)) hasSlot = false;
        if (!hasSlot) await this.slots.take(accountId, signal, null);
        hasSlot = true;
      }
    } catch (error) {
      throw signal.aborted ? new RequestAbandonedError() : error;
    } finally {
      release();
      await parts.return(undefined);
    }
  }
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
