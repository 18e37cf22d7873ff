import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { OwnProcess } from './own-process';

const CONFIGURATION = join(__dirname, '../../../deploy/nginx/messaging.conf');

/** An nginx started by the suite with deploy/nginx/messaging.conf. */
export class Nginx {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: OwnProcess,
  ) {}

  /** Starts it; `nameServerPort` resolves the name `api`, whose processes listen on `apiPort`. Only ports are changed. */
  static async start({ nameServerPort, apiPort }: { nameServerPort: number; apiPort: number }): Promise<Nginx> {
    expectInstalled();
    const folder = await mkdtemp(join(tmpdir(), 'mta-nginx-'));
    const port = await freePort();
    const changes = {
      'listen 8080;': `listen 127.0.0.1:${port};`,
      'resolver 127.0.0.11 ': `resolver 127.0.0.1:${nameServerPort} `,
      'http://api:3000;': `http://api:${apiPort};`,
    };
    let site = await readFile(CONFIGURATION, 'utf8');
    for (const [shipped, own] of Object.entries(changes)) {
      if (!site.includes(shipped)) throw new Error(`No "${shipped}" in ${CONFIGURATION}`);
      site = site.replace(shipped, own);
    }
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    const main = [
      'daemon off;',
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${folder}/nginx.pid;`,
      'events { worker_connections 1024; }',
      `http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
    ];
    await writeFile(join(folder, 'site.conf'), site);
    await writeFile(join(folder, 'nginx.conf'), `${main.join('\n')}\n`);
    const url = `http://127.0.0.1:${port}`;
    const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
    const nginx = new OwnProcess('nginx', args, { cwd: folder }, () => fetch(`${url}/health/live`));
    await nginx.start();
    return new Nginx(url, folder, nginx);
  }

  async close(): Promise<void> {
    await this.process.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }
}

function expectInstalled(): void {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'pipe' });
  } catch {
    throw new Error('These tests start an nginx: install it (Debian: apt-get install nginx)');
  }
}
