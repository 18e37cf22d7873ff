import type { Dispatcher } from 'undici';

/** How one HTTP exchange ended; `not_sent` only where not a single byte of the request was written. */
export type ExchangeResult =
  | { kind: 'response'; status: number; text: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'no_answer'; reason: string };

/** Why a call was `not_sent` that `mayLeave` held back. */
export const WITHDRAWN = 'the caller withdrew it';

/** Bounds of one exchange: how long it may wait to leave, how long its whole answer may take, and a last veto. */
export interface ExchangeLimits {
  departureMs: number;
  answerMs: number;
  mayLeave?: () => boolean;
}

/**
 * One request and its one result. undici announces a request in the same tick in which it writes the headers, after a
 * connection stands: before that announcement nothing has left, after it anything may have.
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
    this.timer = setTimeout(() => this.stop('no connection was free in time'), limits.departureMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) return controller.abort(new Error('given up before it left'));
    if (this.written) return this.stop('the connection was lost and the request was not repeated');
    if (this.limits.mayLeave && !this.limits.mayLeave()) return this.stop(WITHDRAWN);
    this.written = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stop('no answer in time'), this.limits.answerMs);
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
