import { Injectable } from '@nestjs/common';

/** Whether this process is stopping: it accepts no new work and finishes the work under way. */
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
