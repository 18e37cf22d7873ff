/**
 * Who may import whom: the table of docs/architecture.md as rules. `npm run deps` applies them to src, libs and config.
 * In `to`, $1 is what the first bracket of `from.path` matched: the name of the own module or lib.
 */
const SPECS_AND_FIXTURES = '\\.spec\\.ts$|/fixtures/';
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];
const GENERATED = '^libs/client/generated/';
const STARTS =
  '^src/(main|migrate|after-restore|rotate-encryption-key|demo|openapi)\\.ts$|^libs/(platform-sandbox/main|cli/main|client/public-api|console/theme)\\.ts$|^libs/console/main\\.tsx$';

/** The tree of modules: each with those whose services and models it may use. */
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
    'The kernel is what everything else is written in: it imports itself only, node:crypto for ids and node:async_hooks for loops.',
    { path: '^src/kernel/' },
    { pathNot: '^src/kernel/|^(node:)?(crypto|async_hooks)$' },
  ),
];

const domain = [
  rule(
    'domain-knows-no-technology',
    'The domain does not know how it is reached or stored: it declares ports, adapters and module files fill them.',
    { path: '^src/modules/[^/]+/domain/' },
    { path: '^(src/infra|config|libs|test)/|^src/[^/]+$|/adapters/|\\.module\\.ts$' },
  ),
  rule(
    'domain-uses-no-packages',
    'The domain runs without any package but Injectable from @nestjs/common.',
    { path: '^src/modules/[^/]+/domain/' },
    { dependencyTypes: NPM, pathNot: '(^|/)node_modules/@nestjs/common/|^@nestjs/common$' },
  ),
  rule(
    'domain-uses-no-system',
    'Time, files and network come through ports, or a test could not own them; hashes and ids are pure.',
    { path: '^src/modules/[^/]+/domain/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
  ),
  rule(
    'domain-keeps-its-ports',
    'A port is declared for the one module that calls it: other domains call services, not ports.',
    { path: '^src/modules/([^/]+)/domain/' },
    { path: '^src/modules/[^/]+/.+\\.port\\.ts$', pathNot: '^src/modules/$1/' },
  ),
];

const adapters = [
  rule(
    'adapters-stay-in-their-module',
    "Adapters use other modules' services, models and DTOs (one shape of an answer for all routes), not their adapters or ports.",
    { path: '^src/modules/([^/]+)/adapters/' },
    { path: '^src/modules/[^/]+/(adapters/|.+\\.port\\.ts$)', pathNot: '^src/modules/$1/|\\.dto\\.ts$' },
  ),
  rule(
    'only-its-adapters-know-the-cloud-api',
    'Another provider is another set of adapters: files that know this one are named cloud-api-*.',
    { path: '^src/modules/', pathNot: `/adapters/cloud-api-[^/]+$|\\.module\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^src/infra/cloud-api/' },
  ),
  rule(
    'adapters-are-handed-their-settings',
    'Adapters get values from their module file; they know neither module files nor the application.',
    { path: '^src/modules/[^/]+/adapters/' },
    { path: '^(config|test)/|^src/[^/]+$|\\.module\\.ts$' },
  ),
];

const moduleFiles = [
  rule(
    'module-files-wire-their-own-module',
    "A module file chooses among its own files and imports other module files, never another module's insides.",
    { path: '^src/modules/([^/]+)/[^/]+\\.module\\.ts$' },
    { path: '^src/modules/', pathNot: '^src/modules/$1/|\\.module\\.ts$' },
  ),
  rule(
    'module-files-know-no-libraries',
    'A library of this repository is used by an adapter, and the application is above the modules.',
    { path: '^src/modules/[^/]+/[^/]+\\.module\\.ts$' },
    { path: '^(libs|test)/|^src/[^/]+$' },
  ),
  ...Object.entries(MODULES).map(([module, used]) =>
    rule(
      `module-tree-${module}`,
      'Modules form a tree, so that each can be understood with those below it and none needs forwardRef.',
      { path: `^src/modules/${module}/` },
      { path: '^src/modules/', pathNot: `^src/modules/(${[module, ...used].join('|')})/` },
    ),
  ),
];

const around = [
  rule(
    'infra-knows-no-business',
    'Plumbing works for any business and gets its values handed in; phone numbers are read by one library everywhere.',
    { path: '^src/infra/' },
    { path: '^(src/modules|config|libs|test)/|^src/[^/]+$', pathNot: '^libs/phone-numbers/' },
  ),
  rule(
    'start-files-start-modules',
    'The composition root and the programs know modules, infra and settings; only main.ts starts the sandbox.',
    { path: '^src/[^/]+\\.ts$' },
    { path: '^(libs|test)/', pathNot: '^libs/platform-sandbox/' },
  ),
  rule(
    'only-main-starts-the-sandbox',
    'The sandbox is a server that the service meets over HTTP; nothing else may know that it is ours.',
    { path: '^(src|config)/', pathNot: `^src/main\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^libs/platform-sandbox/' },
  ),
  rule(
    'settings-are-read-at-the-top',
    'Only module files and the programs know the settings; everybody else is handed values.',
    { path: '^(src|libs)/', pathNot: `^src/[^/]+\\.ts$|\\.module\\.ts$|${SPECS_AND_FIXTURES}` },
    { path: '^config/' },
  ),
  rule(
    'settings-know-nobody',
    'The settings are read before anything else exists.',
    { path: '^config/' },
    { path: '^(src|libs|test)/' },
  ),
  rule(
    'libs-stand-alone',
    'A library could move to a repository of its own: it imports itself and packages, of which phone-numbers would be one.',
    { path: '^libs/([^/]+)/', pathNot: `^libs/(cli|console)/|${SPECS_AND_FIXTURES}` },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/($1|phone-numbers)/' },
  ),
  rule(
    'command-line-is-a-client',
    'The command line knows of the service what every client knows: the client library.',
    { path: '^libs/cli/' },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/(cli|client)/' },
  ),
  rule(
    'console-is-a-client',
    'The console in the browser knows of the service what every client knows: the client library.',
    { path: '^libs/console/' },
    { path: '^(src|config|test|libs)/', pathNot: '^libs/(console|client)/' },
  ),
  rule(
    'console-runs-in-browsers',
    'There is no system below a page.',
    { path: '^libs/console/' },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'nobody-imports-the-console',
    'The service serves its files and knows nothing of what is in them.',
    { path: '^(src|libs|config)/', pathNot: `^libs/console/|${SPECS_AND_FIXTURES}` },
    { path: '^libs/console/' },
  ),
  rule(
    'client-runs-anywhere',
    'The client is installed without packages, and runs in browsers, too.',
    { path: '^libs/client/' },
    { dependencyTypes: [...NPM, 'core'] },
  ),
];

const everywhere = [
  rule(
    'no-cycles',
    'What depends on itself cannot be understood or tested in parts.',
    { pathNot: `${GENERATED}|${SPECS_AND_FIXTURES}` },
    { circular: true },
  ),
  rule(
    'no-barrels',
    'Import the file that has the name: barrels hide dependencies and make cycles.',
    { pathNot: `${GENERATED}|${SPECS_AND_FIXTURES}` },
    { path: '/index\\.ts$', pathNot: 'node_modules' },
  ),
  rule(
    'programs-without-tests',
    'What runs does not need what tests it.',
    { path: '^(src|libs|config)/' },
    { path: `^test/|${SPECS_AND_FIXTURES}`, pathNot: 'node_modules' },
  ),
  rule('resolvable', 'An import that leads nowhere fails only when it runs.', {}, { couldNotResolve: true }),
  {
    name: 'no-dead-files',
    comment: 'A file that no program reaches is not used by anybody.',
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
    // Imports of types count: the table is about knowledge, not about what runs.
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
