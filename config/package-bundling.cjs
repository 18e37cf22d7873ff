/** Package files that are loaded but never used here; files needed on loading stay. */
const UNUSED = [
  // Databases other than PostgreSQL.
  /typeorm[\\/]driver[\\/](?!postgres|types|aurora-postgres)[^\\/]+[\\/](?!MssqlParameter)/,
  // fetch, WebSocket and mocks: this service uses dispatchers.
  /undici[\\/]lib[\\/](web[\\/](?!cache|webidl)|mock)[\\/]/,
  // Messages in other languages.
  /zod[\\/]v4[\\/]locales[\\/](?!en\.|index\.)/,
  // Character sets of bodies: JSON is UTF-8.
  /iconv-lite[\\/]encodings[\\/]tables[\\/]/,
  // Repeatable Bull jobs.
  /node_modules[\\/]cron-parser[\\/]/,
];

/** Packages with files beside their code, and packages not needed at startup. */
const EXTERNAL = new Set([
  '@aws-sdk/client-s3',
  '@electric-sql/pglite',
  '@electric-sql/pglite-socket',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@e965/xlsx',
  'exceljs',
  'swagger-ui-dist',
]);

/** How esbuild bundles packages into one CommonJS file, for dist (bundle.cjs) and tests (jest/vendor.cjs). */
module.exports = {
  EXTERNAL,
  OPTIONS: {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Nest and TypeORM identify classes by name.
    keepNames: true,
    // A process keeps the text of its bundles and their line ends in memory. Lines stay short enough for stack traces.
    minifyWhitespace: true,
    lineLimit: 200,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href; const __same = (target) => target;",
    },
    logLevel: 'error',
  },

  /** Replaces unused package files with nothing. */
  WITHOUT_UNUSED: {
    name: 'without-unused',
    setup({ onLoad, onResolve }) {
      // Metric exemplars: only the tracing of this service uses the package, and only when it is on.
      onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, importer }) =>
        /[\\/]prom-client[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
      );
      onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: '' }));
      // esbuild's filters support no lookahead.
      onLoad({ filter: /[\\/]node_modules[\\/].*\.(c?js|json)$/ }, ({ path }) =>
        UNUSED.some((part) => part.test(path)) ? { contents: '', loader: 'js' } : undefined,
      );
    },
  },

  /** Excludes packages for which `isExternal(owner)` is true, and those not installed, which must fail only when used. */
  markExternal: (isExternal) => ({
    name: 'mark-external',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'resolving') return undefined;
        if (isExternal(ownerOf(path))) return { path, external: true };
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' });
        return found.errors.length > 0 ? { path, external: true } : found;
      });
    },
  }),
};

/** The package of an import path: `@nestjs/common` of `@nestjs/common/constants`. */
function ownerOf(path) {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}
