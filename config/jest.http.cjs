/** The HTTP API inside the test process, on a real database where it needs one. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'http',
  testMatch: ['<rootDir>/test/http/**/*.spec.ts'],
  testTimeout: 30_000,
};
