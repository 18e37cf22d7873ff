const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest, first to last: a suite of minutes that starts among the last runs alone at the end. */
const LONG = [
  /simulation-spec/,
  /kill\/production/,
  /kill\/(jobs|restore)/,
  /kill\/(ownership|lane-share)/,
  /e2e\/endurance/,
  /e2e-spec/,
  /read-recipient-file/,
  /test\/(http|database)/,
];

/** Without a cache, as in CI, Jest takes the longest file for the longest suite; so it does here within a line of that list. */
module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const line = LONG.findIndex((pattern) => pattern.test(path));
      return line === -1 ? LONG.length : line;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
