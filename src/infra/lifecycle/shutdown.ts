import { Injectable } from '@nestjs/common';

/**
 * The two steps of an orderly stop. Draining: the process is not ready any more, so that load balancers move on, and serves what still
 * arrives. Begun: it accepts no new work and finishes the work under way.
 */
@Injectable()
export class Shutdown {
  private readonly started = new AbortController();
  private drains = false;

  /** Aborted when it begins. */
  readonly signal = this.started.signal;

  /** From now on `draining` is true. */
  drain(): void {
    this.drains = true;
  }

  /** From now on `begun` and `draining` are true. */
  begin(): void {
    this.drain();
    this.started.abort();
  }

  get draining(): boolean {
    return this.drains;
  }

  get begun(): boolean {
    return this.signal.aborted;
  }
}
