/**
 * Import rules, as in the table of docs/architecture.md. `npm run deps` applies them to src, libs and config. In `to`, $1 is the
 * first group matched by `from.path`: the name of the module or lib.
 */
const SPECS_AND_FIXTURES = '\\.spec\\.ts$|/fixtures/';
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];
const GENERATED = '^libs/client/generated/';
const STARTS =
  '^src/main\\.ts$|^src/programs/(migrate|after-restore|rotate-encryption-key|new-key|demo|openapi)\\.ts$|^libs/(platform-sandbox/main|cli/main|client/public-api|console/theme)\\.ts$|^libs/console/(main|app/(shared|further)-parts)\\.ts$';

/** The module tree: each module with those whose services and models it may use. */
const MODULES = {
  accounts: [],
  events: ['accounts'],
  media: ['accounts'],
  templates: ['accounts', 'events'],
  'recipient-files': [],
  groups: ['accounts', 'events', 'recipient-files'],
  messages: ['accounts', 'events', 'media', 'templates', 'groups'],
  'chat-history': ['accounts', 'media', 'templates', 'groups', 'messages'],
  sending: ['accounts', 'templates', 'groups', 'messages', 'chat-history'],
  'bulk-jobs': ['accounts', 'recipient-files', 'templates', 'groups', 'messages', 'sending'],
  delivery: ['accounts', 'templates', 'groups', 'messages', 'sending', 'bulk-jobs'],
  'platform-webhook': [
    'accounts',
    'events',
    'media',
    'templates',
    'groups',
    'messages',
    'chat-history',
    'sending',
    'bulk-jobs',
    'delivery',
  ],
  live: ['accounts', 'chat-history', 'bulk-jobs', 'delivery'],
};

const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: SPECS_AND_FIXTURES, ...from },
  to,
});

const kernel = [
  rule(
    'kernel-imports-nothing',
    'Everything else builds on the kernel: it imports only itself, node:crypto for ids and node:async_hooks for loops.',
    { path: '^src/kernel/' },
    { pathNot: '^src/kernel/|^(node:)?(crypto|async_hooks)$' },
  ),
];

const domain = [
  rule(
    'domain-without-technology',
    'The domain is independent of transport and storage: it declares ports, which adapters implement and module files wire.',
    { path: '^src/modules/[^/]+/domain/' },
    { path: '^(src/infra|config|libs|test)/|^src/((programs|schema)/)?[^/]+$|/adapters/|\\.module\\.ts$' },
  ),
  rule(
    'domain-uses-no-packages',
    'The domain uses no package except Injectable from @nestjs/common.',
    { path: '^src/modules/[^/]+/domain/' },
    { dependencyTypes: NPM, pathNot: '(^|/)node_modules/@nestjs/common/|^@nestjs/common$' },
  ),
  rule(
    'domain-uses-no-system',
    'Time, files and network come through ports, so that tests can control them; hashes and ids are pure.',
    { path: '^src/modules/[^/]+/domain/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
  ),
  rule(
    'domain-keeps-its-ports',
    'A port belongs to the one module that calls it: other domains call services, not ports.',
    { path: '^src/modules/([^/]+)/domain/' },
    { path: '^src/modules/[^/]+/.+\\.port\\.ts$', pathNot: '^src/modules/$1/' },
  ),
];

const adapters = [
  rule(
    'adapters-stay-in-their-module',
    "Adapters use other modules' services, models and DTOs (for consistent responses), not their adapters or ports.",
    { path: '^src/modules/([^/]+)/adapters/' },
    { path: '^src/modules/[^/]+/(adapters/|.+\\.port\\.ts$)', pathNot: '^src/modules/$1/|\\.dto\\.ts$' },
  ),
  rule(
    'only-cloud-api-adapters-use-the-cloud-api',
    'Another provider would be another set of adapters: files that use this one are named cloud-api-*.',
    { path: '^src/modules/', pathNot: `/adapters/cloud-api-[^/]+$|\\.module\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^src/infra/cloud-api/' },
  ),
  rule(
    'adapters-receive-their-settings',
    'Adapters get values from their module file; they import neither module files nor the application.',
    { path: '^src/modules/[^/]+/adapters/' },
    { path: '^(config|test)/|^src/((programs|schema)/)?[^/]+$|\\.module\\.ts$' },
  ),
];

const moduleFiles = [
  rule(
    'module-files-wire-their-own-module',
    "A module file wires its own files and imports other module files, never another module's internals.",
    { path: '^src/modules/([^/]+)/[^/]+\\.module\\.ts$' },
    { path: '^src/modules/', pathNot: '^src/modules/$1/|\\.module\\.ts$' },
  ),
  rule(
    'module-files-import-no-libraries',
    'Adapters use the libraries of this repository, and the application is above the modules.',
    { path: '^src/modules/[^/]+/[^/]+\\.module\\.ts$' },
    { path: '^(libs|test)/|^src/((programs|schema)/)?[^/]+$' },
  ),
  ...Object.entries(MODULES).map(([module, used]) =>
    rule(
      `module-tree-${module}`,
      'Modules form a tree, so that each can be understood together with those below it and none needs forwardRef.',
      { path: `^src/modules/${module}/` },
      { path: '^src/modules/', pathNot: `^src/modules/(${[module, ...used].join('|')})/` },
    ),
  ),
];

const around = [
  rule(
    'infra-without-business',
    'Infrastructure is independent of the business and receives its values; one library parses phone numbers everywhere.',
    { path: '^src/infra/' },
    { path: '^(src/modules|config|libs|test)/|^src/((programs|schema)/)?[^/]+$', pathNot: '^libs/phone-numbers/' },
  ),
  rule(
    'only-tracing-uses-open-telemetry',
    'Spans begin with startSpan of the kernel; the SDK is loaded only while they are recorded.',
    { path: '^(src|libs|config)/', pathNot: `^src/infra/tracing/|${SPECS_AND_FIXTURES}` },
    { path: '(^|/)node_modules/@opentelemetry/|^@opentelemetry/' },
  ),
  rule(
    'start-files-start-modules',
    'The composition root and the programs import modules, infra and settings; only main.ts starts the sandbox.',
    { path: '^src/((programs|schema)/)?[^/]+\\.ts$' },
    { path: '^(libs|test)/', pathNot: '^libs/platform-sandbox/' },
  ),
  rule(
    'only-main-starts-the-sandbox',
    'The sandbox is a server that the service calls over HTTP; nothing else may depend on it.',
    { path: '^(src|config)/', pathNot: `^src/main\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^libs/platform-sandbox/' },
  ),
  rule(
    'settings-are-read-at-the-top',
    'Only module files and the programs import the settings; everything else receives values.',
    { path: '^(src|libs)/', pathNot: `^src/((programs|schema)/)?[^/]+\\.ts$|\\.module\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^config/' },
  ),
  rule(
    'settings-import-nothing',
    'The settings are read before anything else exists.',
    { path: '^config/' },
    { path: '^(src|libs|test)/' },
  ),
  rule(
    'libs-stand-alone',
    'A library could move to its own repository: it imports itself and packages, of which phone-numbers would be one.',
    { path: '^libs/([^/]+)/', pathNot: `^libs/(cli|console)/|${SPECS_AND_FIXTURES}` },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/($1|phone-numbers)/' },
  ),
  rule(
    'command-line-is-a-client',
    'The command line uses the service like any client: through the client library.',
    { path: '^libs/cli/' },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/(cli|client)/' },
  ),
  rule(
    'console-is-a-client',
    'The console uses the service like any client: through the client library.',
    { path: '^libs/console/' },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/(console|client)/' },
  ),
  rule(
    'console-runs-in-browsers',
    'Browsers have no Node.js modules.',
    { path: '^libs/console/' },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'console-is-not-imported',
    'The service only serves its files.',
    { path: '^(src|libs|config)/', pathNot: `^libs/console/|${SPECS_AND_FIXTURES}` },
    { path: '^libs/console/' },
  ),
  rule(
    'client-runs-anywhere',
    'The client has no dependencies and also runs in browsers.',
    { path: '^libs/client/' },
    { dependencyTypes: [...NPM, 'core'] },
  ),
];

const everywhere = [
  rule(
    'no-cycles',
    'Code in a cycle cannot be understood or tested in parts.',
    { pathNot: `${GENERATED}|${SPECS_AND_FIXTURES}` },
    { circular: true },
  ),
  rule(
    'no-barrels',
    'Import the file that declares the name: barrels hide dependencies and create cycles.',
    { pathNot: `${GENERATED}|${SPECS_AND_FIXTURES}` },
    { path: '/index\\.ts$', pathNot: 'node_modules' },
  ),
  rule(
    'programs-without-tests',
    'Production code does not import tests.',
    { path: '^(src|libs|config)/' },
    { path: `^test/|${SPECS_AND_FIXTURES}`, pathNot: 'node_modules' },
  ),
  rule('resolvable', 'An unresolvable import fails only at run time.', {}, { couldNotResolve: true }),
  {
    name: 'no-dead-files',
    comment: 'A file that no program reaches is unused.',
    severity: 'error',
    from: { path: STARTS },
    to: {
      path: '^(src|libs)/.+\\.tsx?$',
      pathNot: `${STARTS}|${GENERATED}|\\.d\\.ts$|${SPECS_AND_FIXTURES}`,
      reachable: false,
    },
  },
];

module.exports = {
  forbidden: [...kernel, ...domain, ...adapters, ...moduleFiles, ...around, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    // Type imports count: the rules are about dependencies, not execution.
    tsPreCompilationDeps: true,
    // Worker threads are started by path.
    exoticRequireStrings: ['require.resolve'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default'],
      mainFields: ['main', 'module', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
