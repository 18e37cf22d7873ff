/** Files of packages that load them and never use them here; what these packages need as soon as they are loaded stays. */
const NOT_USED = [
  // Databases other than PostgreSQL.
  /typeorm[\\/]driver[\\/](?!postgres|types|aurora-postgres)[^\\/]+[\\/](?!MssqlParameter)/,
  // fetch, WebSocket and mocks: requests here go through its dispatchers.
  /undici[\\/]lib[\\/](web[\\/](?!cache|webidl)|mock)[\\/]/,
  // Messages in other languages.
  /zod[\\/]v4[\\/]locales[\\/](?!en\.|index\.)/,
  // Character sets of bodies: JSON is UTF-8.
  /iconv-lite[\\/]encodings[\\/]tables[\\/]/,
  // Bull's repeated jobs, and exemplars of metrics.
  /node_modules[\\/](cron-parser|@opentelemetry[\\/]api)[\\/]/,
];

/** Packages that have files beside their code, or that a start does not need. */
const LEFT_OUT = new Set([
  '@electric-sql/pglite',
  '@electric-sql/pglite-socket',
  '@e965/xlsx',
  'exceljs',
  'swagger-ui-dist',
]);

/** How esbuild puts packages into one CommonJS file, for dist (bundle.cjs) and for the tests (jest/vendor.cjs). */
module.exports = {
  LEFT_OUT,
  OPTIONS: {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Nest and TypeORM know classes by their names.
    keepNames: true,
    // A process keeps the text of its bundles in memory, and a list of where its lines end. Lines stay short enough to be found and shown.
    minifyWhitespace: true,
    lineLimit: 200,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href; const __same = (target) => target;",
    },
    logLevel: 'error',
  },

  /** Puts nothing in the place of what a package loads and never uses here. */
  WITHOUT_UNUSED: {
    name: 'without-unused',
    setup({ onLoad }) {
      // esbuild knows no lookahead.
      onLoad({ filter: /[\\/]node_modules[\\/].*\.(c?js|json)$/ }, ({ path }) =>
        NOT_USED.some((part) => part.test(path)) ? { contents: '', loader: 'js' } : undefined,
      );
    },
  },

  /** Leaves out the packages for which `isLeftOut(owner)` is true, and those that are not installed: they must fail only when they are used. */
  leavingOut: (isLeftOut) => ({
    name: 'packages-left-out',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'resolving') return undefined;
        if (isLeftOut(ownerOf(path))) return { path, external: true };
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' });
        return found.errors.length > 0 ? { path, external: true } : found;
      });
    },
  }),
};

/** The package of what is imported: `@nestjs/common` of `@nestjs/common/constants`. */
function ownerOf(path) {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}
