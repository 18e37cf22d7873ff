import { Injectable } from '@nestjs/common';

/** Whether this process is stopping: it accepts no new work and finishes the work under way. */
@Injectable()
export class Shutdown {
  private readonly started = new AbortController();

  /** Aborted when it begins. */
  readonly signal = this.started.signal;

  /** From now on `begun` is true. */
  begin(): void {
    this.started.abort();
  }

  get begun(): boolean {
    return this.signal.aborted;
  }
}
