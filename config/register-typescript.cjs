/**
 * Lets plain Node run this repository's TypeScript: `node -r ./config/register-typescript.cjs some/script.ts`.
 * Worker threads that tests start are real threads outside Jest's module system: they get their TypeScript through this.
 */
const swcOptions = require('./swc-options.cjs');

require.extensions['.ts'] = (module, filename) => {
  // Loaded on first use: the Jest processes preload this file too and never need it.
  const { transformFileSync } = require('@swc/core');
  module._compile(transformFileSync(filename, { ...swcOptions, swcrc: false }).code, filename);
};
