import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';

/** Set by the image or the compose file itself. */
const FIXED = ['PORT', 'HOST', 'DATA_DIR', 'SANDBOX_PORT'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('docker-compose.yml', () => {
  it('passes on every setting of the README', () => {
    const cells = [...read('README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].map(([, names]) => names!);
    const settings = cells.flatMap((names) => [...names.matchAll(/[A-Z_]+/g)].map(([name]) => name));
    expect(settings.length).toBeGreaterThan(25);
    const compose = read('docker-compose.yml');
    const missing = settings.filter((name) => !FIXED.includes(name) && !new RegExp(`\\b${name}: `).test(compose));
    expect(missing).toEqual([]);
  });

  it('publishes no port of a service that runs several times', () => {
    const services = read('docker-compose.yml').split(/^ {2}(?=\w+:$)/m);
    const published = services.filter((one) => /^ {4}ports:/m.test(one)).map((one) => /^\w+/.exec(one)![0]);
    expect(published).toEqual(['proxy']);
  });

  it('has a proxy that accepts the largest upload and forwards the headers that the service reads', () => {
    const proxy = read('deploy/nginx/messaging.conf');
    const largest = Number(/^\| `MAX_FILE_MB` \| [^|]+ \| (\d+) \|$/m.exec(read('README.md'))![1]);
    expect(Number(/client_max_body_size (\d+)m;/.exec(proxy)![1])).toBeGreaterThan(largest);
    for (const header of ['Host $http_host', 'X-Forwarded-Host $http_host', 'X-Forwarded-Proto $scheme']) {
      expect(proxy).toContain(`proxy_set_header ${header};`);
    }
    expect(proxy).toMatch(/location = \/metrics \{\s+return 404;/);
  });

  it('has every setting of .env.example', () => {
    const names = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !read('docker-compose.yml').includes(`\${${name}:`))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  it('copies only existing files that .dockerignore does not exclude', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
      from!.split(' '),
    );
    expect(copied.length).toBeGreaterThan(4);
    const [first, ...others] = read('.dockerignore').split('\n');
    expect(first).toBe('*');
    const isSent = (file: string) => others.includes(`!${file}`) || others.includes(`!${file.split('/')[0]}`);
    const kept = copied.filter((file) => !existsSync(join(ROOT, file)) || !isSent(file));
    expect(kept).toEqual([]);
  });

  it('has the package.json of each workspace when it installs', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    const [beforeInstall] = read('Dockerfile').split('RUN npm ci');
    const missing = workspaces.filter((folder) => !beforeInstall!.includes(`COPY ${folder}/package.json ${folder}/\n`));
    expect(missing).toEqual([]);
  });

  it('and docker-compose.yml start programs of the build', () => {
    const started = [...`${read('Dockerfile')}${read('docker-compose.yml')}`.matchAll(/'?"?dist\/(\S+?)\.js/g)];
    expect(started.length).toBeGreaterThan(1);
    expect(started.filter(([, program]) => !existsSync(join(ROOT, `${program}.ts`)))).toEqual([]);
  });
});
