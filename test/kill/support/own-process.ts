import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/** A server that a suite starts itself, so that it can be killed and restarted on the same port. */
export class OwnProcess {
  private child: ChildProcess | null = null;

  constructor(
    private readonly command: string,
    private readonly args: readonly string[],
    private readonly options: SpawnOptions,
    /** Rejects until the server answers. */
    private readonly ask: () => Promise<unknown>,
  ) {}

  /** Starts it and waits until it answers; throws with its output if it ends or stays silent. */
  async start(): Promise<void> {
    const child = spawn(this.command, this.args, { ...this.options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(String(chunk)));
    child.once('error', (error) => output.push(error.message));
    const deadline = Date.now() + 20_000;
    for (;;) {
      const silence = await this.ask().then(
        () => null,
        (error: unknown) => String(error),
      );
      if (silence === null) return;
      if (hasEnded(child)) throw new Error(`${this.command} ended:\n${output.join('')}`);
      if (Date.now() > deadline) throw new Error(`${this.command} does not answer: ${silence}\n${output.join('')}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal);
  }

  /** Ends it with a signal, and waits. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || hasEnded(child)) return;
    const closed = new Promise((done) => child.once('close', done));
    child.kill(signal);
    await closed;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
