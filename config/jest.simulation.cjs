/** The domain code of the sending engine in made-up histories, and the bugs that these must find. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'simulation',
  testMatch: ['<rootDir>/test/simulation/**/*.simulation-spec.ts'],
  testTimeout: 900_000,
};
