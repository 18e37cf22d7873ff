/**
 * What `npm run check` runs beside `npm test`: what takes its time. Endurance tests wait for three quarters of theirs, in which
 * the simulation computes: its histories happen in processes that give way, and the two suites of it fill two workers.
 */
module.exports = {
  ...require('./jest.cjs'),
  projects: ['<rootDir>/jest.endurance.cjs', '<rootDir>/jest.simulation.cjs'],
  testTimeout: 900_000,
  maxWorkers: 5,
};
