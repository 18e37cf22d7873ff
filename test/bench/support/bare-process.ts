import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(__dirname, '../../..');

/** Runs a script of `processes/` to its end in a separate process; returns the JSON of its last line. */
export async function runProcess<Result>(script: string, parameters: object): Promise<Result> {
  const child = spawnScript(script, parameters);
  let last = '';
  createInterface({ input: child.stdout! }).on('line', (line) => (last = line));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code !== 0) throw new Error(`${script} ended with ${code}; its last line: ${last}`);
  return JSON.parse(last) as Result;
}

/** A server of `processes/` or of the build, which prints its address in its first line. */
export interface ServerProcess {
  url: string;
  stop(): Promise<void>;
}

/** Starts a script of `processes/` that listens and writes its address as a line. */
export function startServer(script: string, parameters: object): Promise<ServerProcess> {
  return serverOf(spawnScript(script, parameters), script);
}

/** Starts the platform sandbox as shipped and configures it. */
export async function startSandboxProcess(config: object): Promise<ServerProcess> {
  const main = join(ROOT, 'dist/libs/platform-sandbox/main.js');
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0' },
  });
  const sandbox = await serverOf(child, 'the sandbox');
  const response = await fetch(`${sandbox.url}/sandbox/config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(config),
  });
  if (!response.ok) throw new Error(`The sandbox refused its configuration: ${await response.text()}`);
  return sandbox;
}

function spawnScript(script: string, parameters: object): ChildProcess {
  const typescript = join(ROOT, 'config/register-typescript.cjs');
  const preload = script.endsWith('.ts') ? ['-r', typescript] : [];
  return spawn(process.execPath, [...preload, join(ROOT, 'test/bench/processes', script), JSON.stringify(parameters)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function serverOf(child: ChildProcess, name: string): Promise<ServerProcess> {
  return new Promise((done, fail) => {
    child.once('close', (code) => fail(new Error(`${name} ended with ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const url = /http:\/\/[\w.:]+/.exec(line)?.[0];
      if (!url) return;
      done({
        url,
        stop: () =>
          new Promise((ended) => {
            child.once('close', () => ended());
            child.kill('SIGTERM');
          }),
      });
    });
  });
}
