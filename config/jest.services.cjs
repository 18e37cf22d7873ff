/** What meets a database or a queue, to be run with DATABASE_URL and REDIS_URL. */
module.exports = {
  ...require('./jest.cjs'),
  projects: ['contract', 'database', 'http', 'e2e', 'endurance'].map((name) => `<rootDir>/jest.${name}.cjs`),
};
