/** What `npm test` runs. Timeouts and workers hold for all projects of a run, so they stand here. */
module.exports = {
  projects: ['unit', 'contract', 'database', 'http', 'e2e'].map((name) => `<rootDir>/jest.${name}.cjs`),
  testTimeout: 60_000,
  // More than processors: end-to-end tests mostly wait.
  maxWorkers: 3,
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  reporters: ['default', '<rootDir>/jest-report.cjs'],
};
