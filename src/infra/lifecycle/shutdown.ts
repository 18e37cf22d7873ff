import { Injectable } from '@nestjs/common';

/**
 * The two steps of a graceful shutdown. Draining: the process reports that it is not ready, so that load balancers move on, and still
 * serves requests. Begun: it accepts no new work and finishes work in flight.
 */
@Injectable()
export class Shutdown {
  private readonly started = new AbortController();
  private isDraining = false;

  /** Aborted when the shutdown begins. */
  readonly signal = this.started.signal;

  drain(): void {
    this.isDraining = true;
  }

  begin(): void {
    this.drain();
    this.started.abort();
  }

  get draining(): boolean {
    return this.isDraining;
  }

  get begun(): boolean {
    return this.signal.aborted;
  }
}
