import type { DestinationStream } from 'pino';

/** Writes the lines of one turn of the event loop together, each with its line break: requests of the same moment share a system call. */
export class LinesOfATurn implements DestinationStream {
  private lines = '';
  private readonly flush = (): void => {
    const { lines } = this;
    this.lines = '';
    if (lines !== '') this.output.write(lines);
  };

  constructor(private readonly output: DestinationStream) {
    // What ends the process is told in the same turn.
    process.once('exit', this.flush);
  }

  write(line: string): void {
    if (this.lines === '') setImmediate(this.flush);
    this.lines += line;
  }
}
