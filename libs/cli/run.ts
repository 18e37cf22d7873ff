import { Interrupted, EXIT } from './exit-codes';
import { Output } from './output';
import { buildProgram } from './program';
import { foundKey } from './session';

/** Ctrl-C, `kill`, and the end of the terminal. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs one command line to its end and returns its exit code. Any failure is a message on standard error, one line unless the service lists several errors. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      // A second Ctrl-C exits immediately.
      if (stop.signal.aborted) process.exit(EXIT.interrupted);
      stop.abort(new Interrupted());
    });
  }
  // `messaging … | head` closes the pipe, which is not an error.
  process.stdout.on('error', () => process.exit(EXIT.done));
  const ended = { code: EXIT.done as number };
  const program = buildProgram({ signal: stop.signal, ended });
  try {
    await program.parseAsync([...argv]);
    return ended.code;
  } catch (error) {
    const { explain } = await import('./problems.js');
    const { line, code } = explain(error, () => ({
      from: foundKey(program.opts())?.from,
      isLogin: program.args[0] === 'login',
    }));
    if (line) new Output({ json: false }).problem(line);
    return code;
  }
}
