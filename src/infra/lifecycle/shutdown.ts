import { Injectable } from '@nestjs/common';

/** Whether this process is coming to its end: it takes nothing new, and finishes what it has begun. */
@Injectable()
export class Shutdown {
  private started = false;

  /** From now on `begun` is true. */
  begin(): void {
    this.started = true;
  }

  get begun(): boolean {
    return this.started;
  }
}
