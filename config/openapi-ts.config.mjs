/**
 * Configures how `npm run client` generates libs/client/generated from docs/openapi.json: types, one function per endpoint, and a
 * fetch client. CLIENT_FOLDER sets another folder.
 */
export default {
  input: './docs/openapi.json',
  output: {
    path: process.env.CLIENT_FOLDER ?? './libs/client/generated',
    // Files are imported by name, as everywhere.
    entryFile: false,
    // The package is built for CommonJS and ES modules: the sources have no extensions in imports.
    module: { extension: null },
  },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
