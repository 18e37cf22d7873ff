import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { KEY } from './service';

/** The built command line. */
export const MAIN = resolve(__dirname, '../../../dist/libs/cli/main.js');

/** The output and exit code of a command. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line in separate processes, against one service. */
export class CommandLine {
  constructor(
    private readonly url: string,
    private readonly home: string,
  ) {}

  /** Runs a command to its end. */
  run(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return this.start(words, env).ended;
  }

  /** Runs a command with JSON output. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...words, '--json']);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  }

  /** Starts a command; `wrote` resolves when its standard output or error contains the text. */
  start(words: readonly string[], env: Record<string, string> = {}) {
    const inherited = { PATH: process.env.PATH, XDG_CONFIG_HOME: join(this.home, 'config') };
    const child: ChildProcess = spawn(process.execPath, [MAIN, ...words], {
      cwd: this.home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inherited, MESSAGING_URL: this.url, MESSAGING_API_KEY: KEY, ...env },
    });
    const written = { stdout: '', stderr: '' };
    child.stdout!.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
    const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, ...written })));
    const wrote = async (text: string | RegExp): Promise<void> => {
      const deadline = Date.now() + 30_000;
      while (!new RegExp(text).test(written.stdout + written.stderr)) {
        if (Date.now() > deadline)
          throw new Error(`It never wrote ${String(text)}:\n${written.stdout}${written.stderr}`);
        await new Promise((next) => setTimeout(next, 20));
      }
    };
    return { child, ended, wrote };
  }
}
