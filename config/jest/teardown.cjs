/** After all tests. */
module.exports = () => require('../../test/support/template-database.ts').dropTemplate();
