import type { Dispatcher } from 'undici';

/** The result of one HTTP exchange; `not_sent` only if no byte of the request was written. */
export type ExchangeResult =
  | { kind: 'response'; status: number; text: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'no_answer'; reason: string };

/** Reason of a call that is `not_sent` because `canStillSend` returned false. */
export const ABORTED_BY_CALLER = 'aborted by the caller';

/** Limits of one exchange: time until it is written, time until the response is complete, and a final check. */
export interface ExchangeLimits {
  connectionWaitMs: number;
  responseMs: number;
  canStillSend?: () => boolean;
}

/**
 * One request and its result. undici announces a request in the tick in which it writes the headers, once connected: before that
 * nothing has been sent; afterwards everything may have been.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<ExchangeResult>;
  private resolve: (result: ExchangeResult) => void;
  private settled = false;
  private written = false;
  private controller?: Dispatcher.DispatchController;
  private timer: NodeJS.Timeout;
  private status = 0;
  private readonly chunks: Buffer[] = [];

  constructor(private readonly limits: ExchangeLimits) {
    this.result = new Promise((resolve) => (this.resolve = resolve));
    this.timer = setTimeout(() => this.stop('no connection was available in time'), limits.connectionWaitMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) return controller.abort(new Error('cancelled before it was sent'));
    if (this.written) return this.stop('the connection was lost, and the request was not retried');
    if (this.limits.canStillSend && !this.limits.canStillSend()) return this.stop(ABORTED_BY_CALLER);
    this.written = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stop('no response in time'), this.limits.responseMs);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settle({ kind: 'response', status: this.status, text: Buffer.concat(this.chunks).toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error & { code?: string }): void {
    this.fail(error.code ? `${error.code}: ${error.message}` : error.message);
  }

  private stop(reason: string): void {
    this.fail(reason);
    this.controller?.abort(new Error(reason));
  }

  private fail(reason: string): void {
    this.settle({ kind: this.written ? 'no_answer' : 'not_sent', reason });
  }

  private settle(result: ExchangeResult): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.resolve(result);
  }
}
