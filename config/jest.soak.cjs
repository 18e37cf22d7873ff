/** Real processes in production for as long as SOAK_MINUTES says, in which everything is killed at random moments. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'soak',
  testMatch: ['<rootDir>/test/soak/**/*.soak-spec.ts'],
};
