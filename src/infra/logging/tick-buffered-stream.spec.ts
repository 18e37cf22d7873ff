import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { TickBufferedStream } from './tick-buffered-stream';

const ROOT = resolve(__dirname, '../../..');

describe('TickBufferedStream', () => {
  it('writes the lines of a turn together, in order', async () => {
    const written: string[] = [];
    const lines = new TickBufferedStream({ write: (text) => void written.push(text) });
    lines.write('one\n');
    lines.write('two\n');
    expect(written).toEqual([]);
    await new Promise(setImmediate);
    lines.write('three\n');
    await new Promise(setImmediate);
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it.each(['process.exit(3)', "throw new Error('It ends')"])('flushes on exit: %s', (end) => {
    const code = `
      const { createLogger } = require('${ROOT}/src/infra/logging/logger.ts');
      createLogger('info').error('The last line');
      ${end};`;
    const preload = join(ROOT, 'config/register-typescript.cjs');
    let output = '';
    try {
      execFileSync(process.execPath, ['-r', preload, '-e', code], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toContain('"msg":"The last line"');
  });
});
