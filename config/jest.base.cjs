require('./jest.temporary-files.cjs');
const vendor = require('./jest.vendor.cjs');

/** What every Jest project of this repository shares: SWC with decorator metadata, and the ESM-only packages compiled. */
module.exports = {
  rootDir: '..',
  testEnvironment: '<rootDir>/config/jest-environment.cjs',
  runner: '<rootDir>/config/jest-runner.cjs',
  globalSetup: '<rootDir>/config/jest.setup.cjs',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/config/jest.repeat.cjs'],
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', require('./swc-options.cjs')] },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|uuid)/)',
  ],
  moduleNameMapper: vendor.moduleNameMapper(),
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};
