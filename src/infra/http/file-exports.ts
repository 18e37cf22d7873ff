import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../kernel/request-abandoned.error';
import { ServiceUnavailableError } from '../../kernel/request.errors';
import { FairSlots, type SlotLimits } from './limits/fair-slots';

/** Each export keeps a connection of the database and much of a processor busy. */
const LIMITS: SlotLimits = { slots: 4, perAccount: 2, waitMs: 30_000 };
/** An export whose client has not taken a part after this time costs nothing meanwhile and gives its slot back. */
const UNREAD_MS = 1000;

/** Too many files are being made, of this account or of all together. */
export class ExportsBusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 30;

  constructor() {
    super('Too many reports and exports are being downloaded at the moment. Repeat the request later, one at a time.');
  }
}

/** Reads what is exported as a file, two exports of an account and four in all at a time; the others wait for their turn. */
@Injectable()
export class FileExports {
  private readonly slots = new FairSlots(LIMITS, () => new ExportsBusyError());

  /**
   * The same parts once the first one is there: an error until then can still be answered with its status. Rejects with
   * ExportsBusyError after 30 s without a slot, and with RequestAbandonedError once `signal` is aborted. An export that has
   * started waits without a limit when it has given way to another account or to its own slow client.
   */
  async start<T>(accountId: string, parts: AsyncGenerator<T>, signal: AbortSignal): Promise<AsyncGenerator<T>> {
    const inTurn = this.inTurn(accountId, parts, signal);
    return resumed(await inTurn.next(), inTurn);
  }

  private async *inTurn<T>(accountId: string, parts: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
    let hasSlot = false;
    const giveBack = (): void => {
      if (hasSlot) this.slots.giveBack(accountId);
      hasSlot = false;
    };
    try {
      await this.slots.take(accountId, signal);
      hasSlot = true;
      for (let next = await parts.next(); !next.done; next = await parts.next()) {
        const unread = setTimeout(giveBack, UNREAD_MS);
        try {
          yield next.value;
        } finally {
          clearTimeout(unread);
        }
        if (hasSlot && this.slots.giveWay(accountId)) hasSlot = false;
        if (!hasSlot) await this.slots.take(accountId, signal, null);
        hasSlot = true;
      }
    } catch (error) {
      throw signal.aborted ? new RequestAbandonedError() : error;
    } finally {
      giveBack();
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
