/** Loads the bundles beside it; copied to dist unchanged. */
const { readFileSync } = require('node:fs');
const { createRequire, SourceMap } = require('node:module');
const { join, resolve } = require('node:path');
const { Script } = require('node:vm');

const FOLDER = join(__dirname, 'bundles');
/** The code cache keeps the file name of the compilation, which must not contain a folder, since dist moves. */
const NAMES = 'bundle:';
const loaded = new Map();

module.exports = { run, load, loaded };

/** Runs a program of a bundle. */
function run(name, part) {
  return load(name)[part]();
}

/** The exports of a bundle: for each part a function that loads it. */
function load(name) {
  if (!loaded.has(name)) loaded.set(name, evaluate(`${name}.js`));
  return loaded.get(name).exports;
}

function evaluate(file) {
  const filename = join(FOLDER, file);
  // Bundles are ASCII, and reading them as Latin-1 takes half the memory and time.
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

/** The source map of a bundle, if any: read only for a stack trace. */
function mapOf(filename) {
  if (!maps.has(filename)) {
    const text = contentOf(`${filename}.map`);
    maps.set(filename, text && new SourceMap(JSON.parse(text.toString())));
  }
  return maps.get(filename);
}

/** Maps stack traces to the sources. */
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
