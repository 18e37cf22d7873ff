/** What `npm test` runs. Timeouts and workers hold for all projects of a run, so they stand here. */
module.exports = {
  projects: ['<rootDir>/jest.unit.cjs', '<rootDir>/jest.contract.cjs', '<rootDir>/jest.e2e.cjs'],
  testTimeout: 60_000,
  // More than processors: end-to-end tests mostly wait.
  maxWorkers: 3,
  reporters: ['default', '<rootDir>/jest-report.cjs'],
};
