/** End to end: the built service in a process of its own, over HTTP; on PostgreSQL and Redis when their URLs are set. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'e2e',
  testMatch: ['<rootDir>/test/e2e/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/support/process/prepare.ts',
  globalTeardown: '<rootDir>/test/support/process/clear-away.ts',
  testTimeout: 60_000,
};
