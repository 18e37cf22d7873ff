/** End to end, what takes its time: restarts, power cuts, outages, long jobs. */
module.exports = {
  ...require('./jest.e2e.cjs'),
  displayName: 'endurance',
  testMatch: ['<rootDir>/test/e2e/endurance/*.e2e-spec.ts'],
};
