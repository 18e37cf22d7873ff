/** One suite over every adapter of a port: the embedded database, or PostgreSQL and Redis when their URLs are set. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'contract',
  testMatch: ['<rootDir>/test/contract/**/*.spec.ts'],
  testTimeout: 30_000,
};
