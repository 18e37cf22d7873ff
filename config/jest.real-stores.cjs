/** The histories over the real stores alone: those over simulated ones need no service. */
module.exports = {
  ...require('./jest.simulation.cjs'),
  testMatch: ['<rootDir>/test/simulation/real-stores.simulation-spec.ts'],
};
