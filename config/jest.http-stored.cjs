/** The suites of the HTTP API that open a database: the others have shown everything without one. */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const FOLDER = join(__dirname, '../test/http');
const stored = readdirSync(FOLDER).filter((file) =>
  readFileSync(join(FOLDER, file), 'utf8').includes('describeOnDatabase('),
);

module.exports = {
  ...require('./jest.http.cjs'),
  testMatch: stored.map((file) => `<rootDir>/test/http/${file}`),
};
