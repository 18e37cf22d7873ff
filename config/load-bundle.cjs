/** Loads the bundles that lie beside it; goes to dist as it is. */
const { readFileSync } = require('node:fs');
const { createRequire, SourceMap } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { Script } = require('node:vm');

const FOLDER = join(__dirname, 'bundles');
const loaded = new Map();

module.exports = { load, loaded };

/** What a bundle exports: for each of its parts a function that loads it. */
function load(name) {
  if (!loaded.has(name)) loaded.set(name, evaluate(join(FOLDER, `${name}.js`)));
  return loaded.get(name).exports;
}

function evaluate(filename) {
  // Bundles are ASCII, and read as such they take half of the memory and time.
  const code = readFileSync(filename, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename,
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
  if (dirname(filename) !== FOLDER) return place;
  const { originalSource, originalLine, originalColumn } = mapOf(filename)?.findEntry(line - 1, column - 1) ?? {};
  return originalSource === undefined
    ? place
    : `${resolve(FOLDER, originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
