import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import { validate } from 'dockerfile-utils';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { ROOT } from './cruise';

/** Set by the image or the compose file itself. */
const FIXED = ['PORT', 'HOST', 'DATA_DIR', 'SANDBOX_PORT'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Service {
  profiles?: string[];
  image: string;
  build?: { context: string; args: Record<string, string> };
  command?: string[];
  environment?: Record<string, unknown>;
  volumes?: string[];
  read_only?: boolean;
  user?: string;
  tmpfs?: string[];
  healthcheck?: object;
  depends_on?: string[] | Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}
const COMPOSE = load(read('docker-compose.yml'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Compose;

describe('docker-compose.yml', () => {
  it('keeps to the schema of the Compose specification', () => {
    const file = join(dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json');
    const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
    const isCompose = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).compile(schema);
    isCompose(COMPOSE);
    expect(isCompose.errors).toBeNull();
    const misspelt = { ...COMPOSE.services.api, read_onyl: true };
    expect(isCompose({ ...COMPOSE, services: { api: misspelt } })).toBe(false);
  });

  it('waits only for the health of services that have a health check', () => {
    const awaited = Object.values(COMPOSE.services).flatMap(({ depends_on: on = {} }) =>
      Array.isArray(on) ? [] : Object.keys(on).filter((name) => on[name]!.condition === 'service_healthy'),
    );
    expect([...new Set(awaited)]).toEqual(['postgres', 'redis']);
    expect(awaited.filter((name) => !COMPOSE.services[name]!.healthcheck)).toEqual([]);
    const named = Object.values(COMPOSE.services).flatMap(({ depends_on: on = [] }) => (Array.isArray(on) ? on : []));
    expect(named.filter((name) => !(name in COMPOSE.services))).toEqual([]);
  });

  it('sets only variables that a program of the image reads', () => {
    const settings = `${read('config/settings.ts')}${read('libs/platform-sandbox/main.ts')}`;
    const built = Object.values(COMPOSE.services).filter(({ build }) => build);
    const names = new Set(built.flatMap(({ environment = {} }) => Object.keys(environment)));
    expect(names.size).toBeGreaterThan(30);
    // OpenTelemetry reads its own.
    const unknown = [...names].filter(
      (name) => !name.startsWith('OTEL_') && !new RegExp(`\\b${name}\\b`).test(settings),
    );
    expect(unknown).toEqual([]);
  });

  it('passes on every setting of the README', () => {
    const cells = [...read('README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].map(([, names]) => names!);
    const settings = cells.flatMap((names) => [...names.matchAll(/[A-Z_]+/g)].map(([name]) => name));
    expect(settings.length).toBeGreaterThan(25);
    const compose = read('docker-compose.yml');
    const missing = settings.filter((name) => !FIXED.includes(name) && !new RegExp(`\\b${name}: `).test(compose));
    expect(missing).toEqual([]);
  });

  it('builds the image with every argument of its labels', () => {
    const [, shipped] = read('Dockerfile')
      .split(/^FROM .*$/m)
      .slice(1);
    const labelled = [...shipped!.matchAll(/^ARG (\w+)=unknown$/gm)].map(([, name]) => name!);
    const args = Object.fromEntries(labelled.map((name) => [name, `\${${name}:-unknown}`]));
    const built = Object.values(COMPOSE.services).flatMap(({ build }) => build ?? []);
    expect(built).toEqual(Array.from({ length: 3 }, () => ({ context: '.', args })));
    expect(labelled).toEqual(['VERSION', 'REVISION', 'SOURCE', 'CREATED']);
  });

  it('makes the user of the container the owner of its folders in memory, which are otherwise those of root', () => {
    // A tmpfs takes the owner and mode of the folder that it covers: only /tmp is writable for everyone.
    const unowned = Object.values(COMPOSE.services)
      .filter(({ user }) => user)
      .flatMap(({ tmpfs = [] }) => tmpfs.filter((mount) => mount !== '/tmp' && !/:uid=\d+,gid=\d+$/.test(mount)));
    expect(COMPOSE.services.proxy!.tmpfs).toContain('/run:uid=101,gid=101');
    expect(unowned).toEqual([]);
  });

  it('publishes no port of a service that runs several times', () => {
    const services = read('docker-compose.yml').split(/^ {2}(?=\w+:$)/m);
    const published = services.filter((one) => /^ {4}ports:/m.test(one)).map((one) => /^\w+/.exec(one)![0]);
    expect(published).toEqual(['proxy', 'grafana']);
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

describe('The profiles of docker-compose.yml', () => {
  const { services, volumes } = COMPOSE;
  const mounts = Object.values(services).flatMap((one) => one.volumes ?? []);

  it('add the sandbox to try it, and Prometheus and Grafana in production', () => {
    const inProfile = (profile: string) =>
      Object.keys(services).filter((name) => services[name]!.profiles?.includes(profile));
    expect([inProfile('try'), inProfile('production')]).toEqual([['sandbox'], ['prometheus', 'grafana']]);
  });

  it('leave nobody with the sandbox as the platform who did not ask for it', () => {
    expect(services.api!.environment!.PLATFORM_API_URL).toMatch(/^\$\{PLATFORM_API_URL:\?/);
  });

  it('bound the young generation of an API process more than that of a worker, and otherwise start it as the image does', () => {
    const [, image] = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))!;
    expect(services.api!.command).toEqual((JSON.parse(image!) as string[]).map((one) => one.replace('=16', '=4')));
    expect(services.worker!.command).toBeUndefined();
    const inKubernetes = /command: (\[.*\])/.exec(read('deploy/kubernetes/base/api.yaml'))![1]!;
    expect(load(inKubernetes)).toEqual(services.api!.command);
  });

  it('mount files that exist and volumes that are declared', () => {
    const sources = mounts.filter((mount) => mount.includes(':')).map((mount) => mount.split(':')[0]!);
    const missing = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(join(ROOT, source)) : !(source in volumes),
    );
    expect(missing).toEqual([]);
    const { providers } = load(read('deploy/grafana/provisioning/dashboards/messaging.yml')) as {
      providers: { options: { path: string } }[];
    };
    expect(mounts).toContain(`./deploy/grafana:${providers[0]!.options.path}:ro`);
  });

  it('let Prometheus and Grafana find each other and the processes', () => {
    const { scrape_configs: scraped } = load(read('deploy/prometheus/prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const [{ names, port }] = scraped[0]!.dns_sd_configs as [{ names: string[]; port: number }];
    expect(names.filter((name) => !(name in services))).toEqual([]);
    expect(read('Dockerfile')).toContain(` PORT=${port} `);
    const { datasources } = load(read('deploy/grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { url: string }[];
    };
    expect(new URL(datasources[0]!.url).hostname in services).toBe(true);
  });

  it('pin every image, and run all but PostgreSQL on a read-only file system', () => {
    const writable = Object.keys(services).filter((name) => !services[name]!.read_only);
    expect(writable).toEqual(['postgres']);
    const pulled = Object.values(services).map(({ image }) => image);
    expect(pulled.filter((image) => image !== 'messaging-template-api' && !/:v?\d+\.\d+\.?\d*/.test(image))).toEqual(
      [],
    );
  });
});

describe('Dockerfile', () => {
  it('has only instructions, flags and arguments that Docker accepts', () => {
    const findings = (text: string) => validate(text).map(({ range, message }) => [range.start.line + 1, message]);
    expect(findings(read('Dockerfile'))).toEqual([]);
    expect(findings('FROM node:24\nHEALTHCHECK --interva=30s CMD ls\n')).toEqual([[2, 'Unknown flag: interva']]);
  });

  it('needs no frontend from a registry, which would be another unpinned image that the build runs', () => {
    expect(read('Dockerfile')).not.toMatch(/^# *syntax *=/im);
  });

  it('labels the image, and runs as a user without rights', () => {
    const text = read('Dockerfile');
    for (const label of ['title', 'description', 'licenses', 'base.name']) {
      expect(text).toContain(`org.opencontainers.image.${label}=`);
    }
    for (const name of ['VERSION', 'REVISION', 'SOURCE', 'CREATED']) {
      expect(text).toContain(`org.opencontainers.image.${name.toLowerCase()}=$${name}`);
    }
    const [, shipped] = text.split(/^FROM .*$/m).slice(1);
    expect(/^USER (\w+)$/m.exec(shipped!)?.[1]).toBe('node');
  });

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
