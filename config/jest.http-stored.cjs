/**
 * The suites of the HTTP API whose requests meet each other in the database: PostgreSQL serves them at the same time, the embedded
 * one in turn. What one request does at a time is the same on both, and the suites of the stores show that.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const FOLDER = join(__dirname, '../test/http');
const AT_THE_SAME_TIME = /Promise\.all\(|isShared/;
const stored = readdirSync(FOLDER).filter((file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return text.includes('describeOnDatabase(') && AT_THE_SAME_TIME.test(text);
});

module.exports = {
  ...require('./jest.http.cjs'),
  testMatch: stored.map((file) => `<rootDir>/test/http/${file}`),
};
