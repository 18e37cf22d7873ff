/** What meets a database or a queue, to be run with DATABASE_URL and REDIS_URL. */
module.exports = {
  ...require('./jest.cjs'),
  projects: ['<rootDir>/jest.contract.cjs', '<rootDir>/jest.e2e.cjs', '<rootDir>/jest.endurance.cjs'],
};
