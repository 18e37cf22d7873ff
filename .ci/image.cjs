/**
 * `node .ci/image.cjs WORK NODE BILL` does in the folder WORK what `docker build` and `docker run --read-only` do with the Dockerfile: each stage
 * is a root folder with the system of this machine and the Node.js in NODE. Checks the build context, the size, the packages against the bill of
 * materials BILL, and that the service starts with its command, passes its health check, sends a message and stops.
 */
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const { homedir } = require('node:os');
const { basename, dirname, join, resolve } = require('node:path');
const { setTimeout: wait } = require('node:timers/promises');
const dockerignore = require('@balena/dockerignore');
const { DockerfileParser } = require('dockerfile-ast');
const { version } = require('../package.json');

const ROOT = join(__dirname, '..');
const [work, nodeFolder, bill] = process.argv.slice(2);
const PATH = '/opt/node:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const BUILD_ARGS = {
  VERSION: version,
  REVISION: output('git', 'rev-parse', 'HEAD').trim(),
  SOURCE: 'https://git.example.com/messaging-template-api',
  CREATED: new Date().toISOString(),
};
/** Of the machine: what reaches the registry. */
const REGISTRY = [
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];
/** How far the size may be from the one in docs/operations.md, as a share of it. */
const TOLERANCE = 0.15;
const MAX_START_MS = 180_000;

function output(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30 });
}

function mount(...args) {
  execFileSync('mount', args);
}

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Copies what .dockerignore lets through, which must not include anything that git ignores: it differs between machines, or is secret. */
function copyContext(folder) {
  const ignored = dockerignore().add(fs.readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  const sent = (...which) =>
    ignored.filter(
      output('git', 'ls-files', '-z', '--exclude-standard', ...which)
        .split('\0')
        .filter(Boolean),
    );
  const stray = sent('--others', '--ignored');
  assert(stray.length === 0, `.dockerignore lets through files that git ignores: ${stray.slice(0, 20).join(', ')}`);
  const files = sent('--cached', '--others');
  for (const file of files) {
    fs.mkdirSync(join(folder, dirname(file)), { recursive: true });
    fs.copyFileSync(join(ROOT, file), join(folder, file));
  }
  console.log(`Build context: ${files.length} files, ${megabytes(sizeOf(folder))} MB`);
}

/** A stage on the base image: a root folder with the system of this machine, the user `node`, and /tmp. */
function baseImage(root) {
  for (const name of fs.readdirSync('/').filter((one) => /^(bin|sbin|lib\w*)$/.test(one))) {
    fs.mkdirSync(root, { recursive: true });
    fs.symlinkSync(fs.readlinkSync(join('/', name)), join(root, name));
  }
  for (const [folder, on] of [
    ...['usr', 'etc', 'dev', 'proc'].map((name) => [`/${name}`, name]),
    [nodeFolder, 'opt/node'],
  ]) {
    fs.mkdirSync(join(root, on), { recursive: true });
    mount('--rbind', folder, join(root, on));
  }
  for (const [file, line] of [
    ['passwd', 'node:x:1000:1000::/home/node:/bin/sh'],
    ['group', 'node:x:1000:'],
  ]) {
    fs.writeFileSync(`${root}.${file}`, `root:x:0:${file === 'passwd' ? '0::/root:/bin/sh' : ''}\n${line}\n`);
    mount('--bind', `${root}.${file}`, join(root, 'etc', file));
  }
  fs.mkdirSync(join(root, 'tmp'));
  mount('-t', 'tmpfs', 'tmpfs', join(root, 'tmp'));
  return { root, folder: '/', user: 'root', env: { PATH }, args: {}, labels: {}, volumes: [] };
}

/** The arguments of chroot that run `command` in the stage. */
function inside({ root, user, folder }, command) {
  return [`--userspec=${user}:${user}`, root, 'env', '-C', folder, ...command];
}

function runStep(stage, command) {
  // The cache of npm and its settings, which the registry of this machine may need.
  const shared = ['.npm', '.npmrc'].filter((name) => fs.existsSync(join(homedir(), name)));
  const home = join(stage.root, 'root');
  fs.mkdirSync(home, { recursive: true });
  for (const name of shared) {
    if (fs.statSync(join(homedir(), name)).isDirectory()) fs.mkdirSync(join(home, name), { recursive: true });
    else fs.writeFileSync(join(home, name), '');
    mount('--bind', join(homedir(), name), join(home, name));
  }
  const registry = REGISTRY.filter((name) => name in process.env).map((name) => [name, process.env[name]]);
  const env = { ...Object.fromEntries(registry), HOME: '/root', npm_config_prefer_offline: 'true', ...stage.env };
  execFileSync('chroot', inside(stage, ['/bin/sh', '-c', command]), { env, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const name of shared) execFileSync('umount', [join(home, name)]);
}

function copy(stage, from, paths) {
  const sources = paths.slice(0, -1);
  const to = paths.at(-1);
  const target = join(stage.root, resolve(stage.folder, to));
  for (const path of sources) {
    const source = join(from, path);
    const isFolder = fs.statSync(source).isDirectory();
    const into = isFolder || to.endsWith('/') || sources.length > 1;
    fs.mkdirSync(into ? target : dirname(target), { recursive: true });
    execFileSync('cp', [
      '-a',
      isFolder ? `${source}/.` : source,
      into && !isFolder ? join(target, basename(source)) : target,
    ]);
  }
}

/** Runs all steps of the Dockerfile and returns the last stage. */
function build(context) {
  const stages = {};
  const globalArgs = {};
  let stage;
  const expand = (text) =>
    text.replace(/\$\{?(\w+)\}?/g, (_, name) => ({ ...(stage?.args ?? globalArgs), ...stage?.env })[name]);
  const properties = (step) => step.getProperties().map((one) => [one.getName(), expand(one.getValue() ?? '')]);
  const steps = {
    ARG(step) {
      for (const [name, value] of properties(step)) {
        if (stage) stage.args[name] = BUILD_ARGS[name] ?? (value || globalArgs[name]);
        else globalArgs[name] = value;
      }
    },
    FROM(step) {
      const name = step.getBuildStage() ?? String(Object.keys(stages).length);
      stage = stages[name] = baseImage(join(work, name));
    },
    WORKDIR(step) {
      stage.folder = resolve(stage.folder, step.getArgumentsContent());
      fs.mkdirSync(join(stage.root, stage.folder), { recursive: true });
    },
    COPY(step) {
      const other = step.getFlags().map((flag) => [flag.getName(), stages[flag.getValue()]?.root]);
      assert(
        other.every(([name, root]) => name === 'from' && root),
        `${step}: .ci/image knows no such flag`,
      );
      copy(
        stage,
        other[0]?.[1] ?? context,
        step.getArguments().map((one) => expand(one.getValue())),
      );
    },
    RUN: (step) => runStep(stage, step.getRawArgumentsContent()),
    ENV: (step) => Object.assign(stage.env, Object.fromEntries(properties(step))),
    LABEL: (step) => Object.assign(stage.labels, Object.fromEntries(properties(step))),
    USER: (step) => (stage.user = step.getArgumentsContent()),
    VOLUME: (step) => stage.volumes.push(...step.getArguments().map((one) => one.getValue())),
    EXPOSE: () => undefined,
    HEALTHCHECK: (step) => (stage.healthCheck = JSON.parse(step.getRawArgumentsContent().replace(/^.*?CMD/s, ''))),
    CMD: (step) => (stage.command = JSON.parse(step.getRawArgumentsContent())),
  };
  for (const step of DockerfileParser.parse(fs.readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).getInstructions()) {
    const started = performance.now();
    assert(steps[step.getKeyword()], `${step.getKeyword()}: .ci/image does not know this instruction`);
    steps[step.getKeyword()](step);
    const seconds = (performance.now() - started) / 1000;
    if (seconds > 0.5) console.log(`${seconds.toFixed(1)} s: ${step.getKeyword()} ${step.getArgumentsContent()}`);
  }
  return stage;
}

function sizeOf(folder) {
  return Number(output('du', '--summarize', '--apparent-size', '--bytes', folder).split('\t')[0]);
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}

function checkSize({ root, folder }) {
  const size = megabytes(sizeOf(join(root, folder)));
  const parts = fs
    .readdirSync(join(root, folder))
    .map((name) => `${name} ${megabytes(sizeOf(join(root, folder, name)))} MB`);
  console.log(`Application: ${size} MB: ${parts.join(', ')}`);
  const stated = Number(
    /application takes (\d+) MB/.exec(fs.readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))?.[1],
  );
  assert(
    Math.abs(size - stated) <= stated * TOLERANCE,
    `docs/operations.md states ${stated} MB, the application takes ${size} MB`,
  );
}

/** The packages in a folder node_modules, with those inside them, as name@version. */
function packagesIn(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((name) => {
    if (name.startsWith('@')) return packagesIn(join(folder, name));
    const file = join(folder, name, 'package.json');
    if (!fs.existsSync(file)) return [];
    const own = JSON.parse(fs.readFileSync(file, 'utf8'));
    return [`${own.name}@${own.version}`, ...packagesIn(join(folder, name, 'node_modules'))];
  });
}

function checkBill({ root, folder }) {
  const { components } = JSON.parse(fs.readFileSync(bill, 'utf8'));
  const listed = new Set(components.map(({ name, version: of }) => `${name}@${of}`));
  const installed = packagesIn(join(root, folder, 'node_modules'));
  const unlisted = installed.filter((one) => !listed.has(one));
  console.log(`Packages: ${installed.length} in the image, ${listed.size} in the bill of materials`);
  assert(installed.length > 100 && unlisted.length === 0, `Not in the bill of materials: ${unlisted.join(', ')}`);
}

function checkLabels({ labels }) {
  console.log(labels);
  for (const [name, value] of Object.entries(BUILD_ARGS)) {
    const label = `org.opencontainers.image.${name.toLowerCase()}`;
    assert(labels[label] === value, `The label ${label} is not the --build-arg ${name}`);
  }
}

/** Starts the image as docker-compose.yml does: as its user, on a read-only file system apart from /tmp and the volumes. */
async function checkStart(image) {
  mount('--rbind', image.root, image.root);
  mount('-o', 'remount,bind,ro', image.root);
  for (const [n, volume] of image.volumes.entries()) {
    execFileSync('cp', ['-a', join(image.root, volume), join(work, `volume-${n}`)]);
    mount('--bind', join(work, `volume-${n}`), join(image.root, volume));
  }
  const env = { ...image.env, PORT: String(await freePort()) };
  let log = '';
  const service = spawn('chroot', inside(image, image.command), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => service.on('exit', (code, signal) => done(code ?? signal)));
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (log += text));
  try {
    const started = performance.now();
    while (!isHealthy(image, env)) {
      assert(performance.now() - started < MAX_START_MS && service.exitCode === null, 'The health check does not pass');
      await wait(1000);
    }
    console.log(`Healthy after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await sendMessage(image, env);
    service.kill('SIGTERM');
    const code = await ended;
    assert(code === 0, `The service ended with ${code} after SIGTERM`);
    console.log('Stopped with 0 after SIGTERM');
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    service.kill('SIGKILL');
  }
}

function isHealthy(image, env) {
  try {
    execFileSync('chroot', inside(image, image.healthCheck), { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** With the key that the first start writes, to the built-in sandbox. */
async function sendMessage({ root }, { PORT, DATA_DIR }) {
  const key = fs.readFileSync(join(root, DATA_DIR, 'first-api-key'), 'utf8').trim();
  const response = await fetch(`http://127.0.0.1:${PORT}/api/v1/messaging/send-template`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      to: '4915112345678',
      templateName: 'order_update',
      templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }],
    }),
  });
  const answer = await response.text();
  assert(response.status === 201, `The message was not sent: ${response.status} ${answer}`);
  console.log(`Sent a message: ${answer}`);
}

async function freePort() {
  const server = require('node:net').createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function main() {
  const context = join(work, 'context');
  copyContext(context);
  const image = build(context);
  checkLabels(image);
  checkSize(image);
  checkBill(image);
  await checkStart(image);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
