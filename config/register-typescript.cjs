/** Lets plain Node run this repository's TypeScript: `node -r ./config/register-typescript.cjs some/script.ts`. */
const swcOptions = require('./swc-options.cjs');

require.extensions['.ts'] = (module, filename) => {
  // Loaded on first use: the Jest processes preload this file too and never need it.
  const { transformFileSync } = require('@swc/core');
  module._compile(transformFileSync(filename, { ...swcOptions, swcrc: false }).code, filename);
};
