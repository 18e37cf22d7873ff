/**
 * All tests, as one table of projects. The scripts of package.json select groups of them, with more workers than processors, since most
 * suites wait for processes.
 */
require('./jest/temporary-files.cjs');
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const vendor = require('./jest/vendor.cjs');
const swcOptions = require('./swc-options.cjs');

const ROOT = join(__dirname, '..');
const MINUTE = 60_000;
/** .ci/run tests the embedded store first; what its other runs test on PostgreSQL and Redis need not be repeated, except at night. */
const ALSO_ON_POSTGRES = process.env.CI && !process.env.NIGHTLY && !process.env.DATABASE_URL;
const IN_PROCESSES = {
  globalSetup: '<rootDir>/test/support/process/prepare.ts',
  globalTeardown: '<rootDir>/test/support/process/teardown.ts',
};
const ENDURANCE = { ...IN_PROCESSES, testMatch: ['test/e2e/endurance/*.e2e-spec.ts'], timeout: 15 * MINUTE };
/** Programs, memory, files and concurrent requests of the embedded store, and sending with its queue. */
const ON_EMBEDDED_STORE =
  'built-programs|concurrent-administration|documentation|earlier-database|groups-contacts|idempotency|inbound|lean-memory|list-send|media|monitoring|new-key|runbook|send-template|webhook-events';
const WITHOUT_STORE = 'client-package|command-line|generated-clients|guides|quick-start|restored-directory';
/** What happens to the files of the embedded database and queue. */
const EMBEDDED_STORE =
  'bulk-import|bulk-jobs|encryption-key|first-start|restart-[a-z]+|rolling-update|unknown-outcomes';

/** The tests of each project, and the time limit of a test on a busy machine in milliseconds. */
const PROJECTS = {
  unit: {
    testMatch: ['{src,libs,config}/**/*.spec.ts', 'test/architecture/**/*.spec.ts'],
    timeout: MINUTE,
  },
  contract: { testMatch: ['test/contract/**/*.spec.ts'], timeout: MINUTE },
  database: { testMatch: ['test/database/**/*.spec.ts'], timeout: MINUTE },
  http: { testMatch: ['test/http/**/*.spec.ts'], timeout: MINUTE },
  // PostgreSQL serves requests concurrently, the embedded database one at a time: only suites with concurrent requests differ.
  'http-stored': { testMatch: suitesWithConcurrentRequests(), timeout: MINUTE },
  // The API of the other suites runs on the embedded store in `http`; CI runs them on PostgreSQL and Redis.
  e2e: {
    ...IN_PROCESSES,
    testMatch: ['test/e2e/*.e2e-spec.ts'],
    timeout: MINUTE,
    ...(ALSO_ON_POSTGRES && { testPathIgnorePatterns: [`/(?!(${ON_EMBEDDED_STORE})\\.)[a-z-]+\\.e2e-spec\\.ts$`] }),
  },
  // The other suites, most of them on the pace of sending, are in `endurance-stored`, which CI runs as well.
  endurance: {
    ...ENDURANCE,
    ...(ALSO_ON_POSTGRES && {
      testPathIgnorePatterns: [`/(?!${WITHOUT_STORE}|${EMBEDDED_STORE})[a-z-]+\\.e2e-spec\\.ts$`],
    }),
  },
  'endurance-stored': { ...ENDURANCE, testPathIgnorePatterns: [`/(${WITHOUT_STORE})\\.e2e-spec\\.ts$`] },
  simulation: { testMatch: ['test/simulation/**/*.simulation-spec.ts'], timeout: 15 * MINUTE },
  'real-stores': { testMatch: ['test/simulation/real-stores.simulation-spec.ts'], timeout: 15 * MINUTE },
  console: {
    testMatch: ['test/console/*.console-spec.ts'],
    globalSetup: '<rootDir>/test/support/console/prepare.ts',
    globalTeardown: '<rootDir>/test/support/console/teardown.ts',
    timeout: 1.5 * MINUTE,
  },
  incidents: { ...IN_PROCESSES, testMatch: ['test/incidents/*.incident-spec.ts'], timeout: 2 * MINUTE },
  kill: { testMatch: ['test/kill/**/*.kill-spec.ts'], timeout: 5 * MINUTE },
  soak: { testMatch: ['test/soak/**/*.soak-spec.ts'], timeout: MINUTE },
};

function suitesWithConcurrentRequests() {
  const folder = join(__dirname, '../test/http');
  return readdirSync(folder)
    .filter((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return text.includes('describeOnDatabase(') && /Promise\.all\(|isShared/.test(text);
    })
    .map((file) => `test/http/${file}`);
}

/** SWC with decorator metadata; of the packages, only ES modules are compiled. */
const SHARED = {
  rootDir: ROOT,
  testEnvironment: '<rootDir>/config/jest/environment.cjs',
  runner: '<rootDir>/config/jest/runner.cjs',
  globalSetup: '<rootDir>/test/support/prepare.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/config/jest/every-suite.cjs'],
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', swcOptions] },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|uuid|intl-messageformat|@formatjs)/)',
  ],
  moduleNameMapper: vendor.moduleNameMapper(),
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};

module.exports = {
  rootDir: ROOT,
  projects: Object.entries(PROJECTS).map(([displayName, { timeout, testMatch, ...more }]) => ({
    ...SHARED,
    ...more,
    displayName,
    testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
    globals: { testTimeoutMs: timeout },
  })),
  testSequencer: '<rootDir>/config/jest/sequencer.cjs',
  reporters: ['default', '<rootDir>/config/jest/report.cjs'],
};
