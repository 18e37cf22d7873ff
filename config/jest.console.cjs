/** The console in a real Chromium, over the built service; screenshots go to dist.screenshots. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'console',
  testMatch: ['<rootDir>/test/console/*.console-spec.ts'],
  globalSetup: '<rootDir>/test/support/console/prepare.ts',
  globalTeardown: '<rootDir>/test/support/console/clear-away.ts',
  testTimeout: 60_000,
};
