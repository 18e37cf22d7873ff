/**
 * How `npm run client` writes libs/client/generated from docs/openapi.json: types, one function for each endpoint, and a
 * client over fetch. CLIENT_FOLDER names another folder.
 */
export default {
  input: './docs/openapi.json',
  output: {
    path: process.env.CLIENT_FOLDER ?? './libs/client/generated',
    // Its files are imported by name, as everywhere.
    entryFile: false,
    // The package is built for CommonJS and for modules: the sources name no extensions.
    module: { extension: null },
  },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
