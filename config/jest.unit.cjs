/** Unit tests, which stand beside the code, and the rules of the architecture. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'unit',
  testTimeout: 60_000,
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/libs/**/*.spec.ts',
    '<rootDir>/config/**/*.spec.ts',
    '<rootDir>/test/architecture/**/*.spec.ts',
  ],
};
