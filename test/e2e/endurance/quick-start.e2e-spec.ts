import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcomeOf, until } from '../../support/process/service';
import { freePort } from '../../support/free-port';

const ROOT = join(__dirname, '../../..');
const LONGEST_MS = 150_000;

describe('The Quick start of the README', () => {
  it('runs unchanged in one shell, its steps twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mta-quick-start-'));
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const [start, ...steps] = blocks();
    const stop = steps.pop();
    // A rejected request ends the script, as does a missing value in a response.
    const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';
    const script = [strict, start, ...steps, ...steps, stop, 'wait']
      .join('\n')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('4010', String(sandboxPort))
      .replaceAll('service.log', join(folder, 'service.log'));
    const { PATH, HOME } = process.env;
    const child = spawn('bash', ['-c', script], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that the service always ends with the script.
      detached: true,
      env: { PATH, HOME, PORT: String(port), DATA_DIR: join(folder, 'data') },
    });
    try {
      const { code, output } = await outcomeOf(child, LONGEST_MS);

      // With the output, so that a failure shows the responses.
      expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining('undefined') });
      // Each response ends with a line break.
      expect(output).not.toMatch(/[}\]](\{|Job )/);
      expect(output.match(/Job [0-9a-f-]{36}$/gm)).toHaveLength(2);
      expect(output.match(/"text":"Yes, at about ten\."/g)!.length).toBeGreaterThanOrEqual(2);
      const stopped = () =>
        fetch(`http://127.0.0.1:${port}/health/live`).then(
          () => false,
          () => true,
        );
      await until(stopped, 30_000, 'the service has stopped');
    } finally {
      endGroup(child.pid!);
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
});

/** The shell blocks between the heading of the Quick start and the next one. */
function blocks(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = readme.split(/^## /m).find((text) => text.startsWith('Quick start'))!;
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1]!);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
