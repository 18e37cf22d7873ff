/** Loads the bundles that lie beside it; goes to dist as it is. */
const { readFileSync } = require('node:fs');
const { createRequire, SourceMap } = require('node:module');
const { join, resolve } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const FOLDER = join(__dirname, 'bundles');
/** What V8 compiled keeps the name that it was compiled under, so it must not name a folder: dist moves. */
const NAMES = 'bundle:';
const loaded = new Map();

module.exports = { run, load, loaded, whileLoading };

/** Runs a program, which is a part of a bundle. */
function run(name, part) {
  return whileLoading(() => load(name)[part]());
}

/**
 * What modules make stays. V8 takes that for a reason to make the young generation as large as it can be, 30 MB that a process
 * keeps; so it does not grow meanwhile. V8 takes stored code only under the options that it was stored under, this one among them.
 */
function whileLoading(work) {
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return work();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2');
  }
}

/** What a bundle exports: for each of its parts a function that loads it. */
function load(name) {
  if (!loaded.has(name)) loaded.set(name, evaluate(`${name}.js`));
  return loaded.get(name).exports;
}

function evaluate(file) {
  const filename = join(FOLDER, file);
  // Bundles are ASCII, and read as such they take half of the memory and time.
  const code = readFileSync(filename, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: NAMES + file,
    cachedData: contentOf(`${filename}.cache`),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, FOLDER);
  return { exports: module.exports, script };
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const maps = new Map();

/** The map of a bundle, where it has one: read only when an error shows its stack. */
function mapOf(filename) {
  if (!maps.has(filename)) {
    const text = contentOf(`${filename}.map`);
    maps.set(filename, text && new SourceMap(JSON.parse(text.toString())));
  }
  return maps.get(filename);
}

/** Stacks name the sources. */
Error.prepareStackTrace = (error, calls) => {
  const lines = calls.map((call) => `\n    at ${String(call).replace(PLACE, sourceOf)}`);
  return `${headOf(error)}${lines.join('')}`;
};
const PLACE = /([^\s(]+\.js):(\d+):(\d+)(?=\)?$)/;

function sourceOf(place, filename, line, column) {
  if (!filename.startsWith(NAMES)) return place;
  const file = join(FOLDER, filename.slice(NAMES.length));
  const { originalSource, originalLine, originalColumn } = mapOf(file)?.findEntry(line - 1, column - 1) ?? {};
  return originalSource === undefined
    ? `${file}:${line}:${column}`
    : `${resolve(FOLDER, originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
