/**
 * `node config/build.cjs` compiles src, libs and config into dist; types are checked by `npm run lint`.
 * With `--if-changed` it does so only if dist is missing or was built from other sources.
 */
const { createHash } = require('node:crypto');
const {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join } = require('node:path');
const { setTimeout: wait } = require('node:timers/promises');
const { buildConsole, consoleFingerprint } = require('./build-console.cjs');
const { bundle, BUILD_SCRIPTS } = require('./bundle.cjs');

const ROOT = join(__dirname, '..');
const DIST = join(ROOT, 'dist');
const SOURCES_HASH = 'sources.sha256';
const LOCK = join(ROOT, 'dist.lock');
const MAX_BUILD_MS = 180_000;
const { sourceRoot, compilerOptions } = require('../nest-cli.json');
/** Files copied to dist unchanged. */
const COPIED = compilerOptions.assets.map(({ include }) => join(sourceRoot, include));

async function build({ ifChanged }) {
  if (ifChanged && isBuiltFrom(sources())) return;
  await lock();
  const unfinished = `${DIST}.${process.pid}`;
  const replaced = `${unfinished}.replaced`;
  try {
    const files = sources();
    // Another process may have built it while this one waited for the lock.
    if (ifChanged && isBuiltFrom(files)) return;
    const started = performance.now();
    for (const file of COPIED) copy(file, unfinished);
    const compiled = files.filter((file) => file.endsWith('.ts'));
    await Promise.all([bundle(compiled, unfinished), buildConsole(join(unfinished, 'console'))]);
    writeFileSync(join(unfinished, SOURCES_HASH), fingerprint(files));
    if (existsSync(DIST)) renameSync(DIST, replaced);
    renameSync(unfinished, DIST);
    // Standard output belongs to the built program.
    process.stderr.write(`Built dist in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  } finally {
    for (const folder of [unfinished, replaced]) rmSync(folder, { recursive: true, force: true });
    rmSync(LOCK, { force: true });
  }
}

/** The sources of dist, as paths from the root. */
function sources() {
  const compiled = ['src', 'libs', 'config'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.d|\.spec)\.ts$/.test(file) && !/(^|[\\/])fixtures[\\/]|^console[\\/]/.test(file))
      .map((file) => join(folder, file)),
  );
  return [...compiled, ...COPIED].sort();
}

function copy(file, folder) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  copyFileSync(join(ROOT, file), join(folder, file));
}

function isBuiltFrom(files) {
  try {
    return readFileSync(join(DIST, SOURCES_HASH), 'utf8') === fingerprint(files);
  } catch {
    return false;
  }
}

function fingerprint(files) {
  // The code cache depends on the Node.js version.
  const hash = createHash('sha256').update(process.version).update(consoleFingerprint());
  for (const file of [...BUILD_SCRIPTS, __filename, join(ROOT, 'package-lock.json')]) hash.update(readFileSync(file));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Allows one build at a time; ignores the lock of a dead process. */
async function lock() {
  for (;;) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isHeld()) await wait(50);
    else rmSync(LOCK, { force: true });
  }
}

function isHeld() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > MAX_BUILD_MS) return false;
    const pid = Number(readFileSync(LOCK, 'utf8'));
    // 0: its process has created the file but not yet written the pid.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

build({ ifChanged: process.argv.includes('--if-changed') }).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
