/** Unit tests: beside the code, no service, no port. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'unit',
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/libs/**/*.spec.ts',
    '<rootDir>/config/**/*.spec.ts',
    '<rootDir>/test/architecture/**/*.spec.ts',
  ],
};
