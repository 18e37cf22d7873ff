const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest suites, longest first: a suite of minutes that started late would run alone at the end. */
const LONG = [
  /simulation-spec/,
  /kill\/production/,
  /kill\/(jobs|restore)/,
  /kill\/(ownership|lane-share|timing)/,
  /e2e\/endurance/,
  /e2e-spec/,
  /read-recipient-file/,
  /test\/(http|database)/,
];

/** Sorts by that list. Within an entry Jest's order applies: without a cache, as in CI, by file size. */
module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONG.findIndex((pattern) => pattern.test(path));
      return index === -1 ? LONG.length : index;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
