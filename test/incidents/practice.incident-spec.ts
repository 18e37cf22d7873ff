import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PostgresServer } from '../kill/support/postgres-server';
import { until } from '../support/process/service';
import { Scene } from './scene';

const ROOT = join(__dirname, '../..');
const REDIS_IS_GONE = '7';
const STARTED_MS = 60_000;

describe('The practice of incidents', () => {
  let practice: ChildProcess | null = null;

  afterEach(() => practice?.kill('SIGKILL'));

  it('prints the complaint and the addresses, restarts Redis and the service, and stops everything', async () => {
    let output = '';
    practice = spawn(
      process.execPath,
      ['-r', './config/register-typescript.cjs', 'test/incidents/practice.ts', REDIS_IS_GONE],
      { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const { stdin, stdout } = practice;
    stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const printed = (text: string) => until(() => Promise.resolve(output.includes(text)), STARTED_MS, text);
    const variable = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(output)![1]!;

    await printed('Ctrl-C');
    expect(output).toContain('MessagingHealthCheckFailing');
    expect(output).not.toContain('is gone');
    expect(variable('REDIS_URL')).toMatch(/^redis:/);
    const isRepaired = async () =>
      !(await (await fetch(`${variable('URL')}/health/ready`)).text()).includes('"ok":false');
    expect(await isRepaired()).toBe(false);
    stdin!.write('redis\n');
    await printed('Restarted: redis');
    await until(isRepaired, STARTED_MS, 'Redis is used again');
    stdin!.write('service\n');
    await printed('Restarted: service');
    expect(await isRepaired()).toBe(true);

    const database = variable('DATABASE_URL');
    await PostgresServer.rowsOf(database, 'SELECT 1');
    const ended = new Promise((done) => practice!.once('close', done));
    practice.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output).toContain('The cause: Redis is gone.');
    await expect(PostgresServer.rowsOf(database, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('leaves no server behind if a scene cannot be opened', async () => {
    const children = () => execFileSync('ps', ['-o', 'comm=', '--ppid', String(process.pid)], { encoding: 'utf8' });
    const before = children();
    await expect(Scene.open({ onServers: true, settings: { LOG_LEVEL: 'loud' } })).rejects.toThrow('LOG_LEVEL');
    expect(children()).toBe(before);
  });
});
