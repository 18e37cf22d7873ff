/** What meets a database or a queue, to be run with DATABASE_URL and REDIS_URL. */
module.exports = {
  ...require('./jest.cjs'),
  projects: ['contract', 'database', 'http-stored', 'e2e', 'endurance-stored', 'real-stores'].map(
    (name) => `<rootDir>/jest.${name}.cjs`,
  ),
  // One more than for `npm test`: the histories over the real stores take half of the whole time.
  maxWorkers: 4,
};
