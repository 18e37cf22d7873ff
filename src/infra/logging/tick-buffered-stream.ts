import type { DestinationStream } from 'pino';

/** Writes the log lines of one event loop turn together, so that concurrent requests share a system call. */
export class TickBufferedStream implements DestinationStream {
  private lines = '';
  private readonly flush = (): void => {
    const { lines } = this;
    this.lines = '';
    if (lines !== '') this.output.write(lines);
  };

  constructor(private readonly output: DestinationStream) {
    process.once('exit', this.flush);
  }

  write(line: string): void {
    if (this.lines === '') setImmediate(this.flush);
    this.lines += line;
  }
}
