/** End to end, what takes its time: starts and restarts, power cuts, outages, long jobs, waits for limits and answers. */
module.exports = {
  ...require('./jest.e2e.cjs'),
  displayName: 'endurance',
  testMatch: ['<rootDir>/test/e2e/endurance/*.e2e-spec.ts'],
};
