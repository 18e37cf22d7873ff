/** Services and SQL on a real database, without HTTP: the embedded one, or PostgreSQL where DATABASE_URL is set. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'database',
  testMatch: ['<rootDir>/test/database/**/*.spec.ts'],
  testTimeout: 30_000,
};
