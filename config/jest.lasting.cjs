/** What `npm run check` runs beside `npm test`: what takes its time. */
module.exports = {
  ...require('./jest.cjs'),
  projects: ['<rootDir>/jest.endurance.cjs', '<rootDir>/jest.simulation.cjs'],
  testTimeout: 900_000,
};
