/** One suite for each port, over its fake and every adapter: embedded, or PostgreSQL and Redis where their URLs are set. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'contract',
  testMatch: ['<rootDir>/test/contract/**/*.spec.ts'],
  testTimeout: 30_000,
};
