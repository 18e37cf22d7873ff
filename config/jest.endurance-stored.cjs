/** The endurance suites whose service uses the stores of the run: the others do on PostgreSQL what they did without. */
module.exports = {
  ...require('./jest.endurance.cjs'),
  testPathIgnorePatterns: [
    '/(client-package|command-line|generated-clients|guides|quick-start|restored-directory)\\.e2e-spec\\.ts$',
  ],
};
