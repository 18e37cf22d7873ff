/** End to end: the built service in a process of its own, over HTTP; on Postgres and Redis when their URLs are set. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'e2e',
  testMatch: ['<rootDir>/test/e2e/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
  globalTeardown: '<rootDir>/test/e2e/support/clear-away.ts',
  testTimeout: 60_000,
};
